//! `WF5`: approvals.

pub mod invalid_duration;
pub mod no_assignees;
pub mod outcome_unused;
pub mod reminder_after_timeout;
pub mod result_unread;
pub mod undocumented_approval_value;
pub mod unknown_connected_form;

use crate::facts::Context;
use crate::graph::Analysis;
use crate::model::{Activity, Approval};

/// In the order of the text.
pub(super) fn approvals<'c, 'a>(
    cx: &'c Context<'a>,
) -> impl Iterator<Item = (&'c Analysis<'a>, &'c Activity<'a>, &'c Approval<'a>)> {
    cx.activities().filter_map(|(analysis, activity)| Some((analysis, activity, activity.approval()?)))
}
