//! How orders come to their ends: what tells runs apart, and the decisions that lead to the same end.

use std::collections::BTreeSet;

use super::subject::{Subject, quote};
use crate::common::outcomes::Decision;
use crate::explore::{ApprovalDecision, ExploredEnd, ExploredService};
use crate::model::{ActivityId, ActivityKind};
use crate::simulate::{RunEvent, RunEventKind};

/// What happens in a run, however often and whenever it does. Of values it counts whether there is one.
pub type Way = BTreeSet<(RunEventKind, Option<ActivityId>, String)>;

/// The way of a run. How often it looks whether something is done yet does not matter.
pub fn way(subject: &Subject<'_, '_>, events: &[RunEvent]) -> Way {
    let workflow = subject.analysis.workflow;
    let is_repeated = |id: ActivityId| {
        let ancestors = workflow.activity(id).into_iter().flat_map(|activity| workflow.ancestors(activity));
        ancestors.into_iter().any(|around| matches!(around.kind, ActivityKind::While { .. }))
    };
    let step = |event: &RunEvent| {
        let happened = |text: &str| Some((event.kind, event.activity, text.to_owned()));
        match event.kind {
            RunEventKind::Filled | RunEventKind::Set => {
                let has_value = event.value.as_ref().is_some_and(|value| !value.is_empty());
                let variable = event.variable.clone().filter(|_| has_value)?;
                Some((RunEventKind::Set, None, variable))
            }
            RunEventKind::Decided | RunEventKind::TimedOut => happened(&event.text),
            RunEventKind::Failed | RunEventKind::Terminated => happened(""),
            RunEventKind::Called | RunEventKind::Published | RunEventKind::Skipped => {
                happened("").filter(|_| !event.activity.is_some_and(is_repeated))
            }
            _ => None,
        }
    };
    events.iter().filter_map(step).collect()
}

fn decided(event: &RunEvent) -> Option<(ActivityId, Decision)> {
    let decision = match event.kind {
        RunEventKind::TimedOut => Decision::TimedOut,
        RunEventKind::Decided if event.text.ends_with("rejected") => Decision::Rejected,
        RunEventKind::Decided if event.text.ends_with("approved") => Decision::Approved,
        _ => return None,
    };
    Some((event.activity?, decision))
}

/// The other decisions of the Approvals of a run that ends after which orders come to the same end: "`Approval` is
/// rejected".
pub fn others(subject: &Subject<'_, '_>, explored: &ExploredService, end: (usize, &ExploredEnd)) -> Vec<String> {
    let (index, end) = end;
    let own: BTreeSet<(ActivityId, Decision)> = end.events.iter().filter_map(decided).collect();
    let is_other = |it: &&ApprovalDecision| {
        !end.ending.is_cycle()
            && it.ends.contains(&index)
            && !own.contains(&(it.activity, it.decision))
            && own.iter().any(|(approval, _)| *approval == it.activity)
    };
    let words = |it: &ApprovalDecision| {
        let words = match it.decision {
            Decision::Approved => "is approved",
            Decision::Rejected => "is rejected",
            Decision::TimedOut => "is not answered in time",
        };
        Some(format!("{} {words}", quote(&subject.place_of(it.activity)?.1)))
    };
    explored.decisions.iter().filter(is_other).filter_map(words).collect()
}
