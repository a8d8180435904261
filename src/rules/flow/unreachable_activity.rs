use std::collections::BTreeSet;

use crate::document::{Editor, NodeId};
use crate::facts::{Context, Place, removals_after_clearing};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityId, ActivityKind};
use crate::rules::flow::contains_terminate;
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit};

pub const RULE: Rule =
    rule!("WF401-unreachable-activity", Warning, check, marks_unnecessary: true, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        let mut reported: Vec<&Activity<'_>> = Vec::new();
        // From the inside outwards: an unreachable activity whose reason is an inner one is not reported again.
        for activity in analysis.workflow.activities.iter().rev() {
            if analysis.reaches(activity.id) && runs_children_in_order(activity) {
                check_siblings(cx, analysis, activity.children(), &mut reported, out);
            }
        }
        if let Some(roots) = analysis.workflow.roots.get() {
            check_siblings(cx, analysis, roots, &mut reported, out);
        }
    }
}

/// Children of other types are misplaced (WF010), or events.
const fn runs_children_in_order(activity: &Activity<'_>) -> bool {
    matches!(
        activity.kind,
        ActivityKind::Sequence | ActivityKind::While { .. } | ActivityKind::If { .. } | ActivityKind::Event { .. }
    )
}

/// Reports the first sibling that no path reaches, if one reaches the sibling before it. If even the first sibling is
/// not reached, the reason is the condition of their parent, which WF402 reports.
fn check_siblings<'a>(
    cx: &Context<'_>,
    analysis: &'a Analysis<'_>,
    siblings: &[ActivityId],
    reported: &mut Vec<&'a Activity<'a>>,
    out: &mut Reporter<'_>,
) {
    let first = siblings.windows(2).find_map(|pair| match pair {
        &[before, after] if analysis.reaches(before) && !analysis.reaches(after) => Some((before, after)),
        _ => None,
    });
    let Some((before, after)) = first else { return };
    let (Some(before), Some(after)) = (analysis.workflow.activity(before), analysis.workflow.activity(after)) else {
        return;
    };
    let is_reported =
        reported.iter().any(|inner| analysis.workflow.ancestors(inner).any(|ancestor| ancestor.id == before.id));
    if is_reported {
        return;
    }
    reported.push(after);
    let rest = siblings.iter().skip_while(|&&id| id != after.id).count().saturating_sub(1);
    let others = if rest == 0 { String::new() } else { format!(" and {rest} more after it") };
    let name = after.display_name();
    let activity = if has_name(after) { format!("activity {name}") } else { name };
    let message = format!("unreachable {activity}{others}: {}", reason(analysis, before));
    let mut draft = out.report(&Place::value(analysis.file, after.node), message);
    draft.related(&Place::value(analysis.file, before.node), "no path leads past this activity");
    let unreachable: Vec<ActivityId> = siblings.iter().copied().skip_while(|&id| id != after.id).collect();
    // A loop that never ends is the fault itself.
    let is_ended = matches!(before.kind, ActivityKind::Terminate) || contains_terminate(analysis, before);
    match is_ended.then(|| removal(cx, analysis, &unreachable)).flatten() {
        Some(edits) => draft.fix(Applicability::Unsafe, format!("remove {}{others}", after.display_name()), edits),
        None => draft.help("remove what never runs, or move it to a reachable place"),
    };
    // A loop before it never ends, or ends on one status alone, on which a later If ends the order.
    if !matches!(before.kind, ActivityKind::Terminate) {
        let earlier =
            siblings.iter().take_while(|&&id| id != after.id).filter_map(|&id| analysis.workflow.activity(id));
        let inside = earlier.flat_map(|sibling| std::iter::once(sibling).chain(analysis.workflow.inside(sibling)));
        for looping in inside.filter(|inner| matches!(inner.kind, ActivityKind::While { .. })) {
            draft.cause(Cause::Node(analysis.file, looping.node));
        }
    }
}

/// The edits that remove unreachable siblings, if none of them asks or changes something: then they were more likely meant
/// to be reached, and so is what is most of the workflow.
fn removal(cx: &Context<'_>, analysis: &Analysis<'_>, unreachable: &[ActivityId]) -> Option<Vec<Edit>> {
    let activities = unreachable.iter().filter_map(|&id| analysis.workflow.activity(id));
    let activities: Vec<&Activity<'_>> = activities.collect();
    let is_removable = |activity: &&Activity<'_>| {
        matches!(activity.kind, ActivityKind::Status { .. } | ActivityKind::Assign(_) | ActivityKind::Terminate)
            && activity.children().is_empty()
    };
    if activities.len() * 2 > analysis.workflow.activities.len() || !activities.iter().all(is_removable) {
        return None;
    }
    let mut editor = Editor::new(analysis.document, analysis.file);
    for activity in &activities {
        editor.remove(activity.node);
    }
    let mut edits = editor.finish();
    let parent = activities.first().and_then(|activity| analysis.workflow.ancestors(activity).next());
    if let Some(parent) = parent {
        let effects = activities.iter().filter_map(|activity| analysis.effects(activity.id));
        let used = effects.flat_map(|effects| {
            let read = effects.reads.iter().map(|read| read.variable);
            read.chain(effects.writes.own().iter().map(|write| write.variable))
        });
        let used: BTreeSet<&str> = used.map(|variable| analysis.names.name(variable)).collect();
        let cleared: Vec<NodeId> = activities.iter().map(|activity| activity.node).collect();
        let used: Vec<&str> = used.into_iter().collect();
        edits.extend(removals_after_clearing(cx, analysis, parent, &cleared, &used));
    }
    Some(edits)
}

/// Whether the display name is a name, not `unnamed Terminate`.
fn has_name(activity: &Activity<'_>) -> bool {
    activity.name.value().is_some_and(|name| !name.trim().is_empty())
}

fn reason(analysis: &Analysis<'_>, before: &Activity<'_>) -> String {
    let name = before.display_name();
    match before.kind {
        ActivityKind::Terminate => format!("{name} ends the order before it"),
        _ if contains_terminate(analysis, before) => format!("every path through {name} ends the order"),
        _ => format!("{name} never ends"),
    }
}
