//! What a scenario expects of a run.

use super::item::Item;
use super::keys::{self, Keys};
use super::read::texts;
use super::reader::Reader;
use super::{Bounds, Decision, Expect, ExpectedMail, MailKind, OutcomeKind, Statuses};

/// The first of the statuses, where others may come before them.
const OTHERS: &str = "...";

const OUTCOMES: [(&str, OutcomeKind); 5] = [
    ("completed", OutcomeKind::Completed),
    ("terminated", OutcomeKind::Terminated),
    ("failed", OutcomeKind::Failed),
    ("stuck", OutcomeKind::Stuck),
    ("refused", OutcomeKind::Refused),
];
const DECISIONS: [(&str, Decision); 3] =
    [("approved", Decision::Approved), ("rejected", Decision::Rejected), ("timed-out", Decision::TimedOut)];
const MAILS: [(&str, MailKind); 7] = [
    ("sign-request", MailKind::SignRequest),
    ("reminder", MailKind::Reminder),
    ("finished", MailKind::Finished),
    ("rejected", MailKind::Rejected),
    ("recalled", MailKind::Recalled),
    ("approval-request", MailKind::ApprovalRequest),
    ("approval-reminder", MailKind::ApprovalReminder),
];

pub(super) fn read(reader: &mut Reader, item: &Item<'_>) -> Option<Expect> {
    let members = reader.known_members(item, &keys::EXPECT)?;
    Some(Expect {
        outcome: members.get("outcome").and_then(|item| reader.word(item, &OUTCOMES)),
        variables: members.get("variables").and_then(|item| texts(reader, item)).unwrap_or_default(),
        statuses: members.get("statuses").and_then(|item| statuses(reader, item)),
        elapsed: members.get("elapsed").and_then(|item| bounds(reader, item, &keys::ELAPSED, Reader::duration)),
        calls: members.get("calls").map(|item| calls(reader, item)).unwrap_or_default(),
        mails: members.get("mails").map(|item| mails(reader, item)).unwrap_or_default(),
        approvals: members.get("approvals").map(|item| decisions(reader, item)).unwrap_or_default(),
        failure: members.get("failure").and_then(|item| reader.text(item)).map(|text| text.as_ref().to_owned()),
    })
}

fn statuses(reader: &mut Reader, item: &Item<'_>) -> Option<Statuses> {
    let entries = reader.entries(item, "a list of texts")?;
    let mut texts: Vec<String> =
        entries.iter().filter_map(|entry| reader.text(entry)).map(|text| text.as_ref().to_owned()).collect();
    let others_before = texts.first().is_some_and(|first| first == OTHERS);
    if others_before {
        texts.remove(0);
    }
    Some(Statuses { others_before, texts })
}

/// Inclusive bounds, of whatever `read` reads.
fn bounds<T: Copy + PartialOrd>(
    reader: &mut Reader,
    item: &Item<'_>,
    keys: &Keys,
    read: impl Fn(&mut Reader, &Item<'_>) -> Option<T>,
) -> Option<Bounds<T>> {
    let members = reader.known_members(item, keys)?;
    let (least, most) = (members.get("at-least"), members.get("at-most"));
    if least.is_none() && most.is_none() {
        reader.refuse(item.key_place(), format!("{} needs `at-least`, `at-most` or both", item.label()), None);
        return None;
    }
    let at_least = least.and_then(|item| read(reader, item));
    let at_most = most.and_then(|item| read(reader, item));
    if let (Some(most), true) = (most, at_least.zip(at_most).is_some_and(|(least, most)| least > most)) {
        reader.refuse(most.place(), "`at-most` is less than `at-least`".to_owned(), None);
    }
    Some(Bounds { at_least, at_most })
}

fn calls(reader: &mut Reader, item: &Item<'_>) -> Vec<(String, Bounds<u64>)> {
    let members = reader.members(item, "a map of methods, each with `at-least` or `at-most`").unwrap_or_default();
    let count = |reader: &mut Reader, item: &Item<'_>| reader.count(item, 0);
    let read = |member: &Item<'_>| Some((member.key().to_owned(), bounds(reader, member, &keys::CALLS, count)?));
    members.iter().filter_map(read).collect()
}

fn mails(reader: &mut Reader, item: &Item<'_>) -> Vec<ExpectedMail> {
    let entries = reader.entries(item, "a list of mails").unwrap_or_default();
    entries.iter().filter_map(|entry| mail(reader, entry)).collect()
}

fn mail(reader: &mut Reader, item: &Item<'_>) -> Option<ExpectedMail> {
    let members = reader.known_members(item, &keys::MAIL)?;
    let to = members.get("to").and_then(|to| reader.text(to)).map(|to| to.as_ref().to_owned());
    let kind = members.get("kind").and_then(|kind| reader.word(kind, &MAILS));
    Some(ExpectedMail { to, kind })
}

fn decisions(reader: &mut Reader, item: &Item<'_>) -> Vec<(String, Decision)> {
    let members = reader.members(item, "a map of activities and decisions").unwrap_or_default();
    let read = |member: &Item<'_>| Some((member.key().to_owned(), reader.word(member, &DECISIONS)?));
    members.iter().filter_map(read).collect()
}
