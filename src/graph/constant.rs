//! Constants, and how conditions compare them.

use std::sync::Arc;

use crate::model::Literal;

/// Conditions compare strings with case and booleans without; a comparison with a JSON number is numeric
/// (docs/platform.md, Assumptions of the simulator, "Comparison").
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constant {
    /// A string; a boolean is one in lower case.
    Text(Arc<str>),
    /// The bits of an `f64`, so that it can be hashed.
    Number(u64),
}

impl Constant {
    pub fn text(text: &str) -> Self {
        Self::Text(if is_boolean(text) { text.to_ascii_lowercase().into() } else { text.into() })
    }

    /// Null is the empty string.
    pub fn literal(literal: Literal<'_>) -> Self {
        match literal {
            Literal::Null => Self::text(""),
            Literal::Boolean(value) => Self::text(if value { "true" } else { "false" }),
            Literal::Text(text) => Self::text(text),
            Literal::Number(text) => match text.parse::<f64>() {
                // Adding 0 turns -0 into 0, so that equal numbers have equal bits.
                Ok(number) => Self::Number((number + 0.0).to_bits()),
                Err(_) => Self::text(text),
            },
        }
    }

    /// Whether two literals are the same constant. Texts may be long, and are not copied.
    pub fn is_same(a: Literal<'_>, b: Literal<'_>) -> bool {
        match (a, b) {
            (Literal::Text(a), Literal::Text(b)) => a == b || is_boolean(a) && a.eq_ignore_ascii_case(b),
            (a, b) => Self::literal(a) == Self::literal(b),
        }
    }

    /// Whether a condition with `equal` is true. It is not transitive: the number 1 equals "1" and "1.0".
    pub fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(text), Self::Number(bits)) | (Self::Number(bits), Self::Text(text)) => {
                text.trim().parse::<f64>().is_ok_and(|number| (number + 0.0).to_bits() == *bits)
            }
            (a, b) => a == b,
        }
    }
}

fn is_boolean(text: &str) -> bool {
    text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_the_same_if_their_constants_are_equal() {
        let texts = ["true", "True", "TRUE", "false", "x", "X", "", "1", "1.0"];
        let others = [Literal::Null, Literal::Boolean(true), Literal::Boolean(false)];
        let numbers = ["1", "1.0", "-0", "0"].map(Literal::Number);
        let all: Vec<Literal<'_>> = texts.map(Literal::Text).into_iter().chain(others).chain(numbers).collect();
        for &a in &all {
            for &b in &all {
                assert_eq!(Constant::is_same(a, b), Constant::literal(a) == Constant::literal(b), "{a:?} {b:?}");
            }
        }
    }
}
