//! What the abstract interpreter recorded on all paths.

use std::collections::{BTreeMap, BTreeSet};

use fixedbitset::FixedBitSet;
use petgraph::graph::NodeIndex;

use super::effects::VarId;
use super::state::{AbstractState, Decision, DecisionTrail};
use crate::model::ActivityId;

/// Why the outcome of a condition is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The value of a variable when the workflow starts.
    Start(VarId),
    /// What an activity writes to a variable.
    Write(VarId, ActivityId),
    /// The outcome of another condition.
    Test(ActivityId, bool),
}

/// The results of a condition over all paths that reach it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Certainly true on some path.
    pub is_true: bool,
    /// Certainly false on some path.
    pub is_false: bool,
    /// Undecided on some path.
    pub undecided: bool,
}

impl Outcomes {
    /// Whether the condition has the same result on all paths.
    pub const fn is_constant(self) -> bool {
        !self.undecided && self.is_true != self.is_false
    }
}

/// A read that no write precedes on some path.
#[derive(Debug, Clone)]
pub struct Unassigned {
    /// The reading activity.
    pub activity: ActivityId,
    /// Index into `Effects::reads`.
    pub read: usize,
    /// The decisions of such a path; `None` if none is known.
    pub trail: Option<DecisionTrail>,
}

/// An output of one provider activity that replaces an output of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overwrite {
    pub later: ActivityId,
    pub variable: VarId,
    pub earlier: ActivityId,
}

/// The paths from the earlier to the later activity of an [`Overwrite`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OverwritePaths {
    /// Some path reads the earlier output in between.
    pub some_read: bool,
    /// Some path does not.
    pub some_unread: bool,
}

/// What a loop does while every lookup returns one status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoopOutcome {
    /// It repeats, and no path leaves it or reaches a Terminate inside it. With the decisions of one iteration, in the
    /// order of the run; of a very long one the last.
    NeverEnds(Vec<Decision>),
    /// Some path leaves it, or it does not repeat.
    Ends,
    /// There are too many paths to follow.
    Unknown,
}

#[derive(Debug, Default)]
pub struct Paths<'p> {
    /// The budget ended before all paths were explored.
    pub is_incomplete: bool,
    /// Whether states were united that differ in a value which conditions use later.
    pub(super) has_unions: bool,
    /// Points.
    pub(super) reached: FixedBitSet,
    pub(super) merged: FixedBitSet,
    /// By While or If.
    pub outcomes: BTreeMap<ActivityId, Outcomes>,
    /// By While or If that some state decides.
    pub reasons: BTreeMap<ActivityId, BTreeSet<Reason>>,
    /// By activity and index into its reads.
    pub unassigned: BTreeMap<(ActivityId, usize), Unassigned>,
    pub overwrites: BTreeMap<Overwrite, OverwritePaths>,
    /// Outputs, by provider activity and variable, that some path reads.
    pub read_outputs: BTreeSet<(ActivityId, VarId)>,
    /// By While: the join of the states in which it is reached from outside, and its condition may be true.
    pub entries: BTreeMap<ActivityId, AbstractState<'p>>,
    /// When one loop is explored: the decisions of the first path that repeats it.
    pub(super) repetition: Option<DecisionTrail>,
}

impl Paths<'_> {
    /// Whether some path leads to a point; true for every point when the exploration is incomplete.
    pub fn reaches(&self, point: NodeIndex) -> bool {
        self.is_incomplete || self.reached.contains(point.index())
    }

    /// Whether states were merged at a point, so that an unknown fact there proves nothing.
    pub fn is_merged(&self, point: NodeIndex) -> bool {
        self.is_incomplete || self.merged.contains(point.index())
    }

    /// Whether something was found that the decisions of paths explain.
    pub(super) fn has_to_be_explained(&self) -> bool {
        let has_constant = || self.outcomes.values().any(|outcomes| outcomes.is_constant());
        !self.is_incomplete && (!self.unassigned.is_empty() || has_constant())
    }

    /// Takes the explanations from an exploration that has kept paths apart. Outcomes that it does not know count as
    /// undecided: rules yield to others by what explains them.
    pub(super) fn explain(&mut self, explained: Self) {
        for (read, unassigned) in &mut self.unassigned {
            if let Some(explained) = explained.unassigned.get(read) {
                unassigned.clone_from(explained);
            }
        }
        for (id, outcomes) in &mut self.outcomes {
            let is_explained = explained.outcomes.get(id).is_some_and(|explained| explained.is_constant());
            outcomes.undecided |= outcomes.is_constant() && !is_explained;
        }
        self.reasons = explained.reasons;
    }

    /// The overwrites by an activity.
    pub fn overwrites_by(&self, later: ActivityId) -> impl Iterator<Item = (&Overwrite, &OverwritePaths)> {
        let first = Overwrite { later, variable: VarId(0), earlier: ActivityId(0) };
        self.overwrites.range(first..).take_while(move |(overwrite, _)| overwrite.later == later)
    }
}
