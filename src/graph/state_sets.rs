//! The states at one point: which have been explored there, and which are united.
//!
//! Two states that differ in one variable alone become one where that one stands for the same paths. After an If, a variable
//! is one constant on a path, and any but that on the other one. Unless the paths differ in something besides, what follows
//! is the same for both, and a later condition on the variable separates them again. So many independent conditions do not
//! multiply the states.

use fixedbitset::FixedBitSet;
use smallvec::SmallVec;

use super::effects::{Effects, OperandValue, VarId, Written};
use super::state::{AbstractState, Slot, Slots, VariableState};
use crate::common::collections::HashSet;
use crate::model::Literal;

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

/// The variables whose values are united, by slot: those that are only compared with texts, as numbers equal several
/// texts. None that is copied or compared with another variable: what is known of one then says something of the other, on
/// each path for itself.
#[derive(Debug)]
pub struct Unions(FixedBitSet);

impl Unions {
    pub fn new(slots: &Slots, effects: &[Effects<'_>]) -> Self {
        let correlated = correlated(effects);
        let of_values = slots.all().zip(slots.variables()).filter(|(_, id)| !correlated.contains(id));
        Self(of_values.map(|(slot, _)| slot.index()).collect())
    }

    /// Whether values of a variable are united.
    pub fn has(&self, slot: Slot) -> bool {
        self.0.contains(slot.index())
    }

    /// Unites states of one point. `is_only_read` says that nothing tests or copies a variable later.
    pub fn unite(&self, states: &mut States, is_only_read: impl Fn(Slot) -> bool) -> United {
        let mut united = United::default();
        // A union may allow others.
        loop {
            let count = states.len();
            let mut index = 0;
            while let Some(state) = states.get(index) {
                let mut others = states.iter().enumerate().skip(index + 1);
                let found = others.find_map(|(other, with)| Some((other, self.union(state, with, &is_only_read)?)));
                united.cost += states.len() - index - 1;
                let Some((other, (slot, known, has_other_value))) = found else {
                    index += 1;
                    continue;
                };
                united.values |= has_other_value;
                states.remove(other);
                if let Some(state) = states.get_mut(index) {
                    state.set(slot, known);
                }
            }
            if states.len() == count {
                return united;
            }
        }
    }

    /// The variable in which two states differ, what is known of it in their union, and whether their values differ; `None`
    /// if they have no union.
    fn union<'p>(
        &self,
        a: &AbstractState<'p>,
        b: &AbstractState<'p>,
        is_only_read: impl Fn(Slot) -> bool,
    ) -> Option<(Slot, VariableState<'p>, bool)> {
        let slot = a.only_difference(b)?;
        let (known, other) = (a.at(slot)?, b.at(slot)?);
        let has_other_value = known.value != other.value;
        // A variable that is assigned on one path alone counts as not assigned, if nothing but a read asks for it.
        let is_possible = known.output == other.output
            && (known.assigned == other.assigned || is_only_read(slot))
            && (!has_other_value || self.has(slot));
        let value = known.value.union(&other.value).filter(|_| is_possible)?;
        let assigned = known.assigned && other.assigned;
        Some((slot, VariableState { assigned, value, ..known.clone() }, has_other_value))
    }
}

/// What was done to unite states.
#[derive(Debug, Clone, Copy, Default)]
pub struct United {
    /// Whether values were united.
    pub values: bool,
    /// Pairs of states that were compared.
    pub cost: usize,
}

/// The variables of which a path knows more than one value says.
fn correlated(effects: &[Effects<'_>]) -> HashSet<VarId> {
    let mut correlated = HashSet::default();
    for effects in effects {
        if let Some(condition) = effects.condition.as_deref() {
            let is_text =
                |operand| matches!(operand, OperandValue::Literal(literal) if !matches!(literal, Literal::Number(_)));
            let others = condition.variables().filter(|id| !condition.operand_beside(*id).is_some_and(is_text));
            correlated.extend(others);
        }
        for write in effects.writes.own() {
            if let Written::Copy(from) = write.value {
                correlated.extend([from, write.variable]);
            }
        }
    }
    correlated
}
