//! Globals whose values become a part of a string.

use std::ops::Range;

/// Of one expression; more are dropped.
const MAX_NAMES: usize = 16;

/// A global, and where it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterpolatedName {
    pub name: String,
    pub range: Range<usize>,
}

/// The globals whose values are in a string without being escaped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Interpolation {
    /// Each once, at its first use.
    pub names: Vec<InterpolatedName>,
    /// Whether they are concatenated with other text, rather than being the whole string.
    pub is_concatenated: bool,
}

impl Interpolation {
    /// What is interpolated in either of two parts.
    pub fn union(mut self, other: Self) -> Self {
        self.is_concatenated |= other.is_concatenated;
        for found in other.names {
            if self.names.len() < MAX_NAMES && !self.names.iter().any(|known| known.name == found.name) {
                self.names.push(found);
            }
        }
        self
    }

    pub fn concatenated(mut self) -> Self {
        self.is_concatenated = !self.names.is_empty();
        self
    }
}
