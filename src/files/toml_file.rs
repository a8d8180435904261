//! Reading TOML files: an error has its place, and suggests the nearest known key.

use std::fmt::Write;

use serde::de::DeserializeOwned;

use crate::common::limits::MAX_SMALL_FILE_BYTES;
use crate::text::source::SourceFile;
use crate::text::suggest;

/// Why a TOML file cannot be used, in one line that begins with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TomlError(pub String);

/// Reads a TOML text into a type that refuses unknown keys.
///
/// # Errors
/// `name:line:column: reason`, with the nearest known key where one was mistyped.
pub fn read<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, TomlError> {
    check_size(name, text.len())?;
    toml::from_str(text)
        .map_err(|error| error_at(name, text, error.span().map_or(0, |span| span.start), &explain(error.message())))
}

/// Refuses a file of more bytes than are parsed at one time.
///
/// # Errors
/// The file is larger.
pub fn check_size(name: &str, bytes: usize) -> Result<(), TomlError> {
    if bytes > MAX_SMALL_FILE_BYTES {
        return Err(TomlError(format!("{name}: larger than {} MiB", MAX_SMALL_FILE_BYTES >> 20)));
    }
    Ok(())
}

/// An error at a byte of a file.
pub fn error_at(name: &str, text: &str, offset: usize, reason: &str) -> TomlError {
    let source = SourceFile::new(name.into(), name.to_owned(), text.into());
    let place = source.position(u32::try_from(offset).unwrap_or(u32::MAX));
    TomlError(format!("{name}:{}:{}: {reason}", place.line, place.column))
}

/// A basic string. `is_escaped`, which gets each character with its byte, may hold for more than must be escaped.
pub fn quoted(text: &str, is_escaped: impl Fn(usize, char) -> bool) -> String {
    let mut quoted = String::from('"');
    for (at, character) in text.char_indices() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            other if other.is_control() || is_escaped(at, other) => {
                let code = u32::from(other);
                let _ = if code > 0xffff { write!(quoted, "\\U{code:08x}") } else { write!(quoted, "\\u{code:04x}") };
            }
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

/// Rewrites the parser's reason. For an unknown key or value it reads "unknown field `a`, expected one
/// of `b`, `c`", which becomes a suggestion. Other reasons are put on one line.
pub fn explain(message: &str) -> String {
    if let Some(field) = message.strip_prefix("missing field ") {
        return format!("missing key {field}");
    }
    if let Some(reason) = out_of_range(message) {
        return reason;
    }
    if let Some((found, expected)) =
        message.strip_prefix("invalid type: ").and_then(|rest| rest.split_once(", expected "))
    {
        return format!("expected {}, found {found}", toml_type(expected));
    }
    let mut quoted = message.split('`').skip(1).step_by(2);
    let Some(written) = message.starts_with("unknown ").then(|| quoted.next()).flatten() else {
        return message.replace('\n', " ");
    };
    let known: Vec<&str> = quoted.collect();
    let kind = if message.starts_with("unknown field") { "key" } else { "value" };
    match suggest::nearest(written, known.iter().copied()) {
        Some(near) => format!("unknown {kind} `{written}`; did you mean `{near}`?"),
        None => format!("unknown {kind} `{written}`; expected one of `{}`", known.join("`, `")),
    }
}

/// The reason for an integer that its type cannot hold: "invalid value: integer `-1`, expected usize", or "invalid type:
/// integer `9…` as i128, expected u32".
fn out_of_range(message: &str) -> Option<String> {
    let (kind, rest) = message.strip_prefix("invalid ")?.split_once(": integer `")?;
    let (found, rest) = rest.split_once('`')?;
    if kind != "value" && !rest.starts_with(" as ") {
        return None;
    }
    Some(if found.starts_with('-') {
        format!("expected an integer of 0 or more, found {found}")
    } else {
        format!("integer {found} is too large")
    })
}

/// The TOML name of a type that serde names.
fn toml_type(expected: &str) -> &str {
    match expected {
        "a sequence" => "an array",
        "a map" => "a table",
        "u32" | "usize" => "an integer",
        "f64" => "a number",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the errors matter")]
    struct Sample {
        select: Option<Vec<String>>,
        limit: Option<u32>,
    }

    #[test]
    fn unknown_key_is_rejected_with_its_place_and_a_suggestion() {
        let error = read::<Sample>("wflint.toml", "\nselct = []\n").unwrap_err();
        assert_eq!(error.0, "wflint.toml:2:1: unknown key `selct`; did you mean `select`?");
    }

    #[test]
    fn value_of_the_wrong_type_is_rejected_with_its_place() {
        let error = read::<Sample>("wflint.toml", "select = 5").unwrap_err();
        assert_eq!(error.0, "wflint.toml:1:10: expected an array, found integer `5`");
    }

    #[test]
    fn integer_out_of_range_is_rejected_without_the_names_of_types() {
        for (value, reason) in [
            ("-1", "expected an integer of 0 or more, found -1"),
            ("-99999999999999999999", "expected an integer of 0 or more, found -99999999999999999999"),
            ("5_000_000_000", "integer 5000000000 is too large"),
            ("99999999999999999999", "integer 99999999999999999999 is too large"),
            ("1.5", "expected an integer, found floating point `1.5`"),
        ] {
            let error = read::<Sample>("wflint.toml", &format!("limit = {value}")).unwrap_err();
            assert_eq!(error.0, format!("wflint.toml:1:9: {reason}"));
        }
    }
}
