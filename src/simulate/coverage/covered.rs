//! The units of coverage: activities and branches.

use super::branch::Branch;
use crate::model::ActivityId;

/// Something of a workflow that a run can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Covered {
    /// The activity begins.
    Activity(ActivityId),
    Branch(ActivityId, Branch),
}

impl Covered {
    /// Whether exploring counts it: activities, and the outcomes of conditions.
    pub const fn is_explored(self) -> bool {
        matches!(self, Self::Activity(_) | Self::Branch(_, Branch::True | Branch::False))
    }

    pub const fn activity(self) -> ActivityId {
        match self {
            Self::Activity(id) | Self::Branch(id, _) => id,
        }
    }
}
