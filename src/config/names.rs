//! Finds the names in a configuration file (rules, variables, activities), with their places.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What a name in a configuration stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfigNameKind {
    Variable,
    Activity,
    Method,
    /// The code or name of a rule, or a group of rules.
    Rule,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigName {
    pub kind: ConfigNameKind,
    pub name: String,
    /// In bytes, without quotes.
    pub range: Range<usize>,
}

/// The names of a file; none if it does not parse.
pub fn names(text: &str) -> Vec<ConfigName> {
    let mut names = Names { text, found: Vec::new() };
    if let Ok(table) = DeTable::parse(text) {
        names.of_table(table.get_ref(), &mut Vec::new());
    }
    names.into_sorted()
}

/// What the keys of the table at this path stand for.
fn kind_of_keys(path: &[&str]) -> Option<ConfigNameKind> {
    match path {
        ["severity" | "rule"] => Some(ConfigNameKind::Rule),
        ["law", "when" | "expect", "variables"] => Some(ConfigNameKind::Variable),
        ["law", "when" | "expect", "approvals"] | ["law", "before"] => Some(ConfigNameKind::Activity),
        ["law", "when" | "expect", "calls"] => Some(ConfigNameKind::Method),
        _ => None,
    }
}

/// What the string at this path, or in the array there, stands for.
fn kind_of_string(path: &[&str]) -> Option<ConfigNameKind> {
    match path {
        ["select" | "ignore"] | ["per-file-ignores", _] | ["suppress", "rule"] => Some(ConfigNameKind::Rule),
        ["system-variables"] | ["types", "activities", _, "writes"] => Some(ConfigNameKind::Variable),
        ["law", "before", _] | ["suppress" | "accept-mutant", "activity"] => Some(ConfigNameKind::Activity),
        _ => None,
    }
}

struct Names<'t> {
    text: &'t str,
    found: Vec<ConfigName>,
}

impl Names<'_> {
    fn of_table<'v>(&mut self, table: &'v DeTable<'_>, path: &mut Vec<&'v str>) {
        let kind = kind_of_keys(path);
        for (key, value) in table {
            if let Some(kind) = kind {
                self.add(key.get_ref(), key.span(), kind);
            }
            path.push(key.get_ref());
            self.of_value(value, path);
            path.pop();
        }
    }

    fn of_value<'v>(&mut self, value: &'v Spanned<DeValue<'_>>, path: &mut Vec<&'v str>) {
        match value.get_ref() {
            DeValue::Table(table) => self.of_table(table, path),
            DeValue::Array(array) => array.iter().for_each(|element| self.of_value(element, path)),
            DeValue::String(text) => {
                if let Some(kind) = kind_of_string(path) {
                    self.add(text, value.span(), kind);
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, name: &str, range: Range<usize>, kind: ConfigNameKind) {
        let quotes = match self.text.get(range.clone()).map(str::as_bytes) {
            Some([b'"', b'"', b'"', ..] | [b'\'', b'\'', b'\'', ..]) => 3,
            Some([b'"' | b'\'', ..]) => 1,
            _ => 0,
        };
        let range = range.start + quotes..range.end.saturating_sub(quotes);
        // `!WF101` removes an inherited entry. A name with escapes is skipped, because its text differs from its value.
        let is_removal =
            self.text.get(range.clone()).is_some_and(|written| written.strip_prefix('!') == name.strip_prefix('!'));
        let removal = usize::from(is_removal && name.starts_with('!'));
        let name = name.get(removal..).unwrap_or_default();
        if !name.is_empty() {
            self.found.push(ConfigName { kind, name: name.to_owned(), range: range.start + removal..range.end });
        }
    }

    fn into_sorted(mut self) -> Vec<ConfigName> {
        self.found.sort_by_key(|found| found.range.start);
        self.found.dedup();
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_without_quotes() {
        let text = "select = ['WF1', \"!WF101\"]\nsystem-variables = [\"Ä\"]\n[types.activities]\n\
                    LookUp = { kind = 'leaf', writes = ['Price'] }\n[[law]]\nname = 'l'\n\
                    when.variables = { State = 'x', \"B\" = 1 }\nexpect = { variables = { State = 'y' }, calls = { M = 0 } }\n\
                    before = { 'Request it' = \"Approval\" }\n[[suppress]]\nrule = 'WF404'\nactivity = 'Wait'\n";
        let shown: Vec<String> = names(text)
            .into_iter()
            .map(|found| {
                assert_eq!(text.get(found.range), Some(found.name.as_str()));
                format!("{:?} {}", found.kind, found.name)
            })
            .collect();
        assert_eq!(
            shown,
            [
                "Rule WF1", "Rule WF101", "Variable Ä", "Variable Price", "Variable State", "Variable B",
                "Variable State", "Method M", "Activity Request it", "Activity Approval", "Rule WF404",
                "Activity Wait"
            ]
        );
    }
}
