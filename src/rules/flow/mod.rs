//! `WF4`: control flow.

pub mod busy_loop;
pub mod constant_condition;
pub mod duplicate_event;
pub mod empty_container;
pub mod empty_status;
pub mod endless_loop;
pub mod expiry_not_handled;
pub mod incompatible_comparison;
pub mod misplaced_event;
pub mod silent_termination;
pub mod stale_poll;
pub mod too_complex;
pub mod unhandled_rejection;
pub mod unknown_event;
pub mod unknown_status;
pub mod unreachable_activity;
pub mod unread_lookup;

use crate::document::NodeId;
use crate::facts::{Loop, LoopRepair, Place, Unhandled, loop_repair};
use crate::graph::{Analysis, Decision};
use crate::model::{Activity, ActivityKind, Binding, Expression, Literal, Operand};
use crate::rules::{Cause, Draft, Reporter};
use crate::text::diagnostic::{Applicability, Severity};
use crate::text::quote;

/// A condition for a message: `` `ESignStatus` notEqual "Finished" ``.
fn describe_condition(expression: &Expression<'_>) -> String {
    let operand = |binding: Option<&Binding<'_>>| match binding.and_then(Binding::target) {
        Some((_, name)) => quote(name),
        None => match binding.and_then(Binding::literal) {
            Some((_, literal)) => literal.describe(),
            None if binding.is_some_and(|binding| binding.value.get() == Some(&Literal::Null)) => "null".to_owned(),
            None => "\"\"".to_owned(),
        },
    };
    let operator = match expression.operand.value() {
        Some(Operand::NotEqual) => "notEqual",
        _ => "equal",
    };
    format!("{} {operator} {}", operand(expression.left.get()), operand(expression.right.get()))
}

pub(super) fn contains_terminate(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    analysis.workflow.inside(activity).any(|inner| matches!(inner.kind, ActivityKind::Terminate))
}

/// As [`contains_terminate`], or a part of the activity cannot be read, which may be a Terminate.
fn may_contain_terminate(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    std::iter::once(activity).chain(analysis.workflow.inside(activity)).any(|inner| {
        inner.children.is_unknown() || matches!(inner.kind, ActivityKind::Terminate | ActivityKind::Unknown { .. })
    })
}

/// The condition of a loop, or the activity if there is none.
fn condition_node(activity: &Activity<'_>) -> NodeId {
    activity.expression().map_or(activity.node, |expression| expression.node)
}

/// Reports a loop with too many paths to see on which statuses it ends, unless WF416 reports that of the whole
/// workflow.
fn report_unchecked(while_loop: &Loop<'_, '_>, node: NodeId, out: &mut Reporter<'_>) {
    if while_loop.analysis.paths.is_incomplete {
        return;
    }
    let (name, file) = (while_loop.activity.display_name(), while_loop.analysis.file);
    let message = format!("unchecked loop {name}: too many paths to see on which statuses it ends");
    out.report(&Place::value(file, node), message)
        .severity(Severity::Info)
        .help("split the workflow, or compare fewer variables in the loop")
        .cause(Cause::Node(file, condition_node(while_loop.activity)));
}

/// An endless loop, step by step: its start, what an iteration does, and its condition again.
fn loop_steps(
    while_loop: &Loop<'_, '_>,
    iteration: impl IntoIterator<Item = (Place, String)>,
    end: String,
) -> Vec<(Place, String)> {
    let condition = Place::value(while_loop.analysis.file, condition_node(while_loop.activity));
    let name = while_loop.activity.display_name();
    let start = match while_loop.activity.expression() {
        Some(expression) => format!("loop {name} runs while {}", describe_condition(expression)),
        None => format!("loop {name} runs"),
    };
    let mut steps = vec![(condition.clone(), start)];
    steps.extend(iteration);
    steps.push((condition, end));
    steps
}

/// A decision on a path, as a step.
fn decision_step(analysis: &Analysis<'_>, decision: Decision) -> Option<(Place, String)> {
    let activity = analysis.workflow.activity(decision.activity)?;
    let name = activity.display_name();
    let text = match (&activity.kind, decision.outcome) {
        (ActivityKind::While { .. }, true) => format!("loop {name} runs"),
        (ActivityKind::While { .. }, false) => format!("loop {name} ends"),
        (ActivityKind::Provider(_), true) => format!("call {name} succeeds"),
        (ActivityKind::Provider(_), false) => format!("call {name} fails without stopping the workflow"),
        (ActivityKind::Approval(_), true) => format!("{name} is approved"),
        (ActivityKind::Approval(_), false) => format!("{name} is rejected"),
        (_, true) => format!("the condition of {name} is true"),
        (_, false) => format!("the condition of {name} is false"),
    };
    Some((Place::value(analysis.file, condition_node(activity)), text))
}

/// Offers the repair of a loop that never ends on some statuses; false if it has none, or only an alternative.
fn offer_repair(while_loop: &Loop<'_, '_>, unhandled: &[Unhandled<'_>], draft: &mut Draft<'_>) -> bool {
    match loop_repair(while_loop, unhandled) {
        Some(LoopRepair::Likeliest(title, edits)) => {
            draft.fix(Applicability::Unsafe, title, edits);
            true
        }
        Some(LoopRepair::Possible(title, edits)) => {
            draft.alternative(Applicability::Unsafe, title, edits);
            false
        }
        None => false,
    }
}
