//! The places of the values of some names in a scenario, which may have problems.

use std::sync::Arc;

use super::syntax::{Member, ScenarioSyntax, Shape, Value, parse};
use crate::source::Span;

/// The strings, numbers and booleans of the keys for which `is_wanted` holds, wherever they are; `None` if the syntax
/// is wrong. The function also gets whether a key is the name of an output, which may lack its prefix.
pub fn values_of(
    text: &str,
    syntax: ScenarioSyntax,
    is_wanted: &dyn Fn(&str, bool) -> bool,
) -> Option<Vec<(Arc<str>, Span)>> {
    let root = parse(text, syntax).ok()?;
    let mut found = Vec::new();
    add(&root, false, false, is_wanted, &mut found);
    Some(found)
}

/// Every key, string, number and boolean that is not written as it is read, because of escapes, doubled quotes or line
/// breaks.
pub fn escaped_scalars_of(text: &str, syntax: ScenarioSyntax) -> Vec<(Arc<str>, Span)> {
    let mut found = Vec::new();
    let mut rest: Vec<Value> = parse(text, syntax).into_iter().collect();
    let is_escaped = |read: &str, span: Span| text.get(span.range()).is_some_and(|written| !written.contains(read));
    while let Some(value) = rest.pop() {
        match value.shape {
            Shape::Scalar(scalar) if is_escaped(&scalar.text, value.span) => found.push((scalar.text, value.span)),
            Shape::Scalar(_) => {}
            Shape::Array(values) => rest.extend(values),
            Shape::Object(members) => {
                for Member { key, value } in members {
                    if is_escaped(&key.text, key.span) {
                        found.push((key.text, key.span));
                    }
                    rest.push(value);
                }
            }
        }
    }
    found
}

/// The tree is nested 64 levels at most, by its parsers.
fn add(
    value: &Value,
    wanted: bool,
    in_outputs: bool,
    is_wanted: &dyn Fn(&str, bool) -> bool,
    found: &mut Vec<(Arc<str>, Span)>,
) {
    match &value.shape {
        Shape::Scalar(scalar) if wanted => found.push((Arc::clone(&scalar.text), value.span)),
        Shape::Scalar(_) => {}
        Shape::Array(values) => values.iter().for_each(|value| add(value, wanted, false, is_wanted, found)),
        Shape::Object(members) => {
            for Member { key, value } in members {
                let wanted = wanted || is_wanted(&key.text, in_outputs);
                add(value, wanted, &*key.text == "outputs", is_wanted, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_below_their_keys() {
        let text = "submit: { A: one, B: two }\nproviders: { M: [{ outputs: { B: [3, x] } }] }\n";
        let is_wanted = |key: &str, is_output: bool| key == if is_output { "B" } else { "A" };
        let found = values_of(text, ScenarioSyntax::Yaml, &is_wanted).unwrap();
        let shown: Vec<(&str, &str)> =
            found.iter().map(|(value, span)| (&**value, text.get(span.range()).unwrap())).collect();
        assert_eq!(shown, [("one", "one"), ("3", "3"), ("x", "x")]);
        assert_eq!(values_of("a: [", ScenarioSyntax::Yaml, &is_wanted), None);
    }
}
