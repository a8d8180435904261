//! The variables that the abstract interpreter tracks.

use super::effects::VarId;

/// Index among the tracked variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u32);

/// The tracked variables: those that a condition tests, that may be read before they are written, or that different
/// provider calls write. No rule needs the state of the others, which would only enlarge every state.
#[derive(Debug, Default, Hash)]
pub struct Slots {
    by_variable: Vec<Option<Slot>>,
    variables: Vec<VarId>,
}

impl Slots {
    /// `count` is the number of variables.
    pub fn new(count: usize, is_tracked: impl Fn(VarId) -> bool) -> Self {
        let mut slots = Self { by_variable: vec![None; count], variables: Vec::new() };
        for (id, slot) in (0..).map(VarId).zip(&mut slots.by_variable) {
            if is_tracked(id) {
                *slot = u32::try_from(slots.variables.len()).ok().map(Slot);
                slots.variables.push(id);
            }
        }
        slots
    }

    pub fn all(&self) -> impl Iterator<Item = Slot> + use<> {
        (0..u32::try_from(self.variables.len()).unwrap_or(u32::MAX)).map(Slot)
    }

    pub fn get(&self, id: VarId) -> Option<Slot> {
        self.by_variable.get(id.0 as usize).copied().flatten()
    }

    /// By slot.
    pub fn variables(&self) -> &[VarId] {
        &self.variables
    }
}

impl Slot {
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
