//! Adds the entries of a catalog that a TOML document lacks, and keeps its line endings.

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::new_catalog::NewCatalog;
use crate::catalog::method::{Method, Output};
use crate::catalog::parameter::{Additional, Parameter, Usage, ValueType};
use crate::common::collections::HashMap;
use crate::text::alignment;

/// The key that identifies the entries of an array.
const NAME: &str = "name";

/// Adds what the document lacks; returns whether the document changed.
pub(super) fn add_catalog(document: &mut DocumentMut, catalog: &NewCatalog) -> bool {
    let root = document.as_table_mut();
    let mut is_changed = add_text(root, "plugin", Some(&catalog.plugin));
    is_changed |= add_text(root, "package", catalog.package.as_deref());
    is_changed |= add_text(root, "module", catalog.module.as_deref());
    let methods = named(&catalog.methods, |method| &method.name);
    add_entries(root, ("methods", "\n\n"), methods, add_method) || is_changed
}

/// The items with a non-empty name, and that name.
fn named<'i, T>(items: &'i [T], name: impl Fn(&'i T) -> &'i str) -> impl Iterator<Item = (&'i str, &'i T)> {
    items.iter().map(move |item| (name(item), item)).filter(|(name, _)| !name.is_empty())
}

fn add_method(table: &mut dyn TableLike, method: &Method) -> bool {
    let mut is_changed = method.method_id.is_some_and(|id| add(table, "method-id", id));
    is_changed |= add_text(table, "description", method.description.as_deref());
    if method.has_open_outputs() {
        is_changed |= add(table, "open-outputs", true);
    }
    if let Some(prefixed) = method.open_prefixed {
        is_changed |= add(table, "open-prefixed", prefixed);
    }
    let parameters = named(&method.parameters, |parameter| &parameter.name);
    is_changed |= add_entries(table, ("parameters", "\n"), parameters, add_parameter);
    let outputs = named(&method.outputs, |output| output.name.as_deref().unwrap_or_default());
    is_changed |= add_entries(table, ("outputs", "\n"), outputs, add_output);
    let additional = named(&method.additional, |additional| &additional.name);
    let additional = additional.filter(|(name, _)| is_additional_name(name));
    add_entries(table, ("additional", "\n"), additional, add_additional) || is_changed
}

fn add_parameter(table: &mut dyn TableLike, parameter: &Parameter) -> bool {
    let mut is_changed = add_text(table, "type", parameter.value_type.map(ValueType::word));
    if parameter.required {
        is_changed |= add(table, "required", true);
    }
    if parameter.sometimes_required {
        is_changed |= add(table, "sometimes-required", true);
    }
    is_changed |= add_text(table, "description", parameter.description.as_deref());
    is_changed |= add_text(table, "kind", parameter.kind.map(|kind| kind.word()));
    if !parameter.values.is_empty() {
        is_changed |= add(table, "values", parameter.values.iter().map(String::as_str).collect::<Array>());
    }
    parameter.default.as_ref().is_some_and(|default| add(table, "default", default)) || is_changed
}

fn add_output(table: &mut dyn TableLike, output: &Output) -> bool {
    let is_changed = output.prefixed.is_some_and(|prefixed| add(table, "prefixed", prefixed));
    add_text(table, "description", output.description.as_deref()) || is_changed
}

fn add_additional(table: &mut dyn TableLike, additional: &Additional) -> bool {
    let usage = match additional.usage {
        Usage::Used => "used",
        Usage::Ignored => "ignored",
    };
    let is_changed = add(table, "use", usage);
    add_text(table, "description", additional.description.as_deref()) || is_changed
}

/// Whether a name is valid for an additional parameter: its only wildcard is a trailing `*`.
fn is_additional_name(name: &str) -> bool {
    let beginning = name.strip_suffix('*').unwrap_or(name);
    !beginning.is_empty() && !beginning.contains('*')
}

/// Adds a key unless there is one.
fn add(table: &mut dyn TableLike, key: &str, value: impl Into<Value>) -> bool {
    if table.contains_key(key) {
        return false;
    }
    table.insert(key, Item::Value(value.into()));
    true
}

fn add_text(table: &mut dyn TableLike, key: &str, text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.is_empty() && add(table, key, text))
}

