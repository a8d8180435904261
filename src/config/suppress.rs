//! `[[suppress]]`: accepted findings and broken laws; reading entries, and adding them to the text of a file.

use std::fmt::Write;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::layers::{Invalid, Places};
use super::settings::ConfigPlace;
use crate::files::toml_file::{self, TomlError, quoted};
use crate::text::is_unsafe;

/// A finding that is accepted and not reported, or a law that may be broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    pub kind: SuppressionKind,
    /// Code or name of the rule, or name of the law, as written.
    pub name: String,
    /// Path relative to the folder of the file that has the entry.
    pub file: String,
    /// The nearest activity or field around the finding.
    pub activity: Option<String>,
    /// The pointer of the finding, or of a value around it.
    pub pointer: Option<String>,
    /// The variable around the finding.
    pub variable: Option<String>,
    /// The field around the finding.
    pub field: Option<String>,
    /// The parameter around the finding.
    pub parameter: Option<String>,
    pub reason: String,
    /// The last day on which the finding is suppressed.
    pub until: Option<Date>,
    /// The whole entry.
    pub place: ConfigPlace,
    /// The place of the name.
    pub name_place: ConfigPlace,
    /// The place of the date; without a date, that of the rule or law.
    pub until_place: ConfigPlace,
}

/// What a suppression is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuppressionKind {
    Rule,
    Law,
}

/// An entry as it is written.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct SuppressEntry {
    rule: Option<Spanned<String>>,
    law: Option<Spanned<String>>,
    file: String,
    activity: Option<String>,
    pointer: Option<String>,
    variable: Option<String>,
    field: Option<String>,
    parameter: Option<String>,
    reason: String,
    until: Option<Spanned<toml::value::Datetime>>,
}

pub(super) fn suppression(entry: &Spanned<SuppressEntry>, places: Places<'_>) -> Result<Suppression, Invalid> {
    let SuppressEntry { rule, law, file, activity, pointer, variable, field, parameter, reason, until } =
        entry.get_ref();
    let error = |reason: &str| Err(Invalid::new(entry, reason));
    let (name, kind) = match (rule, law) {
        (Some(rule), None) => (rule, SuppressionKind::Rule),
        (None, Some(law)) => (law, SuppressionKind::Law),
        (None, None) => return error("missing key `rule` or `law` in a suppression"),
        (Some(_), Some(law)) => {
            return Err(Invalid::new(law, "`rule` and `law` in one suppression; write an entry for each"));
        }
    };
    let of_documents = [("variable", variable), ("field", field), ("parameter", parameter)];
    let of_document = of_documents.into_iter().find(|(_, value)| value.is_some());
    match (kind, of_document) {
        (SuppressionKind::Law, Some((key, _))) => {
            return error(&format!("`{key}` in a suppression of a law; use `activity` or `pointer`"));
        }
        (_, None) if activity.is_none() && pointer.is_none() => {
            return error("missing key `activity`, `variable`, `field`, `parameter` or `pointer` in a suppression");
        }
        _ => {}
    }
    if pointer.as_ref().is_some_and(|pointer| !pointer.is_empty() && !pointer.starts_with('/')) {
        return error("invalid `pointer` of a suppression: it must begin with `/`");
    }
    if reason.trim().is_empty() {
        return error("empty `reason` of a suppression");
    }
    let date_of = |until: &Spanned<toml::value::Datetime>| {
        let invalid = || Invalid::new(until, "invalid `until`: expected a date such as 2027-01-01");
        date(until.get_ref()).ok_or_else(invalid)
    };
    let name_place = places.of(&name.span());
    Ok(Suppression {
        kind,
        name: name.get_ref().clone(),
        file: file.clone(),
        activity: activity.clone(),
        pointer: pointer.clone(),
        variable: variable.clone(),
        field: field.clone(),
        parameter: parameter.clone(),
        reason: reason.clone(),
        until: until.as_ref().map(date_of).transpose()?,
        place: places.of(&entry.span()),
        name_place,
        until_place: until.as_ref().map_or(name_place, |until| places.of(&until.span())),
    })
}

