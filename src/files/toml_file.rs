//! Reading TOML files: an error has its place, and suggests the nearest known key.

use std::fmt::Write;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Deserializer};

use super::tables::Strict;
use crate::common::limits::MAX_SMALL_FILE_BYTES;
use crate::text::source::SourceFile;
use crate::text::suggest;

/// Why a TOML file cannot be used: a line for each problem, which begins with its place ([`problems`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TomlError(pub String);

/// Separates problems: no text of a user that is shown has it.
const SEPARATOR: char = '\u{1e}';

impl TomlError {
    pub fn joined(all: Vec<Self>) -> Self {
        let all: Vec<String> = all.into_iter().map(|error| error.0).collect();
        Self(all.join(SEPARATOR.encode_utf8(&mut [0; 4])))
    }
}

/// The problems of an error.
pub fn problems(error: &str) -> impl Iterator<Item = &str> {
    error.split(SEPARATOR)
}

/// Reads a TOML text into a type that refuses unknown keys.
///
/// # Errors
/// `name:line:column: reason`, with the nearest known key where one was mistyped.
pub fn read<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, TomlError> {
    check_size(name, text.len())?;
    match read_recovering(text) {
        (Some(value), problems) if problems.is_empty() => Ok(value),
        (_, problems) => Err(TomlError::joined(
            problems.iter().map(|problem| error_at(name, text, problem.offset, &problem.reason)).collect(),
        )),
    }
}

/// What is wrong at a byte of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub offset: usize,
    pub reason: String,
}

impl Problem {
    fn new(error: &toml::de::Error) -> Self {
        Self { offset: error.span().map_or(0, |span| span.start), reason: explain(error.message()) }
    }
}

/// Maximum number of problems of a file that are listed.
const MAX_PROBLEMS: usize = 50;

/// As [`read`], without the keys and elements that have problems, which are returned as well, in their order. `None` if
/// nothing can be read without them, such as after a syntax error, which hides everything else.
pub fn read_recovering<T: DeserializeOwned>(text: &str) -> (Option<T>, Vec<Problem>) {
    let error = match Deserializer::parse(text).and_then(|read| T::deserialize(Strict(read))) {
        Ok(value) => return (Some(value), Vec::new()),
        Err(error) => error,
    };
    match DeTable::parse(text) {
        Ok(table) => recovered(table.into_inner()),
        Err(_) => (None, vec![Problem::new(&error)]),
    }
}

/// As [`read_recovering`], for a table that was parsed before.
pub fn recovered<T: DeserializeOwned>(mut table: DeTable<'_>) -> (Option<T>, Vec<Problem>) {
    let mut problems: Vec<Problem> = Vec::new();
    // The offsets of tables that lost a key.
    let mut cut = Vec::new();
    let mut value = None;
    for _ in 0..MAX_PROBLEMS {
        let read = |table| T::deserialize(Strict(Deserializer::from(Spanned::new(0..0, table))));
        let error = match read(table.clone()) {
            Ok(found) => {
                // What an element means without a key that it has would be a second problem.
                drop_elements(&mut table, &cut);
                value = read(table).ok().or(Some(found));
                break;
            }
            Err(error) => error,
        };
        let found = Problem::new(&error);
        let at = error.span().map(|_| found.offset);
        // Otherwise it lacks the key that had a problem.
        if !cut.contains(&found.offset) {
            problems.push(found);
        }
        if !at.is_some_and(|at| remove(&mut table, at, &mut cut)) {
            break;
        }
    }
    problems.sort_by_key(|problem| problem.offset);
    (value, problems)
}

/// Removes the innermost key, value or element that begins at an offset. `cut` gets the offsets of tables that lose a key.
fn remove(table: &mut DeTable<'_>, at: usize, cut: &mut Vec<usize>) -> bool {
    if table.iter_mut().any(|(_, value)| remove_inside(value, at, cut)) {
        return true;
    }
    let found = table.iter().find(|(key, value)| key.span().start == at || value.span().start == at);
    let Some(key) = found.map(|(key, _)| key.get_ref().to_string()) else { return false };
    table.remove(key.as_str()).is_some()
}

/// Removes the elements of arrays that begin at some offsets.
fn drop_elements(table: &mut DeTable<'_>, starts: &[usize]) {
    for (_, value) in table.iter_mut() {
        match value.get_mut() {
            DeValue::Table(table) => drop_elements(table, starts),
            DeValue::Array(array) => {
                let all = std::mem::replace(array, DeArray::new()).into_iter();
                *array = all.filter(|element| !starts.contains(&element.span().start)).collect();
            }
            _ => {}
        }
    }
}

fn remove_inside(value: &mut Spanned<DeValue<'_>>, at: usize, cut: &mut Vec<usize>) -> bool {
    let start = value.span().start;
    match value.get_mut() {
        DeValue::Table(table) => {
            let is_removed = remove(table, at, cut);
            if is_removed {
                cut.push(start);
            }
            is_removed
        }
        DeValue::Array(array) => {
            if array.iter_mut().any(|element| remove_inside(element, at, cut)) {
                return true;
            }
            let length = array.len();
            let kept: DeArray<'_> =
                std::mem::replace(array, DeArray::new()).into_iter().filter(|it| it.span().start != at).collect();
            *array = kept;
            array.len() < length
        }
        _ => false,
    }
}

/// Refuses a file of more bytes than are parsed at one time.
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
    let reason = reason.replace(SEPARATOR, "\\u{1e}");
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
        let found = match found {
            "sequence" => "an array",
            "map" => "a table",
            other => other,
        };
        return format!("expected {}, found {found}", toml_type(expected));
    }
    // Of a value that stands for one of several words.
    if message.starts_with("wanted string or table") {
        return "expected a string".to_owned();
    }
    if message.starts_with("wanted exactly 1 element") {
        return "expected a string, found a table".to_owned();
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
        "a TOML datetime" => "a date or time",
        other if other.starts_with("struct ") => "a table",
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
        section: Option<Section>,
        sections: Option<Vec<Spanned<Section>>>,
    }

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Section {
        number: u32,
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
    fn array_is_not_a_table() {
        for (text, column) in [("section = []", 11), ("section = [1]", 11), ("sections = [{}, [1]]", 17)] {
            let error = read::<Sample>("wflint.toml", text).unwrap_err();
            assert_eq!(error.0, format!("wflint.toml:1:{column}: expected a table, found an array"));
        }
        assert!(read::<Sample>("wflint.toml", "section = {}\n[[sections]]\nnumber = 1").is_ok());
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
