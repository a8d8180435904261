//! What people do: signers and approvers.

use super::keys::{self, Keys};
use super::reader::Reader;
use super::value_ref::ValueRef;
use crate::simulate::scenario::location::Spanned;
use crate::simulate::scenario::model::{
    Answers, ApprovalAction, ApprovalRuns, Approvals, NamedApproval, Person, SigningAction,
};

const SIGNING: [(&str, SigningAction); 2] = [("sign", SigningAction::Sign), ("reject", SigningAction::Reject)];
const APPROVING: [(&str, ApprovalAction); 2] =
    [("approve", ApprovalAction::Approve), ("reject", ApprovalAction::Reject)];

pub fn signing(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Vec<Person<SigningAction>>> {
    people(reader, item, &keys::SIGNER, &SIGNING)
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
    people(reader, item, &keys::APPROVER, &APPROVING)
}

/// People by mail address.
fn people<A: Copy>(
    reader: &mut Reader,
    item: &ValueRef<'_>,
    keys: &Keys,
    actions: &[(&'static str, A)],
) -> Option<Vec<Person<A>>> {
    let members = reader.members(item, "an object of mail addresses, each with `after` and `action`")?;
    Some(members.iter().filter_map(|member| person(reader, member, keys, actions)).collect())
}

fn person<A: Copy>(
    reader: &mut Reader,
    item: &ValueRef<'_>,
    keys: &Keys,
    actions: &[(&'static str, A)],
) -> Option<Person<A>> {
    let members = reader.known_members(item, keys)?;
    let after = members.get("after").and_then(|after| reader.duration(after));
    let action = members.get("action").and_then(|action| reader.word(action, actions));
    Some(Person { mail: item.spanned_key(), after: after?, action: action? })
}
