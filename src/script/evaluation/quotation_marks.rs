//! Values with quotation marks, which show whether a script escapes what it inserts into JSON.
//!
//! Each made-up value is like `a"b`, with digits of its own around the quotation mark. JSON has no quotation mark that
//! does not begin or end a string, and no digit is next to one that does: where the mark is in the text as it was, the
//! value breaks the JSON. So one run shows all parameters, unless the script refuses the value of one of them: then each has a
//! run in which it alone has quotation marks.

use serde_json::Value;

use super::request::{EvaluationRequest, ScriptInput};
use super::sample_sets::SampleSet;

/// The mark of a parameter, by its index.
fn mark(index: usize) -> String {
    format!("8\"97{index:02}79")
}

/// A set in which the made-up values have quotation marks, or only that of one parameter, by its index; `None` if there are
/// none.
pub(super) fn quoted(request: &EvaluationRequest<'_>, set: &SampleSet, only: Option<usize>) -> Option<SampleSet> {
    let mut quoted = set.clone();
    for (index, parameter) in request.open_parameters().filter(|(index, _)| only.is_none_or(|only| only == *index)) {
        let Some(value) = quoted.values.get_mut(index).filter(|value| value.is_made_up) else { continue };
        let mark = mark(index);
        value.text = match parameter.input {
            ScriptInput::OpenJson => match serde_json::from_str(&value.text) {
                Ok(json) => marked_json(json, &mark).to_string(),
                Err(_) => continue,
            },
            ScriptInput::Open | ScriptInput::Fixed(_) => marked(&value.text, &mark),
        };
    }
    Some(quoted).filter(|quoted| quoted != set)
}

/// The parameters whose quotation marks are in a text as they were.
pub(super) fn unescaped<'r>(request: &'r EvaluationRequest<'r>, text: &str) -> impl Iterator<Item = &'r str> {
    let open = request.open_parameters();
    open.filter(move |(index, _)| text.contains(&mark(*index))).map(|(_, parameter)| parameter.name)
}

/// Whether a text is meant to be JSON: it begins like an object, or like an array of strings, objects or arrays.
pub(super) fn looks_like_json(text: &str) -> bool {
    // A script may append to `Json` before it is set.
    let text = text.strip_prefix("undefined").unwrap_or(text).trim_start();
    let rest = text.strip_prefix(['{', '[']).map(str::trim_start);
    rest.is_some_and(|rest| rest.starts_with(['"', '{', '[', '}', ']']))
}

/// A string with the mark in each of its words, so that it is in each part into which a script may split it.
fn marked(text: &str, mark: &str) -> String {
    let mut marked = String::new();
    let mut is_in_word = false;
    for letter in text.chars() {
        marked.push(letter);
        if letter.is_alphanumeric() && !is_in_word {
            marked.push_str(mark);
        }
        is_in_word = letter.is_alphanumeric();
    }
    marked
}

/// JSON with the mark in each of its strings.
fn marked_json(json: Value, mark: &str) -> Value {
    match json {
        Value::String(text) => Value::String(marked(&text, mark)),
        Value::Array(list) => list.into_iter().map(|element| marked_json(element, mark)).collect(),
        Value::Object(object) => object.into_iter().map(|(key, value)| (key, marked_json(value, mark))).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_has_a_mark() {
        assert_eq!(marked("Ada L; b@c", "8\"97"), "A8\"97da L8\"97; b8\"97@c8\"97");
        let json = serde_json::json!({ "a": ["x", 1], "b": { "c": "" } });
        assert_eq!(marked_json(json, "8\"97").to_string(), r#"{"a":["x8\"97",1],"b":{"c":""}}"#);
    }
}
