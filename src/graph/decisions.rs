//! Classifies how Approvals are decided (docs/platform.md, Approval).

use std::collections::BTreeSet;

use crate::model::{Activity, ActivityKind, Approval, Literal, Member, ON_APPROVE, ON_REJECT, Workflow};

/// Who decides an Approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decisions {
    /// One person.
    OfOne { timeout: Timeout },
    /// Maybe several people, of whom one has to approve.
    OfSeveral { timeout: Timeout },
    /// Its type, what it requires or one of its events is not documented, or cannot be read.
    Undocumented { timeout: Timeout },
}

/// What happens when time is up without a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timeout {
    /// It waits forever.
    Never,
    Rejects,
    /// It may also approve.
    Unknown,
}

impl Decisions {
    /// Those of an activity that is an Approval.
    pub fn of(workflow: &Workflow<'_>, activity: &Activity<'_>) -> Option<Self> {
        let approval = activity.approval()?;
        let is = |member: Member<&str>, documented| member.is_absent() || member.value() == Some(documented);
        let is_documented = is(approval.approval_type, "parallel")
            && is(approval.required, "one")
            && has_documented_events(workflow, activity);
        let timeout = if !has_timeout(approval) {
            Timeout::Never
        } else if is(approval.on_timeout, "reject") {
            Timeout::Rejects
        } else {
            Timeout::Unknown
        };
        let asks_one = people(approval).is_some_and(|people| people <= 1);
        Some(if !is_documented {
            Self::Undocumented { timeout }
        } else if asks_one {
            Self::OfOne { timeout }
        } else {
            Self::OfSeveral { timeout }
        })
    }
}

/// Whether a rejection may run its event before an Approval is decided: several people can be asked, and one approval is
/// enough (docs/how-it-thinks.md, Flow). Only for what is documented.
pub fn may_reject_undecided(workflow: &Workflow<'_>, activity: &Activity<'_>) -> bool {
    let is_readable = activity.approval().is_some_and(|approval| approval.assignees.get().is_some());
    is_readable && matches!(Decisions::of(workflow, activity), Some(Decisions::OfSeveral { .. }))
}

/// How many people an Approval asks, if it says so itself.
fn people(approval: &Approval<'_>) -> Option<usize> {
    match approval.assignees.get().map(Vec::as_slice) {
        Some([]) => Some(0),
        Some([only]) => {
            let (_, addresses) = only.parameter.get()?.literal_text()?;
            let addresses = addresses.split([';', ',']).map(str::trim).filter(|address| !address.is_empty());
            Some(addresses.collect::<BTreeSet<_>>().len())
        }
        _ => None,
    }
}

/// Whether time can be up. What 0 means is not documented; without a number, no limit is.
fn has_timeout(approval: &Approval<'_>) -> bool {
    let member = &approval.settings().timeout;
    let Some(timeout) = member.get() else { return member.is_unknown() };
    timeout.is_bound() || timeout.literal().is_some_and(|(_, literal)| literal != Literal::Null)
}

/// When an activity inside an Approval runs (docs/platform.md, Events).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalEvent {
    Approve,
    Reject,
    /// It is not documented, or cannot be read.
    Unknown,
}

impl ApprovalEvent {
    pub fn of(activity: &Activity<'_>) -> Self {
        match &activity.kind {
            ActivityKind::Event { event } => match event.value() {
                Some(ON_APPROVE) => Self::Approve,
                Some(ON_REJECT) => Self::Reject,
                _ => Self::Unknown,
            },
            _ => Self::Unknown,
        }
    }

    /// Whether it may have run when its Approval is decided so; `None` if the decision is unknown.
    pub fn may_precede(self, approved: Option<bool>) -> bool {
        match self {
            Self::Approve => approved != Some(false),
            Self::Reject => approved != Some(true),
            Self::Unknown => true,
        }
    }
}

fn has_documented_events(workflow: &Workflow<'_>, approval: &Activity<'_>) -> bool {
    let mut events = approval.children().iter().filter_map(|&child| workflow.activity(child));
    events.all(|child| ApprovalEvent::of(child) != ApprovalEvent::Unknown)
}
