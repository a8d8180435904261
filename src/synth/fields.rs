//! Default values of fields, and values by their type.

use super::values::Values;
use crate::model::Field;
use crate::simulate::submit;

/// The culture of a scenario without `culture`.
const CULTURE: &str = "en-US";

/// The value of a field that nobody fills in.
pub fn default_value(field: &Field<'_>) -> Option<String> {
    submit::default_value(field, CULTURE).filter(|text| !text.is_empty())
}

/// A value for a field of an undocumented type, by the name of the type.
pub fn of_type(kind: &str, name: &str, variable: &str, values: &mut Values<'_, '_>) -> String {
    let kind = kind.to_lowercase();
    if kind.contains("check") || kind.contains("switch") {
        return "true".to_owned();
    }
    values.named(if kind.contains("date") { "date" } else { name }, variable)
}

/// The name of a file for a field.
pub fn file_name(field: &str) -> String {
    let usable = |one: &char| one.is_ascii_alphanumeric() || matches!(one, '-' | '_');
    let stem: String = field.chars().filter(usable).take(40).collect();
    format!("{}.pdf", if stem.is_empty() { "file".to_owned() } else { stem.to_lowercase() })
}
