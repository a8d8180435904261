//! Conditions of While and If (docs/scenarios.md, How activities run).

use super::number;
use crate::model::{Activity, Binding, Expression, Kind, Literal, Member, Operand};
use crate::simulate::assumption::Assumption;
use crate::simulate::quote;
use crate::simulate::run::Run;
use crate::simulate::stop::Stop;
use crate::simulate::trace::{Event, Text};

/// Whether a condition holds now.
pub fn holds<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    expression: &'p Member<Expression<'p>>,
) -> Result<bool, Stop> {
    let Some(expression) = expression.get() else { return Err(run.unreadable(activity, "expression")) };
    let Some(operand) = expression.operand.value() else { return Err(run.unreadable(activity, "operand")) };
    run.assume(Assumption::Comparison);
    let left = side(run, activity, "left", &expression.left)?;
    let right = side(run, activity, "right", &expression.right)?;
    let is_number = is_number(&expression.left) || is_number(&expression.right);
    let holds = equal(left.as_str(), right.as_str(), is_number) == (operand == Operand::Equal);
    run.note(Event::Evaluated { left, right, holds });
    Ok(holds)
}

fn side<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    name: &str,
    member: &'p Member<Binding<'p>>,
) -> Result<Text<'p>, Stop> {
    if member.is_absent() {
        return Err(run.unreadable(activity, name));
    }
    // What the body of a loop is going to write need not be there when its condition is first read.
    let is_loop = matches!(activity.kind, Kind::While { .. });
    let value =
        if is_loop { run.resolve_member(activity, name, member) } else { run.read_member(activity, name, member) };
    Ok(value?.unwrap_or(Text::Document("")))
}

/// Whether an operand is a static JSON number.
fn is_number(operand: &Member<Binding<'_>>) -> bool {
    let literal = operand.get().and_then(Binding::literal);
    matches!(literal, Some((_, Literal::Number(_))))
}

fn equal(left: &str, right: &str, as_numbers: bool) -> bool {
    if as_numbers {
        // Text that is no number equals none.
        return match (number(left), number(right)) {
            (Some(left), Some(right)) => left.total_cmp(&right).is_eq() || left == 0.0 && right == 0.0,
            _ => false,
        };
    }
    let is_boolean = |text: &str| text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false");
    left == right || is_boolean(left) && left.eq_ignore_ascii_case(right)
}

/// Whether the condition of an activity holds now, without a trace of looking.
pub fn still_holds<'p>(run: &Run<'p, '_>, activity: &Activity<'p>) -> bool {
    let Some(expression) = activity.expression() else { return false };
    let value = |member: &Member<Binding<'p>>| member.get().and_then(|binding| run.resolve(binding));
    let (left, right) = (value(&expression.left), value(&expression.right));
    let text = |side: &Option<Text<'p>>| side.as_ref().map_or_else(String::new, |side| side.as_str().to_owned());
    let as_numbers = is_number(&expression.left) || is_number(&expression.right);
    equal(&text(&left), &text(&right), as_numbers) == (expression.operand.value() == Some(Operand::Equal))
}

/// The condition of an activity in words, with what its sides are now.
pub fn describe(run: &Run<'_, '_>, activity: &Activity<'_>) -> String {
    let Some(expression) = activity.expression() else { return String::new() };
    let (left, word, right) = sides(expression);
    let now = |binding: &Member<Binding<'_>>| {
        let (_, name) = binding.get().and_then(Binding::target)?;
        let value = run.value_of(name).map_or("", |value| value);
        Some(format!("{} is {}", quote(name), quote(value)))
    };
    let values: Vec<String> = [now(&expression.left), now(&expression.right)].into_iter().flatten().collect();
    let values = if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
    format!("{left} {word} {right}{values}")
}

/// Both sides of a condition and the word between them, as the document gives them.
pub fn sides(expression: &Expression<'_>) -> (String, &'static str, String) {
    let side = |member: &Member<Binding<'_>>| match member.get() {
        Some(binding) => match (binding.target(), binding.literal()) {
            (Some((_, name)), _) => quote(name),
            (None, Some((_, Literal::Text(text)))) => format!("`{}`", quote(text).trim_matches('`')),
            (None, Some((_, Literal::Number(text)))) => quote(text),
            (None, Some((_, Literal::Boolean(value)))) => format!("`{value}`"),
            (None, Some((_, Literal::Null)) | None) => "nothing".to_owned(),
        },
        None => "nothing".to_owned(),
    };
    let word = if expression.operand.value() == Some(Operand::NotEqual) { "notEqual" } else { "equal" };
    (side(&expression.left), word, side(&expression.right))
}

#[cfg(test)]
mod tests {
    use super::equal;

    #[test]
    fn text_is_compared_by_case_and_booleans_are_not() {
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