/// Applies `change` to the entry of each item, by name. A missing entry is added, with `space` before it. Returns
/// whether anything changed.
fn add_entries<'i, T>(
    table: &mut dyn TableLike,
    (array, space): (&str, &str),
    items: impl Iterator<Item = (&'i str, &'i T)>,
    change: impl Fn(&mut dyn TableLike, &T) -> bool,
) -> bool
where
    T: 'i,
{
    let mut items = items.peekable();
    if items.peek().is_none() {
        return false;
    }
    if !table.contains_key(array) {
        table.insert(array, Item::ArrayOfTables(ArrayOfTables::new()));
    }
    let mut is_changed = false;
    match table.get_mut(array) {
        Some(Item::ArrayOfTables(tables)) => {
            let mut known = index(tables.iter().map(|table| table as &dyn TableLike));
            for (name, item) in items {
                if let Some(entry) = known.get(name).and_then(|&index| tables.get_mut(index)) {
                    is_changed |= change(entry, item);
                    continue;
                }
                let mut new = Table::new();
                new.decor_mut().set_prefix(if tables.is_empty() { "\n" } else { space });
                new.insert(NAME, Item::Value(name.into()));
                change(&mut new, item);
                known.insert(name.to_owned(), tables.len());
                tables.push(new);
                is_changed = true;
            }
        }
        Some(Item::Value(Value::Array(values))) => {
            let mut known = index(values.iter().filter_map(|value| Some(value.as_inline_table()? as &dyn TableLike)));
            for (name, item) in items {
                let entry = known.get(name).and_then(|&index| values.get_mut(index));
                if let Some(entry) = entry.and_then(Value::as_inline_table_mut) {
                    is_changed |= change(entry, item);
                    continue;
                }
                let mut new = InlineTable::new();
                new.insert(NAME, name.into());
                change(&mut new, item);
                known.insert(name.to_owned(), values.len());
                push(values, new);
                is_changed = true;
            }
        }
        _ => {}
    }
    is_changed
}

/// The places of the entries of an array, by name; the first of several with one name.
fn index<'t>(entries: impl Iterator<Item = &'t dyn TableLike>) -> HashMap<String, usize> {
    let mut known = HashMap::default();
    for (index, entry) in entries.enumerate() {
        if let Some(name) = entry.get(NAME).and_then(Item::as_str) {
            known.entry(name.to_owned()).or_insert(index);
        }
    }
    known
}

/// Adds to an array in its style: on its own line if the last entry has one. Comments stay with their entries.
fn push(values: &mut Array, new: InlineTable) {
    let text = |raw: Option<&toml_edit::RawString>| raw.and_then(|raw| raw.as_str()).unwrap_or_default().to_owned();
    let mut new = Value::InlineTable(new);
    let Some(last) = values.iter_mut().last() else {
        values.push_formatted(new);
        return;
    };
    let prefix = text(last.decor().prefix());
    let indent = prefix.rsplit_once('\n').map(|(_, indent)| format!("\n{indent}"));
    let suffix = text(last.decor().suffix());
    last.decor_mut().set_suffix("");
    let is_ended = values.trailing_comma();
    let rest = if is_ended { text(Some(values.trailing())) } else { suffix };
    let (before, after) = match rest.rfind('\n') {
        Some(end) => rest.split_at(end),
        None => ("", rest.as_str()),
    };
    new.decor_mut().set_prefix(format!("{before}{}", indent.unwrap_or_else(|| " ".to_owned())));
    if is_ended {
        new.decor_mut().set_suffix("");
        let after = after.to_owned();
        values.push_formatted(new);
        values.set_trailing(after);
    } else {
        new.decor_mut().set_suffix(after);
        values.push_formatted(new);
    }
}

/// A text with LF alone, and the original text.
pub(super) struct Lines<'t> {
    original: &'t str,
    pub text: String,
}

impl<'t> Lines<'t> {
    pub fn new(original: &'t str) -> Self {
        Self { original, text: original.replace("\r\n", "\n") }
    }

    /// The edited text with its original lines where they did not change. New lines end in CRLF if the first line does.
    pub fn restored(&self, edited: &str) -> String {
        let original: Vec<&str> = self.original.split_inclusive('\n').collect();
        let end = if original.first().is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" };
        let old: Vec<&str> = self.text.lines().collect();
        let new: Vec<&str> = edited.lines().collect();
        let mut lines: Vec<String> = Vec::with_capacity(new.len());
        for block in alignment::blocks(&old, &new) {
            if block.is_equal {
                for line in original.get(block.before).unwrap_or_default() {
                    lines.push(format!("{line}{}", if line.ends_with('\n') { "" } else { end }));
                }
            } else {
                let changed = new.get(block.after).unwrap_or_default();
                lines.extend(changed.iter().map(|line| format!("{line}{end}")));
            }
        }
        let mut restored = lines.concat();
        // `toml_edit` ends the last line.
        if !self.original.ends_with('\n') && old.last() == new.last() {
            restored.truncate(restored.trim_end_matches(['\r', '\n']).len());
        }
        restored
    }
}
