//! Globals whose values become a part of a string.

use std::ops::Range;

/// Of one expression; more are dropped.
const MAX_NAMES: usize = 16;

/// A global, and where it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterpolatedName {
    pub name: String,
    pub range: Range<usize>,
    /// Whether the script takes the value apart into characters, or at quotation marks: probably it escapes each.
    pub is_taken_apart: bool,
}

/// The globals whose values are in a string without being escaped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Interpolation {
    /// Each once, at its first use, if possible at one that is not taken apart.
    pub names: Vec<InterpolatedName>,
    /// Whether they are concatenated with other text, rather than being the whole string.
    pub is_concatenated: bool,
}

impl Interpolation {
    /// What is interpolated in either of two parts.
    pub fn union(mut self, other: Self) -> Self {
        self.is_concatenated |= other.is_concatenated;
        for found in other.names {
            match self.names.iter().position(|known| known.name == found.name) {
                Some(at) => {
                    let raw = self.names.get_mut(at).filter(|known| known.is_taken_apart && !found.is_taken_apart);
                    if let Some(known) = raw {
                        *known = found;
                    }
                }
                None if self.names.len() < MAX_NAMES => self.names.push(found),
                None => {}
            }
        }
        self
    }

    pub fn taken_apart(mut self) -> Self {
        self.names.iter_mut().for_each(|found| found.is_taken_apart = true);
        self
    }

    pub fn concatenated(mut self) -> Self {
        self.is_concatenated = !self.names.is_empty();
        self
    }
}
