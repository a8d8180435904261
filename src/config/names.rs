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
    use ConfigNameKind::{Activity, Method, Rule, Variable};
    let Ok(table) = DeTable::parse(text) else { return Vec::new() };
    let table = table.get_ref();
    let mut names = Names { text, found: Vec::new() };
    for key in ["select", "ignore"] {
        names.strings(value(table, key), Rule);
    }
    names.keys(value(table, "severity"), Rule);
    for (_, list) in value(table, "per-file-ignores").and_then(as_table).into_iter().flatten() {
        names.strings(Some(list.get_ref()), Rule);
    }
    names.strings(value(table, "system-variables"), Variable);
    let types = value(table, "types").and_then(as_table);
    let activities = types.and_then(|types| value(types, "activities")).and_then(as_table);
    for (_, declared) in activities.into_iter().flatten() {
        names.strings(as_table(declared.get_ref()).and_then(|declared| value(declared, "writes")), Variable);
    }
    for law in tables(value(table, "law")) {
        for condition in ["when", "expect"].into_iter().filter_map(|key| as_table(value(law, key)?)) {
            names.keys(value(condition, "variables"), Variable);
            names.keys(value(condition, "approvals"), Activity);
            names.keys(value(condition, "calls"), Method);
        }
        let before = value(law, "before");
        names.keys(before, Activity);
        for (_, first) in before.and_then(as_table).into_iter().flatten() {
            names.string(first, Activity);
        }
    }
    for (list, keys) in
        [("suppress", [("rule", Rule), ("activity", Activity)]), ("accept-mutant", [("activity", Activity); 2])]
    {
        for entry in tables(value(table, list)) {
            for (key, kind) in keys {
                entry
                    .iter()
                    .filter(|(found, _)| found.get_ref() == key)
                    .for_each(|(_, value)| names.string(value, kind));
            }
        }
    }
    names.into_sorted()
}

struct Names<'t> {
    text: &'t str,
    found: Vec<ConfigName>,
}

impl Names<'_> {
    fn keys(&mut self, table: Option<&DeValue<'_>>, kind: ConfigNameKind) {
        for (key, _) in table.and_then(as_table).into_iter().flatten() {
            self.add(key.get_ref(), key.span(), kind);
        }
    }

    fn strings(&mut self, list: Option<&DeValue<'_>>, kind: ConfigNameKind) {
        if let Some(DeValue::Array(list)) = list {
            list.iter().for_each(|entry| self.string(entry, kind));
        }
    }

    fn string(&mut self, value: &Spanned<DeValue<'_>>, kind: ConfigNameKind) {
        if let DeValue::String(text) = value.get_ref() {
            self.add(text, value.span(), kind);
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

fn value<'t, 'i>(table: &'t DeTable<'i>, wanted: &str) -> Option<&'t DeValue<'i>> {
    table.iter().find(|(key, _)| key.get_ref().as_ref() == wanted).map(|(_, value)| value.get_ref())
}

fn as_table<'t, 'i>(value: &'t DeValue<'i>) -> Option<&'t DeTable<'i>> {
    if let DeValue::Table(table) = value { Some(table) } else { None }
}

fn tables<'t, 'i>(list: Option<&'t DeValue<'i>>) -> impl Iterator<Item = &'t DeTable<'i>> {
    let list = if let Some(DeValue::Array(list)) = list { Some(list) } else { None };
    list.into_iter().flatten().filter_map(|entry| as_table(entry.get_ref()))
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
                "Rule WF1",
                "Rule WF101",
                "Variable Ä",
                "Variable Price",
                "Variable State",
                "Variable B",
                "Variable State",
                "Method M",
                "Activity Request it",
                "Activity Approval",
                "Rule WF404",
                "Activity Wait"
            ]
        );
    }
}
