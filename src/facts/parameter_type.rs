//! Whether a parameter's value is of the type that the catalog gives the parameter.

use crate::catalog::{self, ValueType};
use crate::model::{Literal, Parameter};

/// Whether neither the type that a parameter says nor its literal is another than the method's.
pub fn has_its_type(parameter: &Parameter<'_>, known: &catalog::Parameter) -> bool {
    let says_another = parameter.value_type.value().is_some_and(|given| given != known.value_type.word());
    let literal = parameter.value.get().and_then(|binding| binding.literal());
    !says_another && literal.is_none_or(|(_, literal)| literal.is_empty() || fits(literal, known.value_type))
}

/// Whether a literal is of a type. A number may be given as a text (docs/concepts.md, Parameters), and so
/// may true and false.
pub fn fits(literal: Literal<'_>, wanted: ValueType) -> bool {
    match (wanted, literal) {
        (ValueType::String, _) | (ValueType::Boolean, Literal::Boolean(_)) => true,
        (ValueType::Decimal, _) => literal.as_number().is_some_and(f64::is_finite),
        (ValueType::Boolean, Literal::Text(text)) => {
            text.trim().eq_ignore_ascii_case("true") || text.trim().eq_ignore_ascii_case("false")
        }
        (ValueType::Boolean, _) => false,
    }
}
