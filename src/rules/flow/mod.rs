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

use crate::facts::Context;
use crate::graph::{Analysis, LoopFault};
use crate::model::Activity;

/// Every loop with a fault, in the order of the text.
pub(super) fn faulty_loops<'c, 'a>(
    cx: &'c Context<'a>,
) -> impl Iterator<Item = (&'c Analysis<'a>, &'c Activity<'a>, &'c LoopFault<'a>)> {
    cx.workflows.iter().flat_map(|analysis| {
        let faults = analysis.loop_faults.iter();
        faults.filter_map(move |(&id, fault)| Some((analysis, analysis.workflow.activity(id)?, fault)))
    })
}

/// The node of a loop's condition, else the activity.
pub(super) fn condition_node(activity: &Activity<'_>) -> crate::document::NodeId {
    activity.expression().map_or(activity.node, |expression| expression.node)
}
