//! The strings of a run: what they mean as numbers and booleans, how conditions compare them (docs/scenarios.md, How
//! activities run), and how messages quote them.

use std::sync::Arc;

use crate::model::{Binding, Expression, Literal, Locales, Member, Operand};

/// A string of a document, or one that the run built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text<'p> {
    Document(&'p str),
    Built(Arc<str>),
}

impl Text<'_> {
    pub fn as_str(&self) -> &str {
        match self {
            Self::Document(text) => text,
            Self::Built(text) => text,
        }
    }
}

/// The decimal number in a string, blanks around it ignored; `inf` and `nan` are not numbers.
pub fn number(text: &str) -> Option<f64> {
    decimal(text.trim()).filter(|number| number.is_finite())
}

/// A number as JSON writes it; `f64` itself also takes words such as `inf`. Infinite when it is too large.
pub fn decimal(text: &str) -> Option<f64> {
    let is_number = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E'));
    is_number.then(|| text.parse().ok())?
}

/// The boolean in a string, in any case, blanks around it ignored.
pub fn boolean(text: &str) -> Option<bool> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("true") {
        return Some(true);
    }
    text.eq_ignore_ascii_case("false").then_some(false)
}

/// The translation for a culture, or the first one.
pub fn translation<'p>(texts: &Locales<'p>, culture: &str) -> &'p str {
    let exact = texts.iter().find(|entry| entry.locale == culture);
    let found = exact
        .or_else(|| texts.iter().find(|entry| entry.locale.eq_ignore_ascii_case(culture)))
        .or_else(|| texts.first());
    found.and_then(|entry| entry.text).unwrap_or_default()
}

/// A string in backticks. Unlike the linter's `quote` it does not cut long strings: masking would
/// not find a part of a masked value. Reports mask first and cut then.
pub fn quote(text: &str) -> String {
    format!("`{text}`")
}

/// A value in double quotes, as the linter shows found strings. It is not cut either.
pub fn quote_value(text: &str) -> String {
    format!("\"{text}\"")
}

/// Whether two values are equal, as numbers if one of them is a static JSON number.
pub fn equal(left: &str, right: &str, as_numbers: bool) -> bool {
    if as_numbers {
        // A string that is not a number equals no number.
        return match (number(left), number(right)) {
            (Some(left), Some(right)) => left.total_cmp(&right).is_eq() || left == 0.0 && right == 0.0,
            _ => false,
        };
    }
    let is_boolean = |text: &str| text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false");
    left == right || is_boolean(left) && left.eq_ignore_ascii_case(right)
}

/// A condition as the document has it: variables in backticks, strings in double quotes, and the
/// operand between them.
pub struct ConditionText {
    pub left: String,
    pub operand: &'static str,
    pub right: String,
}

impl ConditionText {
    pub fn of(expression: &Expression<'_>) -> Self {
        let side = |member: &Member<Binding<'_>>| match member.get() {
            Some(binding) => match (binding.target(), binding.literal()) {
                (Some((_, name)), _) => quote(name),
                (None, Some((_, Literal::Text(text)))) => format!("\"{text}\""),
                (None, Some((_, Literal::Number(text)))) => text.to_owned(),
                (None, Some((_, Literal::Boolean(value)))) => value.to_string(),
                (None, Some((_, Literal::Null)) | None) => "nothing".to_owned(),
            },
            None => "nothing".to_owned(),
        };
        let operand = if expression.operand.value() == Some(Operand::NotEqual) { "notEqual" } else { "equal" };
        Self { left: side(&expression.left), operand, right: side(&expression.right) }
    }
}

impl std::fmt::Display for ConditionText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {}", self.left, self.operand, self.right)
    }
}

/// A condition with the current values of its variables, which `value_of` gives by name.
pub fn describe<'v>(expression: &Expression<'_>, value_of: impl Fn(&str) -> Option<&'v str>) -> String {
    let now = |side: &Member<Binding<'_>>| {
        let (_, name) = side.get().and_then(Binding::target)?;
        let value = value_of(name).filter(|value| !value.is_empty()).map_or_else(|| "empty".to_owned(), quote);
        Some(format!("{} is {value}", quote(name)))
    };
    let values: Vec<String> = [now(&expression.left), now(&expression.right)].into_iter().flatten().collect();
    let values = if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
    format!("{}{values}", ConditionText::of(expression))
}

#[cfg(test)]
mod tests {
    use super::equal;

    #[test]
    fn strings_are_compared_with_case_and_booleans_without() {
        assert!(!equal("Finished", "finished", false));
        assert!(equal("True", "true", false));
        assert!(!equal("1.0", "1", false));
    }

    #[test]
    fn a_static_number_is_compared_as_a_number() {
        assert!(equal("1.0", "1", true));
        assert!(equal("-0", "0", true));
        assert!(!equal("", "0", true));
    }
}
