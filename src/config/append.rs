//! Adding `[[suppress]]` entries to the text of a configuration file.

use std::fmt::Write;

use toml::de::{DeTable, DeValue};

use super::file::ConfigFile;
use crate::text::is_unsafe;
use crate::toml_file::quoted;

/// A `[[suppress]]` entry to add.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewSuppression {
    /// Code of the rule.
    pub rule: String,
    /// Relative to the folder of the configuration.
    pub file: String,
    pub target: SuppressionTarget,
}

/// What a suppression is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuppressionTarget {
    Activity(String),
    Pointer(String),
}

impl NewSuppression {
    /// Its keys and values.
    fn members(&self, reason: &str) -> [String; 4] {
        let target = match &self.target {
            SuppressionTarget::Activity(name) => ("activity", name.as_str()),
            SuppressionTarget::Pointer(pointer) => ("pointer", pointer.as_str()),
        };
        let members = [("rule", self.rule.as_str()), ("file", self.file.as_str()), target, ("reason", reason)];
        members.map(|(key, value)| format!("{key} = {}", quoted(value, |_, character| is_unsafe(character))))
    }
}

/// The text with these entries at its end; everything else is unchanged.
///
/// # Errors
/// When the result would not be a valid configuration.
pub fn with_suppressions(text: &str, entries: &[NewSuppression], reason: &str) -> Result<String, String> {
    let parse = |text: &str| toml::from_str::<ConfigFile>(text).map_err(|error| error.message().to_owned());
    let before = parse(text)?.suppress.len();
    let result = match inline_array(text) {
        Some(array) => {
            let entries: Vec<String> =
                entries.iter().map(|entry| format!("{{ {} }}", entry.members(reason).join(", "))).collect();
            let (start, end) = text.split_at_checked(array.insert_at).unwrap_or((text, ""));
            let comma = if array.is_empty { "" } else { ", " };
            format!("{start}{comma}{}{end}", entries.join(", "))
        }
        None => append(text, entries, reason),
    };
    if parse(&result)?.suppress.len() == before + entries.len() {
        Ok(result)
    } else {
        Err("the entries cannot be added at its end".to_owned())
    }
}

fn append(text: &str, entries: &[NewSuppression], reason: &str) -> String {
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut result = text.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        result.push_str(line_end);
    }
    for entry in entries {
        if !result.is_empty() {
            result.push_str(line_end);
        }
        let _ = write!(result, "[[suppress]]{line_end}");
        for member in entry.members(reason) {
            let _ = write!(result, "{member}{line_end}");
        }
    }
    result
}

/// `suppress = [{ … }]`, which `[[suppress]]` cannot extend.
struct InlineArray {
    /// The end of its last entry, or of its opening bracket.
    insert_at: usize,
    is_empty: bool,
}

fn inline_array(text: &str) -> Option<InlineArray> {
    let table = DeTable::parse(text).ok()?;
    let (_, value) = table.get_ref().iter().find(|(key, _)| key.get_ref().as_ref() == "suppress")?;
    let DeValue::Array(array) = value.get_ref() else { return None };
    let start = value.span().start;
    let is_inline = text.get(start..).is_some_and(|text| text.starts_with('[') && !text.starts_with("[["));
    let last = array.iter().last().map(|entry| entry.span().end);
    is_inline.then_some(InlineArray { insert_at: last.unwrap_or(start + 1), is_empty: last.is_none() })
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn entries_of_an_array_are_added_to_it() {
        let written = "{ rule = \"WF414\", file = \"a.json\", activity = \"A\", reason = \"ok\" }";
        let old = "{ rule = 'WF1', file = 'b', pointer = '', reason = 'x' }";
        for (text, wanted) in [
            ("suppress = []\n", format!("suppress = [{written}]\n")),
            (&format!("suppress = [{old}, # why\n]\n"), format!("suppress = [{old}, {written}, # why\n]\n")),
        ] {
            assert_eq!(with_suppressions(text, &[entry("A")], "ok").unwrap(), wanted);
        }
    }

    #[test]
    fn any_name_and_reason_reads_back() {
        for name in ["a \"b\" \\ c", "\u{0}\u{1b}\u{7f}\u{85}\n\r\t", "é漢\u{202e}😀", "]]\n[[suppress]]"] {
            let text = with_suppressions("", &[entry(name)], name).unwrap();
            assert!(!text.lines().any(|line| line.contains(is_unsafe)), "{text:?}");
            let file: ConfigFile = toml::from_str(&text).unwrap();
            let read = file.suppress.first().unwrap().get_ref();
            assert_eq!((read.activity.as_deref(), read.reason.as_str()), (Some(name), name));
        }
    }

    #[test]
    fn invalid_configuration_gets_no_entries() {
        assert!(with_suppressions("suppress = 5", &[entry("A")], "ok").is_err());
        assert!(with_suppressions("[limits", &[entry("A")], "ok").is_err());
    }
}
