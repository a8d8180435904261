//! How orders come to their ends: what tells runs apart, and the decisions that lead to the same end.

use std::collections::BTreeSet;

use super::subject::Subject;
use crate::explore::{ExploredEnd, ExploredService, GraphMove, StateGraph};
use crate::model::{ActivityId, ActivityKind};
use crate::simulate::{RunEvent, RunEventKind};
use crate::text::quote;

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

/// An Approval with the words for its decision.
type Decided = (ActivityId, &'static str);

fn decided(event: &RunEvent) -> Option<Decided> {
    let words = match event.kind {
        RunEventKind::TimedOut => "is not answered in time",
        RunEventKind::Decided if event.text.ends_with("rejected") => "is rejected",
        RunEventKind::Decided if event.text.ends_with("approved") => "is approved",
        _ => return None,
    };
    Some((event.activity?, words))
}

/// The other decisions of the Approvals of a run after which orders come to the same end: "`Approval` is rejected".
pub fn others(subject: &Subject<'_, '_>, explored: &ExploredService, end: (usize, &ExploredEnd)) -> Vec<String> {
    let (index, end) = end;
    let own: BTreeSet<Decided> = end.events.iter().filter_map(decided).collect();
    let Some(graph) = explored.graph.as_ref().filter(|_| !own.is_empty() && !end.ending.is_cycle()) else {
        return Vec::new();
    };
    let is_other = |it: &Decided| !own.contains(it) && own.iter().any(|(approval, _)| *approval == it.0);
    let others: BTreeSet<Decided> = decisions_before(graph, index).into_iter().filter(is_other).collect();
    let words = |(id, words): Decided| Some(format!("{} {words}", quote(&subject.place_of(id)?.1)));
    others.into_iter().filter_map(words).collect()
}

/// The decisions of all embedded orders that come to an end.
fn decisions_before(graph: &StateGraph, end: usize) -> BTreeSet<Decided> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.states.len()];
    let mut open: Vec<usize> = Vec::new();
    for (from, state) in graph.states.iter().enumerate() {
        for made in &state.moves {
            if made.end == Some(end) {
                open.push(from);
            }
            if let Some(sources) = made.to.and_then(|to| before.get_mut(to)) {
                sources.push(from);
            }
        }
    }
    let mut leading: BTreeSet<usize> = BTreeSet::new();
    while let Some(state) = open.pop() {
        if leading.insert(state) {
            open.extend(before.get(state).into_iter().flatten());
        }
    }
    let leads = |made: &&GraphMove| made.end == Some(end) || made.to.is_some_and(|to| leading.contains(&to));
    let moves = graph.states.iter().flat_map(|state| &state.moves).filter(leads);
    let events = moves.flat_map(|made| &made.events).filter_map(|(_, event)| graph.events.get(*event));
    events.filter_map(decided).collect()
}
