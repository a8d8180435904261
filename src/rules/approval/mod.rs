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

/// An Approval in a workflow.
pub(super) struct ApprovalSite<'c, 'a> {
    pub analysis: &'c Analysis<'a>,
    pub activity: &'c Activity<'a>,
    pub approval: &'c Approval<'a>,
}

/// Every Approval, in document order.
pub(super) fn approvals<'a>(cx: &Context<'a>) -> impl Iterator<Item = ApprovalSite<'a, 'a>> {
    cx.activities()
        .filter_map(|(analysis, activity)| Some(ApprovalSite { analysis, activity, approval: activity.approval()? }))
}
