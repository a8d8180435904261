//! What an exploration of all paths has seen.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::graph::NodeIndex;

use super::effects::VarId;
use super::state::AbstractState;
use crate::collections::HashSet;
use crate::model::ActivityId;

/// A decision on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    pub(super) previous: Option<u32>,
    /// The While, If, Approval or Provider.
    pub activity: ActivityId,
    /// Whether its condition was true, it was approved, or the call succeeded.
    pub outcome: bool,
}

/// How a condition came out on the paths to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// It was true on one.
    pub is_true: bool,
    /// It was false on one.
    pub is_false: bool,
    /// It could be either on one.
    pub open: bool,
}

/// A read before any write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unassigned {
    /// The reading activity.
    pub activity: ActivityId,
    /// Which of its reads.
    pub read: usize,
    /// The decisions that led there.
    pub trail: Option<u32>,
}

/// What was seen on all paths.
#[derive(Debug, Default)]
pub struct Paths {
    /// The budget ended before all paths were seen.
    pub is_incomplete: bool,
    pub(super) reached: HashSet<NodeIndex>,
    pub(super) merged: HashSet<NodeIndex>,
    pub(super) trail: Vec<Decision>,
    /// By activity: how its condition came out.
    pub outcomes: BTreeMap<ActivityId, Outcomes>,
    /// First reads before any write, each once.
    pub unassigned: BTreeMap<(ActivityId, usize), Unassigned>,
    /// By the later activity, its variable and the earlier activity: whether a path leads from
    /// one to the other without a read in between, and with one.
    pub overwrites: BTreeMap<(ActivityId, VarId, ActivityId), (bool, bool)>,
    /// Outputs, by provider activity and variable, that some path reads.
    pub read_outputs: BTreeSet<(ActivityId, VarId)>,
    /// By loop: what all paths that come to it from outside know.
    pub entries: BTreeMap<ActivityId, AbstractState>,
}

impl Paths {
    /// Whether any path leads to a point.
    pub fn reaches(&self, point: NodeIndex) -> bool {
        self.is_incomplete || self.reached.contains(&point)
    }

    /// Whether paths were merged at a point, so that what they do not know proves nothing.
    pub fn is_merged(&self, point: NodeIndex) -> bool {
        self.is_incomplete || self.merged.contains(&point)
    }

    /// The decisions of a trail, the last one first.
    pub fn decisions(&self, trail: Option<u32>) -> impl Iterator<Item = &Decision> {
        let mut next = trail;
        std::iter::from_fn(move || {
            let decision = self.trail.get(next? as usize)?;
            next = decision.previous;
            Some(decision)
        })
    }
}