/// The date of a TOML value that has no time.
fn date(value: &toml::value::Datetime) -> Option<Date> {
    let date = value.date.filter(|_| value.time.is_none())?;
    Date::new(date.year.try_into().ok()?, date.month.try_into().ok()?, date.day.try_into().ok()?).ok()
}

/// A `[[suppress]]` entry to add.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewSuppression {
    /// Code of the rule.
    pub rule: String,
    /// Relative to the folder of the configuration.
    pub file: String,
    pub target: SuppressionTarget,
}

/// What a new suppression is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuppressionTarget {
    Activity(String),
    Variable(String),
    Field(String),
    Parameter { activity: String, parameter: String },
    Pointer(String),
}

impl SuppressionTarget {
    /// The keys of an entry.
    fn keys(&self) -> Vec<(&'static str, &str)> {
        match self {
            Self::Activity(name) => vec![("activity", name)],
            Self::Variable(name) => vec![("variable", name)],
            Self::Field(name) => vec![("field", name)],
            Self::Parameter { activity, parameter } => vec![("activity", activity), ("parameter", parameter)],
            Self::Pointer(pointer) => vec![("pointer", pointer)],
        }
    }
}

/// The text with these entries at its end; everything else is unchanged.
///
/// # Errors
/// When the result would not be valid TOML, such as beside an inline array `suppress = […]`.
pub fn with_suppressions(text: &str, entries: &[NewSuppression], reason: &str) -> Result<String, String> {
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut result = text.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        result.push_str(line_end);
    }
    for NewSuppression { rule, file, target } in entries {
        if !result.is_empty() {
            result.push_str(line_end);
        }
        let _ = write!(result, "[[suppress]]{line_end}");
        let keys = [("rule", rule.as_str()), ("file", file)].into_iter().chain(target.keys());
        for (key, value) in keys.chain([("reason", reason)]) {
            let _ = write!(result, "{key} = {}{line_end}", quoted(value, |_, character| is_unsafe(character)));
        }
    }
    match toml_file::read::<toml::Table>("the result", &result) {
        Ok(_) => Ok(result),
        Err(TomlError(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn entry(name: &str) -> NewSuppression {
        NewSuppression {
            rule: "WF414".to_owned(),
            file: "a.json".to_owned(),
            target: SuppressionTarget::Activity(name.to_owned()),
        }
    }

    #[test]
    fn entries_are_appended_and_the_rest_is_unchanged() {
        for text in ["", "ignore = ['WF1'] # why", "[limits]\nmax-depth = 5\n", "# a\r\n[types]\r\n"] {
            let result = with_suppressions(text, &[entry("A"), entry("B")], "as agreed").unwrap();
            assert!(result.starts_with(text), "{result}");
            assert_eq!(result.matches("[[suppress]]").count(), 2, "{result}");
            assert_eq!(result.contains("\r\n\r\n[[suppress]]\r\nrule"), text.contains('\r'), "{result:?}");
        }
    }

    #[test]
    fn any_name_and_reason_reads_back() {
        for name in ["a \"b\" \\ c", "\u{0}\u{1b}\u{7f}\u{85}\n\r\t", "é漢\u{202e}😀", "]]\n[[suppress]]"] {
            let text = with_suppressions("", &[entry(name)], name).unwrap();
            assert!(!text.lines().any(|line| line.contains(is_unsafe)), "{text:?}");
            let file: BTreeMap<String, Vec<SuppressEntry>> = toml::from_str(&text).unwrap();
            let [entry] = file["suppress"].as_slice() else { panic!("{text}") };
            assert_eq!((entry.activity.as_deref(), entry.reason.as_str()), (Some(name), name));
        }
    }

    #[test]
    fn invalid_configuration_gets_no_entries() {
        for text in ["suppress = 5", "suppress = []", "[limits"] {
            assert!(with_suppressions(text, &[entry("A")], "ok").is_err(), "{text}");
        }
    }
}
