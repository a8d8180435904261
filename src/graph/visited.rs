//! The states of the interpreter that were at a point.

use smallvec::SmallVec;

use super::state::AbstractState;

/// States at a point. Most points have one at a time.
pub(super) type States<'p> = SmallVec<[AbstractState<'p>; 1]>;

/// The states that have reached a point; once there were too many, only the join of all.
#[derive(Default)]
pub(super) struct Visited<'p> {
    states: States<'p>,
    pub is_joined: bool,
}

impl<'p> Visited<'p> {
    /// In entries.
    pub fn size(&self) -> usize {
        self.states.iter().map(AbstractState::size).sum()
    }

    /// Adds states. Returns those to explore from: without those that add nothing, and with the last join of all.
    pub fn add(&mut self, states: States<'p>, max_states: usize) -> States<'p> {
        let (mut added, mut joined) = (States::new(), None);
        for state in states {
            match self.add_one(state, max_states) {
                Some(state) if self.is_joined => joined = Some(state),
                state => added.extend(state),
            }
        }
        added.extend(joined);
        added
    }

    /// Returns the state to explore from, or `None` if it adds nothing.
    fn add_one(&mut self, state: AbstractState<'p>, max_states: usize) -> Option<AbstractState<'p>> {
        if self.states.contains(&state) {
            return None;
        }
        if self.states.len() < max_states && !self.is_joined {
            self.states.push(state.clone());
            return Some(state);
        }
        let mut joined = state.clone();
        for known in &self.states {
            joined.join(known);
        }
        // The join can only lose facts, and it has finitely many: this fixpoint is reached.
        if self.is_joined && self.states.contains(&joined) {
            return None;
        }
        self.is_joined = true;
        self.states = States::from_iter([joined.clone()]);
        Some(joined)
    }
}
