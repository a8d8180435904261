//! What people do: signers and approvers.

use jiff::SignedDuration;

use super::keys::{self, Keys};
use super::reader::Reader;
use super::value_ref::ValueRef;
use crate::simulate::scenario::location::Spanned;
use crate::simulate::scenario::model::{
    Answers, ApprovalAction, ApprovalRuns, Approvals, NamedApproval, Person, Signer, SigningAct, SigningAction,
    SigningRuns,
};

const PEOPLE: &str = "an object of mail addresses, each with `after` and `action`";
const SIGNING: [(&str, SigningAction); 2] = [("sign", SigningAction::Sign), ("reject", SigningAction::Reject)];
const APPROVING: [(&str, ApprovalAction); 2] =
    [("approve", ApprovalAction::Approve), ("reject", ApprovalAction::Reject)];

pub fn signing(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Vec<Signer>> {
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
pub fn approvals(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Approvals> {
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
