//! The abstract domain of one variable: unknown, one constant, or none of a few constants.

use std::rc::Rc;

use super::constant::Constant;

/// More exclusions than this are not kept of one variable: the lattice stays of bounded height.
const MAX_EXCLUSIONS: usize = 16;

/// What is known of a variable's value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AbstractValue {
    Any,
    Is(Constant),
    /// None of these.
    Not(Rc<[Constant]>),
}

impl AbstractValue {
    /// Whether it equals a constant; `None` when it may or may not.
    pub fn equals(&self, constant: &Constant) -> Option<bool> {
        match self {
            Self::Any => None,
            Self::Is(known) => Some(known.equals(constant)),
            Self::Not(others) => others.iter().any(|other| other == constant).then_some(false),
        }
    }

    /// The join of the lattice: what holds whichever of the two it is.
    pub fn join(&mut self, other: &Self) {
        if self == other {
            return;
        }
        *self = match (&*self, other) {
            (Self::Not(a), Self::Not(b)) => {
                Self::none_of(a.iter().filter(|known| b.contains(known)).cloned().collect())
            }
            (Self::Not(others), Self::Is(known)) | (Self::Is(known), Self::Not(others)) => {
                Self::none_of(others.iter().filter(|other| !other.equals(known)).cloned().collect())
            }
            _ => Self::Any,
        };
    }

    fn none_of(constants: Vec<Constant>) -> Self {
        if constants.is_empty() { Self::Any } else { Self::Not(constants.into()) }
    }

    /// Adds what a comparison with a constant tells.
    pub fn learn(&mut self, constant: Constant, equal: bool) {
        *self = match (&*self, equal) {
            (Self::Is(_), _) => return,
            (_, true) => Self::Is(constant),
            (Self::Any, false) => Self::Not([constant].into()),
            (Self::Not(others), false) if others.contains(&constant) || others.len() >= MAX_EXCLUSIONS => return,
            (Self::Not(others), false) => {
                let mut all: Vec<Constant> = others.iter().cloned().chain([constant]).collect();
                // One order, so that paths that learned the same in another order meet in one state.
                all.sort_by_key(|constant| format!("{constant:?}"));
                Self::Not(all.into())
            }
        };
    }
}
