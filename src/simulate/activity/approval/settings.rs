//! The members of an Approval, checked and resolved.

use std::sync::Arc;

use jiff::SignedDuration;

use crate::collections::HashSet;
use crate::document::NodeId;
use crate::model::{Activity, Approval, Binding, Member};
use crate::simulate::assumption::Assumption;
use crate::simulate::clock;
use crate::simulate::run::Run;
use crate::simulate::stop::Stop;
use crate::simulate::text::number;
use crate::simulate::{quote, quote_value};

/// Checks that the approval is of the documented kind, and says whether its timeout approves.
pub(super) fn timeout_approves<'p>(
    run: &Run<'p, '_>,
    activity: &Activity<'p>,
    approval: &Approval<'p>,
) -> Result<bool, Stop> {
    let not_simulated = |name: &str, value: &str, node: NodeId| {
        let message = format!("`{name}` {} of {} is not simulated", quote(value), run.plan.name(activity));
        run.fail(node, message)
    };
    let require = |name: &str, member: &Member<&'p str>, only: &str| match *member {
        Member::Known(node, value) if value != only => Err(not_simulated(name, value, node)),
        Member::Unknown(_) => Err(run.unreadable(activity, name)),
        Member::Known(..) | Member::Absent => Ok(()),
    };
    require("approvalType", &approval.approval_type, "parallel")?;
    require("required", &approval.required, "one")?;
    match approval.on_timeout {
        Member::Known(_, "approve") => Ok(true),
        Member::Known(_, "reject") | Member::Absent => Ok(false),
        Member::Known(node, value) => Err(not_simulated("onTimeout", value, node)),
        Member::Unknown(_) => Err(run.unreadable(activity, "onTimeout")),
    }
}

/// The mail addresses of the people to ask, each once: an assignee's value may be a list.
pub(super) fn assignees<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    approval: &'p Approval<'p>,
) -> Result<Vec<Arc<str>>, Stop> {
    if approval.assignees.is_unknown() {
        return Err(run.unreadable(activity, "assignees"));
    }
    let mut assignees: Vec<Arc<str>> = Vec::new();
    let mut seen = HashSet::default();
    for assignee in approval.assignees.get().into_iter().flatten() {
        let Some(value) = run.read_member(activity, "assignees", &assignee.parameter)? else { continue };
        for mail in value.as_str().split([';', ',']).map(str::trim).filter(|mail| !mail.is_empty()) {
            if seen.insert(mail.to_lowercase()) {
                assignees.push(run.built(mail)?);
            }
        }
    }
    if assignees.is_empty() {
        let message = format!("missing assignees in {}, nobody to ask", run.plan.name(activity));
        let node = approval.assignees.node().unwrap_or(activity.node);
        return Err(run.fail(node, message));
    }
    Ok(assignees)
}

/// The duration of a member in seconds; `None` for 0, null and an unset variable.
pub(super) fn seconds<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    name: &str,
    member: &'p Member<Binding<'p>>,
) -> Result<Option<SignedDuration>, Stop> {
    let value = run.read_member(activity, name, member)?;
    let text = value.as_ref().map_or("", |value| value.as_str()).trim();
    if text.is_empty() {
        return Ok(None);
    }
    match number(text).and_then(clock::seconds) {
        Some(time) if time.is_zero() => Ok(None),
        Some(time) => {
            run.assume(Assumption::Seconds);
            Ok(Some(time))
        }
        None => {
            let message = format!(
                "expected a number of seconds in `{name}` of {}, found {}",
                run.plan.name(activity),
                quote_value(text)
            );
            let node = member.get().map_or(activity.node, |binding| binding.value.node().unwrap_or(binding.node));
            Err(run.fail(node, message))
        }
    }
}
