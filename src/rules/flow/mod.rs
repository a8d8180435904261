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
use crate::facts::Loop;
use crate::model::{Activity, Binding, Expression, Operand};
use crate::rules::{Cause, Draft};
use crate::text::quote;

/// A condition as an author reads it: `` `ESignStatus` notEqual "Finished" ``.
fn describe_condition(expression: &Expression<'_>) -> String {
    let operand = |binding: Option<&Binding<'_>>| match binding.and_then(Binding::target) {
        Some((_, name)) => quote(name),
        None => binding.and_then(Binding::literal).map_or("\"\"".to_owned(), |(_, literal)| literal.describe()),
    };
    let operator = match expression.operand.value() {
        Some(Operand::NotEqual) => "notEqual",
        _ => "equal",
    };
    format!("{} {operator} {}", operand(expression.left.get()), operand(expression.right.get()))
}

/// The node of a loop's condition, else the activity.
fn condition_node(activity: &Activity<'_>) -> NodeId {
    activity.expression().map_or(activity.node, |expression| expression.node)
}

/// Says that a finding explains why a loop never ends, and that it is about the loops inside: where one of these never
/// ends, the outer one does not for the same reason.
fn explain_loop(found: &Loop<'_, '_>, draft: &mut Draft<'_>) {
    let file = found.analysis.file;
    draft.explains(Cause::Loop(file, found.activity.node));
    for inner in found.inner_loops() {
        draft.about(Cause::Loop(file, inner.node));
    }
}
