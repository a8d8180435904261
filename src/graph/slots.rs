//! Which variables the interpreter keeps a state of.

use super::effects::VarId;

/// Index of a variable among those whose state is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u32);

/// The variables whose state is kept: those that something tests, that may be read before they are
/// written, or that two providers write. The others would only make every state larger.
#[derive(Debug, Default)]
pub struct Slots {
    by_variable: Vec<Option<Slot>>,
    variables: Vec<VarId>,
}

impl Slots {
    /// Slots for those of `count` variables whose state is kept.
    pub fn new(count: usize, is_kept: impl Fn(VarId) -> bool) -> Self {
        let mut slots = Self { by_variable: vec![None; count], variables: Vec::new() };
        for (id, slot) in (0..).map(VarId).zip(&mut slots.by_variable) {
            if is_kept(id) {
                *slot = u32::try_from(slots.variables.len()).ok().map(Slot);
                slots.variables.push(id);
            }
        }
        slots
    }

    /// All slots, in order.
    pub fn all(&self) -> impl Iterator<Item = Slot> + use<> {
        (0..u32::try_from(self.variables.len()).unwrap_or(u32::MAX)).map(Slot)
    }

    /// The slot of a variable.
    pub fn get(&self, id: VarId) -> Option<Slot> {
        self.by_variable.get(id.0 as usize).copied().flatten()
    }

    /// The variables that have slots, in the order of the slots.
    pub fn variables(&self) -> &[VarId] {
        &self.variables
    }
}

impl Slot {
    /// Its number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
