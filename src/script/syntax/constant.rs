//! Constants that a script compares its inputs with.

use oxc_ast::ast::{ArrayExpressionElement, Expression};

/// A constant of a script.
pub(super) enum Constant {
    Text(String),
    Number(f64),
}

impl Constant {
    pub fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        }
    }
}

/// The constant that is an element of a list, or the first one of a pair.
pub(super) fn key_of_entry(element: &Expression<'_>) -> Option<Constant> {
    match element.without_parentheses() {
        Expression::ArrayExpression(pair) => {
            constant(pair.elements.first().and_then(ArrayExpressionElement::as_expression)?)
        }
        other => constant(other),
    }
}

/// Digits, which are so many that they have a length.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked: whole and small")]
pub(super) fn text_of_length(length: f64) -> Option<String> {
    const MAX_LENGTH: f64 = 64.0;
    let is_length = length.fract() == 0.0 && (0.0..=MAX_LENGTH).contains(&length);
    is_length.then(|| "1234567890".chars().cycle().take(length as usize).collect())
}

/// The constant that a literal is.
pub(super) fn constant(expression: &Expression<'_>) -> Option<Constant> {
    match expression.without_parentheses() {
        Expression::StringLiteral(literal) => Some(Constant::Text(literal.value.to_string())),
        Expression::TemplateLiteral(template) => template.single_quasi().map(|text| Constant::Text(text.to_string())),
        Expression::NumericLiteral(literal) => Some(Constant::Number(literal.value)),
        Expression::BooleanLiteral(literal) => Some(Constant::Text(literal.value.to_string())),
        _ => None,
    }
}
