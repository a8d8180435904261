//! The abstract domain of one variable: any value, one constant, or any value but a few constants.
//!
//! `Any` is the top of the lattice. Below it are `Unset` and the sets of exclusions, the larger ones lower, and below these the
//! constants that they do not exclude. It has no bottom: an unreachable point has no state at all.

use std::sync::Arc;

use super::constant::Constant;

/// Further exclusions of one variable are dropped. This bounds the height of the lattice.
pub const MAX_EXCLUSIONS: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AbstractValue {
    Any,
    /// Not written yet, by none of the writers that are known: any value, but empty for a loop that waits for its own
    /// body to write it.
    Unset,
    Is(Constant),
    /// Any value but these.
    Not(Arc<[Constant]>),
}

impl AbstractValue {
    /// Whether it equals a constant; `None` if that is undecided.
    pub fn equals(&self, constant: &Constant) -> Option<bool> {
        match self {
            Self::Any | Self::Unset => None,
            Self::Is(known) => Some(known.equals(constant)),
            Self::Not(others) => others.iter().any(|other| other == constant).then_some(false),
        }
    }

    /// The join of the lattice: what holds for both.
    pub fn join(&mut self, other: &Self) {
        if self == other {
            return;
        }
        *self = match (&*self, other) {
            (Self::Not(a), Self::Not(b)) => {
                Self::none_of(a.iter().filter(|known| b.contains(known)).cloned().collect())
            }
            // The constant is none of the exclusions that remain.
            (Self::Not(others), Self::Is(known)) | (Self::Is(known), Self::Not(others)) => {
                Self::none_of(others.iter().filter(|other| !other.equals(known)).cloned().collect())
            }
            // Two constants: a set of possible values would be more exact, but no rule needs it.
            _ => Self::Any,
        };
    }

    fn none_of(constants: Vec<Constant>) -> Self {
        if constants.is_empty() { Self::Any } else { Self::Not(constants.into()) }
    }

    /// Refines the value by the result of a comparison with a constant. Returns whether that changes it.
    pub fn refine(&mut self, constant: Constant, equal: bool) -> bool {
        *self = match (&*self, equal) {
            (Self::Is(_), _) => return false,
            (_, true) => Self::Is(constant),
            (Self::Any | Self::Unset, false) => Self::Not([constant].into()),
            (Self::Not(others), false) if others.contains(&constant) || others.len() >= MAX_EXCLUSIONS => return false,
            (Self::Not(others), false) => {
                let mut all: Vec<Constant> = others.iter().cloned().chain([constant]).collect();
                // Sorted, so that paths with the same comparisons in another order have equal states.
                all.sort_unstable();
                Self::Not(all.into())
            }
        };
        true
    }
}
