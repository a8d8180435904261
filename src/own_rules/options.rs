//! The options of rules: their defaults, and over them those of `wflint.toml`.

use serde_json::{Map, Value};

use super::engine::Meta;
use crate::config::{ConfigPlace, RuleOption};
use crate::text::{quote, suggest};

/// An option that a rule does not have, or whose value it cannot take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionProblem {
    /// Of the key in `[rule.CODE]`.
    pub place: ConfigPlace,
    pub message: String,
    pub help: String,
}

/// The options with which a rule runs.
///
/// # Errors
/// What is wrong with those of the configuration.
pub fn merged(code: &str, meta: &Meta, options: &[RuleOption]) -> Result<Map<String, Value>, Vec<OptionProblem>> {
    let (mut merged, mut problems) = (meta.options.clone(), Vec::new());
    for option in options.iter().filter(|option| option.code == code) {
        match check(code, meta, option) {
            Some(problem) => problems.push(problem),
            None => {
                merged.insert(option.key.value.clone(), option.value.clone());
            }
        }
    }
    if problems.is_empty() { Ok(merged) } else { Err(problems) }
}

fn check(code: &str, meta: &Meta, option: &RuleOption) -> Option<OptionProblem> {
    let (key, place) = (&option.key.value, option.key.place);
    let Some(default) = meta.options.get(key) else {
        let known: Vec<&str> = meta.options.keys().map(String::as_str).collect();
        let near = suggest::did_you_mean(key, known.iter().copied());
        let help = if known.is_empty() {
            format!("remove it, {code} has no options")
        } else {
            let known: Vec<String> = known.iter().map(|known| quote(known)).collect();
            format!("use one of its options: {}", known.join(", "))
        };
        return Some(OptionProblem { place, message: format!("unknown option {} of {code}{near}", quote(key)), help });
    };
    let (wanted, found) = (kind(default), kind(&option.value));
    let has_others = has_other_items(default, &option.value);
    if wanted == found && !has_others {
        return None;
    }
    let found = if has_others { "an array of other values".to_owned() } else { shown(&option.value) };
    Some(OptionProblem {
        place,
        message: format!("invalid option {} of {code}: expected {wanted}, found {found}", quote(key)),
        help: format!("write {wanted}, such as its default `{default}`"),
    })
}

/// Whether an array has items of another type than all of its default, or such that no option can have.
fn has_other_items(default: &Value, value: &Value) -> bool {
    let (Some(wanted), Some(items)) = (default.as_array(), value.as_array()) else { return false };
    let is_known = |item: &Value| wanted.is_empty() || wanted.iter().any(|wanted| kind(wanted) == kind(item));
    items.iter().any(|item| item.is_object() || item.is_array() || !is_known(item))
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "a table",
    }
}

/// A scalar as it is written, or the type of what has parts.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Object(_) => kind(value).to_owned(),
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::config::Placed;
    use crate::text::diagnostic::Severity;

    #[test]
    fn options_replace_defaults_of_their_type() {
        let options = json!({ "days": 5, "hosts": ["a"], "is-strict": false });
        let meta =
            Meta { severity: Severity::Warning, options: options.as_object().unwrap().clone(), needs_flow: false };
        let given = |key: &str, value: Value| {
            let key = Placed { value: key.to_owned(), place: ConfigPlace::default() };
            let option = RuleOption { code: "ORG101".to_owned(), key, value };
            merged("ORG101", &meta, &[option]).map_err(|problems| problems[0].message.clone())
        };
        assert_eq!(given("days", json!(2.5)).unwrap()["days"], json!(2.5));
        assert_eq!(given("hosts", json!([])).unwrap()["is-strict"], json!(false));
        for (key, value, wanted) in [
            ("dayz", json!(3), "unknown option `dayz` of ORG101; did you mean `days`?"),
            ("days", json!("3"), "invalid option `days` of ORG101: expected a number, found \"3\""),
            ("days", json!([3]), "invalid option `days` of ORG101: expected a number, found an array"),
            ("hosts", json!({}), "invalid option `hosts` of ORG101: expected an array, found a table"),
            (
                "hosts",
                json!(["a", 1]),
                "invalid option `hosts` of ORG101: expected an array, found an array of other values",
            ),
            (
                "hosts",
                json!([{}]),
                "invalid option `hosts` of ORG101: expected an array, found an array of other values",
            ),
        ] {
            assert_eq!(given(key, value).unwrap_err(), wanted);
        }
        let other = RuleOption {
            code: "ORG102".to_owned(),
            key: Placed { value: "x".to_owned(), place: ConfigPlace::default() },
            value: json!(1),
        };
        assert!(merged("ORG101", &meta, &[other]).is_ok());
    }
}
