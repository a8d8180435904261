//! Values of TOML as JSON.

use serde_json::{Value, json};

pub(super) fn json_of(value: &toml::Value) -> Value {
    match value {
        toml::Value::String(text) => json!(text),
        toml::Value::Integer(number) => json!(number),
        toml::Value::Float(number) => number_of(*number),
        toml::Value::Boolean(is_true) => json!(is_true),
        toml::Value::Datetime(date) => json!(date.to_string()),
        toml::Value::Array(array) => array.iter().map(json_of).collect(),
        toml::Value::Table(table) => table.iter().map(|(name, value)| (name.clone(), json_of(value))).collect(),
    }
}

/// A number as it is usually written: 30, not 30.0.
pub(super) fn number_of(number: f64) -> Value {
    let written = number.to_string();
    written.parse::<serde_json::Number>().map_or(Value::String(written), Value::Number)
}
