//! What a scenario expects of a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::keys::{self, Keys};
use super::reader::Reader;
use super::value_ref::ValueRef;
use crate::outcomes::OTHERS_BEFORE;
use crate::simulate::scenario::location::Spanned;
use crate::simulate::scenario::model::{Bounds, Decision, Expectations, ExpectedMail, MailKind, OutcomeKind, Statuses};
use crate::source::Span;

pub fn read(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Expectations> {
    let members = reader.known_members(item, &keys::EXPECT)?;
    Some(Expectations {
        outcome: members
            .get("outcome")
            .and_then(|item| reader.word(item, &OutcomeKind::ALL.map(|outcome| (outcome.word(), outcome)))),
        variables: members.get("variables").and_then(|item| values(reader, item)).unwrap_or_default(),
        statuses: members.get("statuses").and_then(|item| statuses(reader, item)),
        elapsed: members.get("elapsed").and_then(|item| bounds(reader, item, &keys::ELAPSED, Reader::duration)),
        calls: members.get("calls").map(|item| calls(reader, item)).unwrap_or_default(),
        mails: members.get("mails").map(|item| mails(reader, item)).unwrap_or_default(),
        approvals: members.get("approvals").map(|item| decisions(reader, item)).unwrap_or_default(),
        failure: members.get("failure").and_then(|item| reader.text(item)).map(|text| text.as_ref().to_owned()),
        spans: spans(item),
    })
}

/// Where each expectation is written, by its path.
fn spans(item: &ValueRef<'_>) -> BTreeMap<String, Span> {
    let mut spans = BTreeMap::new();
    for member in item.members() {
        let key = member.key();
        spans.insert(key.to_owned(), member.key_location().span);
        match key {
            "variables" | "calls" | "approvals" => {
                spans.extend(
                    member.members().map(|inner| (format!("{key}.{}", inner.key()), inner.key_location().span)),
                );
            }
            "mails" => {
                let entries = (0..).zip(member.entries());
                spans.extend(entries.map(|(index, entry)| (format!("{key}.{index}"), entry.location().span)));
            }
            _ => {}
        }
    }
    spans
}

fn values(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Vec<(Spanned<String>, Arc<str>)>> {
    let members = reader.members(item, "an object of names and strings")?;
    Some(members.iter().filter_map(|member| Some((member.spanned_key(), reader.value(member)?))).collect())
}

fn statuses(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Statuses> {
    let entries = reader.entries(item, "an array of strings")?;
    let mut texts: Vec<String> =
        entries.iter().filter_map(|entry| reader.text(entry)).map(|text| text.as_ref().to_owned()).collect();
    let others_before = texts.first().is_some_and(|first| first == OTHERS_BEFORE);
    if others_before {
        texts.remove(0);
    }
    Some(Statuses { others_before, texts })
}

/// Inclusive bounds of values that `read` reads, or the exact value.
fn bounds<T: Copy + PartialOrd>(
    reader: &mut Reader,
    item: &ValueRef<'_>,
    keys: &Keys,
    read: impl Fn(&mut Reader, &ValueRef<'_>) -> Option<T>,
) -> Option<Bounds<T>> {
    if item.scalar().is_some() {
        let exact = read(reader, item)?;
        return Some(Bounds { at_least: Some(exact), at_most: Some(exact) });
    }
    let members = reader.known_members(item, keys)?;
    let (least, most) = (members.get("at-least"), members.get("at-most"));
    if least.is_none() && most.is_none() {
        reader.refuse(item.key_location(), format!("missing key `at-least` or `at-most`{}", item.within()), None);
        return None;
    }
    let at_least = least.and_then(|item| read(reader, item));
    let at_most = most.and_then(|item| read(reader, item));
    if let (Some(most), true) = (most, at_least.zip(at_most).is_some_and(|(least, most)| least > most)) {
        reader.refuse(most.location(), "`at-most` is less than `at-least`".to_owned(), None);
    }
    Some(Bounds { at_least, at_most })
}

fn calls(reader: &mut Reader, item: &ValueRef<'_>) -> Vec<(Spanned<String>, Bounds<u64>)> {
    let members = reader
        .members(item, "an object of methods, each with a number, or with `at-least` or `at-most`")
        .unwrap_or_default();
    let count = |reader: &mut Reader, item: &ValueRef<'_>| reader.count(item, 0);
    let read = |member: &ValueRef<'_>| Some((member.spanned_key(), bounds(reader, member, &keys::CALLS, count)?));
    members.iter().filter_map(read).collect()
}

fn mails(reader: &mut Reader, item: &ValueRef<'_>) -> Vec<ExpectedMail> {
    let entries = reader.entries(item, "an array of mails").unwrap_or_default();
    entries.iter().filter_map(|entry| mail(reader, entry)).collect()
}

fn mail(reader: &mut Reader, item: &ValueRef<'_>) -> Option<ExpectedMail> {
    let members = reader.known_members(item, &keys::MAIL)?;
    let to = members.get("to").and_then(|to| reader.text(to)).map(|to| to.as_ref().to_owned());
    let kind = members.get("kind").and_then(|kind| reader.word(kind, &MailKind::ALL.map(|kind| (kind.word(), kind))));
    Some(ExpectedMail { to, kind })
}

fn decisions(reader: &mut Reader, item: &ValueRef<'_>) -> Vec<(Spanned<String>, Decision)> {
    let members = reader.members(item, "an object of activities and decisions").unwrap_or_default();
    let words = Decision::ALL.map(|decision| (decision.word(), decision));
    let read = |member: &ValueRef<'_>| Some((member.spanned_key(), reader.word(member, &words)?));
    members.iter().filter_map(read).collect()
}
