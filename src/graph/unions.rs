//! Unions of states that lose nothing: two states that differ in one variable alone become one where that one stands for
//! the same paths.
//!
//! After an If, a variable is one constant on a path, and any but that on the other one. Unless the paths differ in
//! something besides, what follows is the same for both, and a later condition on the variable separates them again. So
//! many independent conditions do not multiply the states.

use fixedbitset::FixedBitSet;

use super::effects::{Effects, OperandValue, VarId, Written};
use super::slots::{Slot, Slots};
use super::state::{AbstractState, VariableState};
use super::visited::{FEW_STATES, States};
use crate::collections::HashSet;
use crate::model::Literal;

/// How often the variables are looked at, as a union in one may allow others. Two are nearly always enough.
const MAX_ROUNDS: usize = 16;

/// The variables whose values are united.
#[derive(Debug)]
pub struct Unions {
    slots: Vec<Slot>,
    /// Those that are only compared with texts: numbers equal several texts. None that is copied or compared with another
    /// variable: what is known of one then says something of the other, on each path for itself.
    of_values: FixedBitSet,
}

impl Unions {
    pub fn new(slots: &Slots, effects: &[Effects<'_>]) -> Self {
        let correlated = correlated(effects);
        let of_values = slots.all().zip(slots.variables()).filter(|(_, id)| !correlated.contains(id));
        let of_values = of_values.map(|(slot, _)| slot.index()).collect();
        Self { slots: slots.all().collect(), of_values }
    }

    /// Whether values of a variable are united.
    pub fn has(&self, slot: Slot) -> bool {
        self.of_values.contains(slot.index())
    }

    /// Unites states of one point. `is_only_read` says that nothing tests or copies a variable later.
    pub fn unite(&self, states: &mut States, is_only_read: impl Fn(Slot) -> bool) -> United {
        let mut fingerprints = Vec::new();
        let mut united = United::default();
        for _ in 0..MAX_ROUNDS {
            let count = states.len();
            for &slot in &self.slots {
                let may = May { unite_values: self.has(slot), weaken: is_only_read(slot) };
                if may.unite(states, slot) {
                    if states.len() > FEW_STATES && fingerprints.is_empty() {
                        fingerprints.extend(states.iter().map(AbstractState::fingerprint));
                    }
                    united.values |= unite_at(slot, may, states, &mut fingerprints);
                }
            }
            if states.len() == count {
                break;
            }
            united.cost += states.iter().map(AbstractState::size).sum::<usize>();
        }
        united
    }
}

/// What was done to unite states.
#[derive(Debug, Clone, Copy, Default)]
pub struct United {
    /// Whether values were united.
    pub values: bool,
    /// In entries.
    pub cost: usize,
}

/// What may be done with a variable in which two states differ.
#[derive(Debug, Clone, Copy)]
struct May {
    unite_values: bool,
    /// A variable that is assigned on one path alone counts as not assigned.
    weaken: bool,
}

impl May {
    /// Whether some states may be united that differ in a variable.
    fn unite(self, states: &States, slot: Slot) -> bool {
        let mut known = states.iter().filter_map(|state| state.at(slot));
        let Some(first) = known.next() else { return false };
        let (mut differ, mut is_open) = ((false, false), first.value.is_open());
        for other in known {
            differ.0 |= other.value != first.value;
            differ.1 |= other.assigned != first.assigned;
            is_open |= other.value.is_open();
        }
        differ.0 && is_open && self.unite_values || differ.1 && self.weaken
    }
}

/// Unites the states that differ in one variable alone. Returns whether some had different values.
fn unite_at(slot: Slot, may: May, states: &mut States, fingerprints: &mut Vec<u64>) -> bool {
    let mut united = FixedBitSet::with_capacity(states.len());
    let mut had_values = false;
    for (first, other) in candidates(slot, may, states, fingerprints) {
        if united.contains(first) || united.contains(other) {
            continue;
        }
        let pair = states.get(first).zip(states.get(other));
        let Some(known) = pair.and_then(|(a, b)| union(slot, may, a, b)) else { continue };
        united.insert(other);
        let value = |index: usize| Some(states.get(index)?.at(slot)?.value);
        had_values |= value(first) != value(other);
        let Some(state) = states.get_mut(first) else { continue };
        let before = state.fingerprint_of(slot);
        state.set(slot, known);
        if let Some(fingerprint) = fingerprints.get_mut(first) {
            *fingerprint ^= before ^ state.fingerprint_of(slot);
        }
    }
    let mut index = 0..;
    states.retain(|_| index.next().is_some_and(|index| !united.contains(index)));
    let mut index = 0..;
    fingerprints.retain(|_| index.next().is_some_and(|index| !united.contains(index)));
    had_values
}

/// The pairs of states that may differ in one variable alone, and of which the first may take in the other.
fn candidates(slot: Slot, may: May, states: &States, fingerprints: &[u64]) -> Vec<(usize, usize)> {
    // By their fingerprints without the variable, if there are any. Those with an open value come first: the first one of
    // a group can take in all others. Without fingerprints, any two of the few states may be such a pair.
    let mut all: Vec<(u64, bool, usize)> = Vec::with_capacity(states.len());
    for (index, state) in states.iter().enumerate() {
        let others = fingerprints.get(index).map_or(0, |fingerprint| fingerprint ^ state.fingerprint_of(slot));
        all.push((others, !state.at(slot).is_some_and(|known| known.value.is_open()), index));
    }
    all.sort_unstable();
    let mut pairs = Vec::new();
    for group in all.chunk_by(|a, b| a.0 == b.0) {
        let firsts = if fingerprints.is_empty() { group.len() } else { 1 };
        let first = group.iter().enumerate().take(firsts).filter(|(_, (_, is_closed, _))| !is_closed || may.weaken);
        for (number, (_, _, first)) in first {
            pairs.extend(group.iter().skip(number + 1).map(|(_, _, other)| (*first, *other)));
        }
    }
    pairs
}

/// What is known of a variable in the union of two states that differ in it alone; `None` if they have none.
fn union(slot: Slot, may: May, a: &AbstractState, b: &AbstractState) -> Option<VariableState> {
    let (known, other) = (*a.at(slot)?, *b.at(slot)?);
    if known.output != other.output || known.assigned != other.assigned && !may.weaken {
        return None;
    }
    let value =
        a.values().union(known.value, other.value).filter(|_| known.value == other.value || may.unite_values)?;
    a.equals_but_for(b, slot).then_some(VariableState { assigned: known.assigned && other.assigned, value, ..known })
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

#[cfg(test)]
mod tests;
