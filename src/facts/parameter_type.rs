//! Whether a parameter's value is of the type that the catalog gives the parameter.

use crate::catalog::{self, ValueType};
use crate::model::{Literal, Parameter};

/// Whether the type that the document gives a parameter, and its literal, are of the type that the method takes.
pub fn has_its_type(parameter: &Parameter<'_>, known: &catalog::Parameter) -> bool {
    let Some(wanted) = known.value_type else { return true };
    let names_another = parameter.value_type.value().is_some_and(|written| written != wanted.word());
    let literal = parameter.value.get().and_then(|binding| binding.literal());
    !names_another && literal.is_none_or(|(_, literal)| literal.is_empty() || fits(literal, wanted))
}

/// Whether a literal is of a type. A number may be written as a string (docs/concepts.md, Parameters).
pub fn fits(literal: Literal<'_>, wanted: ValueType) -> bool {
    match (wanted, literal) {
        (ValueType::String, _) | (ValueType::Boolean, Literal::Boolean(_)) => true,
        (ValueType::Decimal, _) => literal.as_number().is_some_and(f64::is_finite),
        (ValueType::Boolean, _) => false,
    }
}
