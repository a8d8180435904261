//! A part of a run.

use crate::explore::laws::Fault;
use crate::model::ActivityId;

/// What a walk did between two points.
pub struct Segment {
    /// Activities that were begun.
    pub begun: Vec<ActivityId>,
    /// Conditions that were evaluated, and whether they held.
    pub branches: Vec<(ActivityId, bool)>,
    pub faults: Vec<Fault>,
    /// Whether the first call failed.
    pub first_call_failed: bool,
}
