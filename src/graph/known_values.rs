//! The values that the states of one exploration know, each kept once: a state has a number for each variable, so that
//! states are copied, compared and hashed quickly.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::constant::Constant;
use super::value::AbstractValue;
use crate::collections::{HashMap, IndexSet};

/// The number of a value. Equal values of one exploration have equal numbers. They are even for values that have a union
/// with any that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ValueId(u32);

impl ValueId {
    pub const ANY: Self = Self(0);
    pub const UNSET: Self = Self(1);
    const FIRST_KNOWN: u32 = 2;

    /// Whether some constants are excluded.
    pub const fn is_known(self) -> bool {
        self.0 >= Self::FIRST_KNOWN
    }

    /// Whether it is any value, or any but some constants: it has an exact union with any that is known.
    pub const fn is_open(self) -> bool {
        self.0.is_multiple_of(2)
    }

    fn of(index: usize, is_open: bool) -> Self {
        let number = u32::try_from(index).ok().and_then(|index| index.checked_mul(2));
        let number = number.and_then(|number| number.checked_add(Self::FIRST_KNOWN + u32::from(!is_open)));
        number.map_or(Self::ANY, Self)
    }

    /// Its index among those that are known.
    fn index(self) -> Option<usize> {
        Some((self.0.checked_sub(Self::FIRST_KNOWN)? / 2) as usize)
    }

    pub const fn number(self) -> u32 {
        self.0
    }
}

#[derive(Debug, Default)]
pub struct KnownValues {
    values: Mutex<Values>,
    size: AtomicUsize,
}

#[derive(Debug, Default)]
struct Values {
    /// Those that exclude some constants, by number.
    all: IndexSet<AbstractValue>,
    joins: HashMap<(ValueId, ValueId), ValueId>,
}

impl KnownValues {
    /// The memory of the values, in entries of states.
    pub fn size(&self) -> usize {
        self.size.load(Ordering::Relaxed)
    }

    pub fn id(&self, value: AbstractValue) -> ValueId {
        self.lock().add(value, &self.size)
    }

    pub fn get(&self, id: ValueId) -> AbstractValue {
        self.lock().get(id)
    }

    /// Whether a value equals a constant; `None` if that is undecided.
    pub fn equals(&self, id: ValueId, constant: &Constant) -> Option<bool> {
        self.lock().known(id)?.equals(constant)
    }

    /// The join of the lattice: what holds for both.
    pub fn join(&self, a: ValueId, b: ValueId) -> ValueId {
        if a == b {
            return a;
        }
        if !(a.is_known() && b.is_known()) {
            return ValueId::ANY;
        }
        let mut values = self.lock();
        if let Some(&joined) = values.joins.get(&(a, b)) {
            return joined;
        }
        let mut joined = values.get(a);
        joined.join(&values.get(b));
        let joined = values.add(joined, &self.size);
        values.joins.insert((a, b), joined);
        self.size.fetch_add(1, Ordering::Relaxed);
        joined
    }

    /// The value that stands for all that either of two stands for, and for nothing else; `None` if there is none.
    pub fn union(&self, a: ValueId, b: ValueId) -> Option<ValueId> {
        let is_possible = a == b || (a.is_open() || b.is_open()) && a != ValueId::UNSET && b != ValueId::UNSET;
        is_possible.then(|| self.join(a, b))
    }

    /// A value refined by the result of a comparison with a constant.
    pub fn refine(&self, id: ValueId, constant: Constant, equal: bool) -> ValueId {
        let mut values = self.lock();
        // Sets of exclusions share it.
        let shared = values.add(AbstractValue::Is(constant.clone()), &self.size);
        let constant = match values.known(shared) {
            Some(AbstractValue::Is(known)) => known.clone(),
            _ => constant,
        };
        let mut value = values.get(id);
        if value.refine(constant, equal) { values.add(value, &self.size) } else { id }
    }

    fn lock(&self) -> MutexGuard<'_, Values> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Values {
    fn known(&self, id: ValueId) -> Option<&AbstractValue> {
        self.all.get_index(id.index()?)
    }

    fn get(&self, id: ValueId) -> AbstractValue {
        match id {
            ValueId::UNSET => AbstractValue::Unset,
            id => self.known(id).cloned().unwrap_or(AbstractValue::Any),
        }
    }

    fn add(&mut self, value: AbstractValue, size: &AtomicUsize) -> ValueId {
        let memory = match &value {
            AbstractValue::Any => return ValueId::ANY,
            AbstractValue::Unset => return ValueId::UNSET,
            AbstractValue::Not(constants) => 1 + constants.len(),
            AbstractValue::Is(_) => 1,
        };
        let is_open = !matches!(value, AbstractValue::Is(_));
        let (index, is_new) = self.all.insert_full(value);
        if is_new {
            size.fetch_add(memory, Ordering::Relaxed);
        }
        ValueId::of(index, is_open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_for_values() {
        let known = KnownValues::default();
        let id = |text| known.id(AbstractValue::Is(Constant::text(text)));
        assert_eq!((known.get(ValueId::ANY), known.get(ValueId::UNSET)), (AbstractValue::Any, AbstractValue::Unset));
        assert_eq!((id("a"), known.get(id("a"))), (id("a"), AbstractValue::Is(Constant::text("a"))));
        assert_ne!(id("a"), id("b"));
        assert_eq!(known.join(id("a"), id("b")), ValueId::ANY);
        let not = |id, text| known.refine(id, Constant::text(text), false);
        let (not_a, not_b) = (not(ValueId::ANY, "a"), not(ValueId::ANY, "b"));
        let neither = not(not_a, "b");
        assert_eq!(neither, not(not_b, "a"));
        for _ in 0..2 {
            assert_eq!((known.join(neither, not_b), known.join(not_a, not_b)), (not_b, ValueId::ANY));
        }
        assert_eq!(known.equals(neither, &Constant::text("a")), Some(false));
    }
}
