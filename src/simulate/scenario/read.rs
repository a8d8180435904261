//! From the tree of values to a scenario, key by key.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::keys::{self, Keys};
use super::model::{
    Answers, ApprovalAction, ApprovalRuns, Approvals, Bounds, DirectorySource, Expectations, ExpectedMail, Fault,
    Input, Limits, NamedApproval, NamedInput, Person, Problem, ProviderResult, ProviderResults, Scenario, Signer,
    SigningAct, SigningAction, SigningRuns, Spanned, Statuses,
};
use super::parse::parse;
use super::reader::{Members, Reader, ValueRef};
use super::tree::ScenarioSyntax;
use super::units;
use crate::common::outcomes::{Decision, MailKind, OTHERS_BEFORE, OutcomeKind};
use crate::ldap::Entry;
use crate::text::source::Span;

/// 2024-01-01T08:00:00Z: the start of the clock when the scenario has none.
const DEFAULT_START: Timestamp = Timestamp::constant(1_704_096_000, 0);
const DEFAULT_CULTURE: &str = "en-US";

/// Reads a scenario.
///
/// # Errors
/// Everything that is wrong, in the order of the file; one problem when the syntax is wrong.
pub fn read(text: &str, syntax: ScenarioSyntax) -> Result<Scenario, Vec<Problem>> {
    let root = parse(text, syntax).map_err(|problem| vec![problem])?;
    let mut reader = Reader::default();
    let scenario = scenario(&mut reader, &ValueRef::root(&root));
    let problems = reader.into_problems();
    scenario.filter(|_| problems.is_empty()).ok_or(problems)
}

fn scenario(reader: &mut Reader, root: &ValueRef<'_>) -> Option<Scenario> {
    let members = reader.known_members(root, &keys::SCENARIO)?;
    let mut text = |key| members.get(key).and_then(|item| reader.text(item)).map(|text| text.as_ref().to_owned());
    let (title, culture, requester) = (text("name"), text("culture"), text("requester"));
    let workflow = name(reader, &members, "workflow");
    let scenario = Scenario {
        name: title,
        // Without a workflow there is no scenario, but the rest is read for its problems.
        workflow: workflow.unwrap_or_else(|| Spanned { value: String::new(), location: root.location() }),
        form: name(reader, &members, "form"),
        culture: culture.unwrap_or_else(|| DEFAULT_CULTURE.to_owned()),
        start: members.get("start").and_then(|item| start(reader, item)).unwrap_or(DEFAULT_START),
        offset: members.get("start").and_then(|item| Some(units::offset(&item.scalar()?.text))).unwrap_or(Offset::UTC),
        requester,
        submit: members.get("submit").and_then(|item| inputs(reader, item)),
        variables: members.get("variables").and_then(|item| inputs(reader, item)).unwrap_or_default(),
        directory: members.get("directory").and_then(|item| directory(reader, item)).unwrap_or_default(),
        signing: members.get("signing").and_then(|item| signing(reader, item)).unwrap_or_default(),
        approvals: members.get("approvals").and_then(|item| approvals(reader, item)).unwrap_or_default(),
        faults: members.get("faults").map(|item| faults(reader, item)).unwrap_or_default(),
        providers: members.get("providers").map(|item| providers(reader, item)).unwrap_or_default(),
        limits: members.get("limits").map(|item| limits(reader, item)).unwrap_or_default(),
        expect: members.get("expect").and_then(|item| expectations(reader, item)),
    };
    Some(scenario)
}

