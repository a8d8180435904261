//! A part of a run.

use crate::explore::laws::Fault;
use crate::model::ActivityId;
use crate::outcomes::{Decision, MailKind};
use crate::simulate::Branch;

/// What a walk did between two points.
pub struct Segment {
    /// Activities that were begun.
    pub begun: Vec<ActivityId>,
    /// Conditions that were evaluated, with `true` or `false`; and what coverage counts, if that is watched for.
    pub branches: Vec<(ActivityId, Branch)>,
    /// Approvals that were decided.
    pub decided: Vec<(ActivityId, Decision)>,
    pub mailed: Vec<MailKind>,
    pub faults: Vec<Fault>,
    /// Calls, and whether each succeeded.
    pub calls: Vec<(ActivityId, bool)>,
    /// Lookups that failed as no entry can be made that they find.
    pub only_failing: Vec<ActivityId>,
    /// Whether the first call failed.
    pub first_call_failed: bool,
}
