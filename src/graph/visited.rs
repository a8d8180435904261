//! The states of the interpreter that were at a point.

use std::collections::hash_map::Entry;

use smallvec::SmallVec;

use super::state::AbstractState;
use crate::collections::HashMap;

/// States at one point that are kept apart.
pub(super) const MAX_STATES: usize = 64;

/// So few states are compared faster than they are hashed.
pub(super) const FEW_STATES: usize = 4;

/// States at a point. Most points have one at a time.
pub(super) type States = SmallVec<[AbstractState; 1]>;

/// Drops states that are equal to an earlier one.
pub(super) fn drop_equal(states: &mut States) {
    let mut known: HashMap<u64, AbstractState> = HashMap::default();
    states.retain(|state| match known.entry(state.fingerprint()) {
        Entry::Occupied(known) => known.get() != state,
        Entry::Vacant(entry) => {
            entry.insert(state.clone());
            true
        }
    });
}

/// The states that have reached a point.
#[derive(Default)]
pub(super) struct Visited {
    /// The entries of all of them.
    pub size: usize,
    pub states: States,
    /// Those of the states; none while they are few, as at most points.
    fingerprints: Vec<u64>,
    /// The join of all states, once there were too many; it replaces `states`.
    pub join: Option<Box<AbstractState>>,
}

impl Visited {
    /// Adds states. Returns those to explore from: without those that add nothing, and with the last join of all.
    pub fn add(&mut self, states: States) -> States {
        let (mut added, mut joined) = (States::new(), None);
        for state in states {
            match self.add_one(state) {
                Some(state) if self.join.is_some() => joined = Some(state),
                state => added.extend(state),
            }
        }
        added.extend(joined);
        added
    }

    /// Returns the state to explore from, or `None` if it adds nothing.
    fn add_one(&mut self, mut state: AbstractState) -> Option<AbstractState> {
        if let Some(join) = &mut self.join {
            let mut joined = AbstractState::clone(join);
            joined.join(&state);
            // The join can only lose facts, and it has finitely many: this fixpoint is reached.
            if joined == **join {
                return None;
            }
            // One of the paths that it stands for.
            joined.trail = state.trail;
            AbstractState::clone_from(join, &joined);
            self.size = joined.size();
            return Some(joined);
        }
        if self.contains(&state) {
            return None;
        }
        self.size += state.size();
        self.states.push(state.clone());
        if self.states.len() > MAX_STATES {
            for known in std::mem::take(&mut self.states) {
                state.join(&known);
            }
            self.size = state.size();
            self.join = Some(Box::new(state.clone()));
        }
        Some(state)
    }

    fn contains(&mut self, state: &AbstractState) -> bool {
        if self.states.len() <= FEW_STATES {
            return self.states.contains(state);
        }
        let new = self.states.iter().skip(self.fingerprints.len()).map(AbstractState::fingerprint);
        self.fingerprints.extend(new);
        let fingerprint = state.fingerprint();
        // Most are new: so many numbers are compared at once.
        if !self.fingerprints.contains(&fingerprint) {
            return false;
        }
        let mut known = self.fingerprints.iter().zip(&self.states);
        known.any(|(known, other)| *known == fingerprint && other == state)
    }
}