fn start(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Timestamp> {
    let start = item.scalar().and_then(|scalar| units::timestamp(&scalar.text));
    if start.is_none() {
        reader.mismatch(item, "a time with offset such as `2024-01-01T08:00:00Z`");
    }
    start
}

/// A path or name that is not empty.
fn name(reader: &mut Reader, members: &Members<'_>, key: &str) -> Option<Spanned<String>> {
    let item = members.get(key)?;
    Some(Spanned { value: reader.name(item)?, location: item.location() })
}

fn inputs(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Vec<NamedInput>> {
    let members = reader.members(item, "an object of names and values")?;
    Some(members.iter().filter_map(|member| input(reader, member)).collect())
}

fn input(reader: &mut Reader, item: &ValueRef<'_>) -> Option<NamedInput> {
    let value = if item.is_object() {
        let members = reader.known_members(item, &keys::UPLOAD)?;
        Input::File(reader.name(members.get("file")?)?)
    } else if item.is_array() {
        reader.mismatch(item, "a string, or `{ file: … }` for an upload");
        return None;
    } else {
        Input::Text(reader.value(item)?)
    };
    Some(NamedInput { name: item.spanned_key(), input: Spanned { value, location: item.location() } })
}

fn texts(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Vec<(String, Arc<str>)>> {
    let members = reader.members(item, "an object of names and strings")?;
    Some(members.iter().filter_map(|member| Some((member.key().to_owned(), reader.value(member)?))).collect())
}

const PEOPLE: &str = "an object of mail addresses, each with `after` and `action`";
const SIGNING: [(&str, SigningAction); 2] = [("sign", SigningAction::Sign), ("reject", SigningAction::Reject)];
const APPROVING: [(&str, ApprovalAction); 2] =
    [("approve", ApprovalAction::Approve), ("reject", ApprovalAction::Reject)];

fn signing(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Vec<Signer>> {
    let members = reader.members(item, PEOPLE)?;
    Some(members.iter().filter_map(|member| signer(reader, member)).collect())
}

fn signer(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Signer> {
    let runs = if item.is_array() {
        SigningRuns::Each(item.entries().map(|entry| signing_entry(reader, &entry)).collect())
    } else {
        SigningRuns::Every(signing_act(reader, item)?)
    };
    Some(Signer { mail: item.spanned_key(), runs })
}

/// An entry for one case; `{}` never acts.
fn signing_entry(reader: &mut Reader, item: &ValueRef<'_>) -> Option<SigningAct> {
    let is_empty = item.is_object() && item.members().next().is_none();
    if is_empty { None } else { signing_act(reader, item) }
}

fn signing_act(reader: &mut Reader, item: &ValueRef<'_>) -> Option<SigningAct> {
    let (after, action) = act(reader, item, &keys::SIGNER, &SIGNING)?;
    Some(SigningAct { after, action })
}

/// An object by the activity's name, or an array for runs in order.
fn approvals(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Approvals> {
    if item.is_array() {
        return Some(Approvals::InOrder(runs(reader, item)));
    }
    let members =
        reader.members(item, "an object with answers for each activity, or an array with answers for each run")?;
    Some(Approvals::Named(members.iter().filter_map(|member| named(reader, member)).collect()))
}

fn named(reader: &mut Reader, item: &ValueRef<'_>) -> Option<NamedApproval> {
    let runs = if item.is_array() {
        ApprovalRuns::Each(runs(reader, item))
    } else {
        ApprovalRuns::Every(answers(reader, item)?)
    };
    Some(NamedApproval { activity: item.spanned_key(), runs })
}

fn runs(reader: &mut Reader, array: &ValueRef<'_>) -> Vec<Spanned<Answers>> {
    let run = |entry: ValueRef<'_>| Some(Spanned { value: answers(reader, &entry)?, location: entry.location() });
    array.entries().filter_map(run).collect()
}

fn answers(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Answers> {
    let members = reader.members(item, PEOPLE)?;
    Some(members.iter().filter_map(|member| approver(reader, member)).collect())
}

fn approver(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Person<ApprovalAction>> {
    let (after, action) = act(reader, item, &keys::APPROVER, &APPROVING)?;
    Some(Person { mail: item.spanned_key(), after, action })
}

/// When a person acts, and how.
fn act<A: Copy>(
    reader: &mut Reader,
    item: &ValueRef<'_>,
    keys: &Keys,
    actions: &[(&'static str, A)],
) -> Option<(SignedDuration, A)> {
    let members = reader.known_members(item, keys)?;
    let after = members.get("after").and_then(|after| reader.duration(after));
    let action = members.get("action").and_then(|action| reader.word(action, actions));
    Some((after?, action?))
}

fn directory(reader: &mut Reader, item: &ValueRef<'_>) -> Option<DirectorySource> {
    if item.is_array() {
        let entries = item.entries().filter_map(|item| entry(reader, &item)).collect();
        return Some(DirectorySource::Inline(entries, item.location()));
    }
    if item.is_object() {
        reader.mismatch(item, "the path of an LDIF file or an array of entries");
        return None;
    }
    let path = reader.name(item)?;
    Some(DirectorySource::File(Spanned { value: path, location: item.location() }))
}

/// A directory entry: `dn`, and any attributes.
fn entry(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Entry> {
    let members = reader.members(item, "an object with `dn` and attributes")?;
    let mut dn = None;
    let mut attributes = Vec::new();
    for member in &members {
        if !keys::ENTRY.known.contains(&member.key()) {
            attributes.push((member.key().to_owned(), attribute(reader, member)));
        } else if !member.value.is_null() {
            dn = Some(member);
        }
    }
    let Some(dn) = dn else {
        reader.missing(item, "dn");
        return None;
    };
    let entry = Entry::new(&reader.text(dn)?, attributes);
    entry.map_err(|reason| reader.refuse(dn.location(), reason, None)).ok()
}

/// The values of an attribute: an array, or one value.
fn attribute(reader: &mut Reader, item: &ValueRef<'_>) -> Vec<String> {
    let values: Vec<ValueRef<'_>> = if item.is_array() { item.entries().collect() } else { vec![*item] };
    values.iter().filter_map(|value| reader.text(value)).map(|text| text.as_ref().to_owned()).collect()
}

fn faults(reader: &mut Reader, item: &ValueRef<'_>) -> Vec<Fault> {
    let entries = reader.entries(item, "an array of faults").unwrap_or_default();
    entries.iter().filter_map(|entry| fault(reader, entry)).collect()
}

fn fault(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Fault> {
    let members = reader.known_members(item, &keys::FAULT)?;
    let method = name(reader, &members, "method");
    let call = members.get("call").and_then(|call| reader.count(call, 1));
    let error = members.get("error").and_then(|error| reader.text(error));
    Some(Fault { method: method?, call, error: error?.as_ref().to_owned() })
}

fn providers(reader: &mut Reader, item: &ValueRef<'_>) -> Vec<ProviderResults> {
    let members = reader.members(item, "an object with an array of results for each method").unwrap_or_default();
    let read = members.iter().map(|member| {
        let entries = reader.entries(member, "an array of results, one for each call").unwrap_or_default();
        let results = entries
            .iter()
            .filter_map(|entry| Some(Spanned { value: provider_result(reader, entry)?, location: entry.location() }));
        ProviderResults { results: results.collect(), method: member.spanned_key() }
    });
    read.collect()
}

fn provider_result(reader: &mut Reader, item: &ValueRef<'_>) -> Option<ProviderResult> {
    let members = reader.known_members(item, &keys::RESULT)?;
    match (members.get("outputs"), members.get("error")) {
        (Some(outputs), None) => Some(ProviderResult::Outputs(texts(reader, outputs)?)),
        (None, Some(error)) => Some(ProviderResult::Error(reader.text(error)?.as_ref().to_owned())),
        (outputs, _) => {
            let defect = if outputs.is_some() {
                "conflicting keys `outputs` and `error`"
            } else {
                "missing key `outputs` or `error`"
            };
            let message = format!("{defect}{}", item.within());
            reader.refuse(item.location(), message, None);
            None
        }
    }
}

fn limits(reader: &mut Reader, item: &ValueRef<'_>) -> Limits {
    let default = Limits::default();
    let Some(members) = reader.known_members(item, &keys::LIMITS) else { return default };
    Limits {
        steps: members.get("steps").and_then(|steps| reader.count(steps, 0)).unwrap_or(default.steps),
        virtual_time: members
            .get("virtual-time")
            .and_then(|time| reader.duration(time))
            .unwrap_or(default.virtual_time),
        script_time: members
            .get("script-seconds")
            .and_then(|seconds| reader.seconds(seconds))
            .unwrap_or(default.script_time),
    }
}

fn expectations(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Expectations> {
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
