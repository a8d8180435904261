//! The abstract domain of one variable: any value, one constant, or any value but a few constants.
//!
//! `Any` is the top of the lattice. Below it are `Unset` and the sets of exclusions, the larger ones lower, and below these the
//! constants that they do not exclude. It has no bottom: an unreachable point has no state at all.

use std::rc::Rc;

use crate::model::Literal;

/// Further exclusions of one variable are dropped. This bounds the height of the lattice.
pub const MAX_EXCLUSIONS: usize = 16;

/// Conditions compare strings with case and booleans without; a comparison with a JSON number is numeric
/// (docs/assumptions.md, A18).
#[derive(Debug, Clone, Copy, Eq, PartialOrd, Ord)]
pub enum Constant<'p> {
    /// A string; a boolean is one in lower case.
    Text(&'p str),
    /// The bits of an `f64`, so that it can be ordered.
    Number(u64),
}

impl PartialEq for Constant<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            // Texts may be long, and most that are compared are the same one.
            (Self::Text(a), Self::Text(b)) => std::ptr::eq(*a, *b) || a == b,
            (Self::Number(a), Self::Number(b)) => a == b,
            _ => false,
        }
    }
}

impl<'p> Constant<'p> {
    pub const fn text(text: &'p str) -> Self {
        Self::Text(match text {
            _ if text.eq_ignore_ascii_case("true") => "true",
            _ if text.eq_ignore_ascii_case("false") => "false",
            _ => text,
        })
    }

    pub const fn boolean(value: bool) -> Self {
        Self::Text(if value { "true" } else { "false" })
    }

    /// Null is the empty string.
    pub fn literal(literal: Literal<'p>) -> Self {
        match literal {
            Literal::Null => Self::text(""),
            Literal::Boolean(value) => Self::boolean(value),
            Literal::Text(text) => Self::text(text),
            Literal::Number(text) => number(text).map_or(Self::text(text), Self::Number),
        }
    }

    /// Whether a condition with `equal` is true. It is not transitive: the number 1 equals "1" and "1.0".
    pub fn equals(self, other: Self) -> bool {
        match (self, other) {
            (Self::Text(text), Self::Number(bits)) | (Self::Number(bits), Self::Text(text)) => {
                number(text.trim()) == Some(bits)
            }
            (a, b) => a == b,
        }
    }
}

fn number(text: &str) -> Option<u64> {
    // Adding 0 turns -0 into 0, so that equal numbers have equal bits.
    text.parse::<f64>().ok().map(|number| (number + 0.0).to_bits())
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AbstractValue<'p> {
    Any,
    /// Not written yet, by none of the writers that are known: any value, but empty for a loop that waits for its own
    /// body to write it.
    Unset,
    Is(Constant<'p>),
    /// Any value but these.
    Not(Rc<[Constant<'p>]>),
}

impl<'p> AbstractValue<'p> {
    /// Whether some constants are excluded.
    pub const fn is_known(&self) -> bool {
        matches!(self, Self::Is(_) | Self::Not(_))
    }

    /// Whether it equals a constant; `None` if that is undecided.
    pub fn equals(&self, constant: Constant<'_>) -> Option<bool> {
        match self {
            Self::Any | Self::Unset => None,
            Self::Is(known) => Some(known.equals(constant)),
            Self::Not(others) => others.contains(&constant).then_some(false),
        }
    }

    /// The join of the lattice: what holds for both.
    pub fn join(&mut self, other: &Self) {
        if self == other {
            return;
        }
        *self = match (&*self, other) {
            (Self::Not(a), Self::Not(b)) => {
                Self::none_of(a.iter().filter(|known| b.contains(known)).copied().collect())
            }
            // The constant is none of the exclusions that remain.
            (Self::Not(others), Self::Is(known)) | (Self::Is(known), Self::Not(others)) => {
                Self::none_of(others.iter().filter(|other| !other.equals(*known)).copied().collect())
            }
            // Two constants: a set of possible values would be more exact, but no rule needs it.
            _ => Self::Any,
        };
    }

    fn none_of(constants: Vec<Constant<'p>>) -> Self {
        if constants.is_empty() { Self::Any } else { Self::Not(constants.into()) }
    }

    /// The value that stands for all that either of two stands for, and for nothing else; `None` if there is none.
    pub fn union(&self, other: &Self) -> Option<Self> {
        let is_open = |value: &Self| matches!(value, Self::Any | Self::Not(_));
        let is_unset = |value: &Self| *value == Self::Unset;
        let is_possible = (is_open(self) || is_open(other)) && !is_unset(self) && !is_unset(other);
        (is_possible || self == other).then(|| {
            let mut union = self.clone();
            union.join(other);
            union
        })
    }

    /// Refines the value by the result of a comparison with a constant. Returns whether that changes it.
    pub fn refine(&mut self, constant: Constant<'p>, equal: bool) -> bool {
        *self = match (&*self, equal) {
            (Self::Is(_), _) => return false,
            (_, true) => Self::Is(constant),
            (Self::Any | Self::Unset, false) => Self::Not([constant].into()),
            (Self::Not(others), false) if others.contains(&constant) || others.len() >= MAX_EXCLUSIONS => return false,
            (Self::Not(others), false) => {
                let mut all: Vec<Constant<'p>> = others.iter().copied().chain([constant]).collect();
                // Sorted, so that paths with the same comparisons in another order have equal states.
                all.sort_unstable();
                Self::Not(all.into())
            }
        };
        true
    }
}
