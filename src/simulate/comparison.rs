//! How conditions compare (docs/scenarios.md, How activities run). Nothing here changes the run.

use super::quote::quote;
use super::text::number;
use crate::model::{Binding, Expression, Literal, Member, Operand};

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
pub struct Condition {
    pub left: String,
    pub operand: &'static str,
    pub right: String,
}

impl Condition {
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

impl std::fmt::Display for Condition {
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
    format!("{}{values}", Condition::of(expression))
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
