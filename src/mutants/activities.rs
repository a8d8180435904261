//! Drops activities, and swaps neighbors.

use super::change::{Change, Site};
use super::edit::Edit;
use crate::config::Mutation;
use crate::model::{Activity, ActivityId, ActivityKind};
use crate::source::Span;

/// The changes of one `activities` array.
pub fn changes(site: &Site<'_>, list: &[ActivityId]) -> Vec<Change> {
    let list: Vec<&Activity<'_>> = list.iter().filter_map(|&id| site.workflow.activity(id)).collect();
    let mut changes = Vec::new();
    for (index, &activity) in list.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| list.get(index).copied());
        let after = list.get(index + 1).copied();
        changes.push(dropped(site, before, activity, after));
        changes.extend(after.and_then(|after| swapped(site, activity, after)));
    }
    changes
}

/// An activity dropped with the comma that separates it.
fn dropped(
    site: &Site<'_>,
    before: Option<&Activity<'_>>,
    activity: &Activity<'_>,
    after: Option<&Activity<'_>>,
) -> Change {
    let span = |activity: &Activity<'_>| site.document.span(activity.node);
    let own = span(activity);
    let dropped = match (before, after) {
        (_, Some(after)) => Span::new(own.start, span(after).start),
        (Some(before), None) => Span::new(span(before).end, own.end),
        (None, None) => own,
    };
    let clause = format!("{} is dropped", activity.display_name());
    Change::new(Mutation::DropActivity, activity, activity.node, clause, vec![Edit::new(dropped, "")])
}

/// Two neighbors in the other order; `None` for events of an Approval, whose order does not matter.
fn swapped(site: &Site<'_>, first: &Activity<'_>, second: &Activity<'_>) -> Option<Change> {
    let is_event = |activity: &Activity<'_>| matches!(activity.kind, ActivityKind::Event { .. });
    let parent = first.parent.and_then(|parent| site.workflow.activity(parent));
    let is_in_approval = parent.is_some_and(|parent| parent.approval().is_some());
    if is_in_approval && is_event(first) && is_event(second) {
        return None;
    }
    let [one, two] = [first, second].map(|activity| site.document.span(activity.node));
    let clause = format!("{} and {} are swapped", first.display_name(), second.display_name());
    let edits = vec![Edit::copy(one, two), Edit::copy(two, one)];
    let change = Change::new(Mutation::SwapActivities, first, first.node, clause, edits);
    Some(Change { other: Some(second.id), ..change })
}
