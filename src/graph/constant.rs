//! Constants as conditions compare them.

use std::rc::Rc;

use crate::model::Literal;

/// Compared string by string, but booleans whatever their case, and with a JSON number as a number
/// (docs/concepts.md, Flow).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Constant {
    /// A text; of a boolean, in lower case.
    Text(Rc<str>),
    /// A number, by its bits.
    Number(u64),
}

impl Constant {
    /// The constant that a text is.
    pub fn text(text: &str) -> Self {
        let is_boolean = text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false");
        Self::Text(if is_boolean { text.to_ascii_lowercase().into() } else { text.into() })
    }

    /// The constant that a literal is; null is the empty text.
    pub fn literal(literal: Literal<'_>) -> Self {
        match literal {
            Literal::Null => Self::text(""),
            Literal::Boolean(value) => Self::text(if value { "true" } else { "false" }),
            Literal::Text(text) => Self::text(text),
            Literal::Number(text) => match text.parse::<f64>() {
                // One zero, so that equal numbers have equal bits.
                Ok(number) => Self::Number((number + 0.0).to_bits()),
                Err(_) => Self::text(text),
            },
        }
    }

    /// Whether a condition calls them equal.
    pub fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(text), Self::Number(bits)) | (Self::Number(bits), Self::Text(text)) => {
                text.trim().parse::<f64>().is_ok_and(|number| (number + 0.0).to_bits() == *bits)
            }
            (a, b) => a == b,
        }
    }
}
