//! Merges the files of a configuration: lists are joined, tables are merged by key, and any other value replaces the
//! inherited one.

use toml::{Spanned, Table, Value};

use super::settings::{ConfigPlace, Placed, span};
use crate::collections::HashMap;

/// Prefix of a list entry that removes an inherited entry.
pub(super) const REMOVAL: char = '!';

/// The entries of a list in a file, with their places.
pub(super) fn placed(list: &[Spanned<String>], layer: usize) -> Vec<Placed> {
    list.iter().map(|entry| placed_one(entry, layer)).collect()
}

/// A string of a file, with its place.
pub(super) fn placed_one(entry: &Spanned<String>, layer: usize) -> Placed {
    let place = ConfigPlace { layer, span: span(&entry.span()) };
    Placed { value: entry.get_ref().clone(), place }
}

/// Joins a list to the inherited entries. Returns the removals that match no inherited entry.
pub(super) fn join<T>(inherited: &mut Vec<T>, own: Vec<T>, text: impl Fn(&T) -> Option<&str>) -> Vec<T> {
    let removed = |entry: &T| text(entry).and_then(|text| text.strip_prefix(REMOVAL)).map(str::to_owned);
    let (removals, own): (Vec<T>, Vec<T>) = own.into_iter().partition(|entry| removed(entry).is_some());
    // Whether each removal removes an inherited entry.
    let mut is_used: HashMap<String, bool> = removals.iter().filter_map(removed).map(|text| (text, false)).collect();
    inherited.retain(|entry| match text(entry).and_then(|text| is_used.get_mut(text)) {
        Some(is_used) => {
            *is_used = true;
            false
        }
        None => true,
    });
    inherited.extend(own);
    // Of equal removals, only the first one removes an entry.
    removals
        .into_iter()
        .filter(|removal| removed(removal).and_then(|text| is_used.remove(&text)) != Some(true))
        .collect()
}

/// Merges the table of a file into that of the files that it extends.
pub(super) fn merge(inherited: &mut Table, own: &Table) {
    for (key, value) in own {
        match (inherited.get_mut(key), value) {
            (Some(Value::Table(inherited)), Value::Table(own)) => merge(inherited, own),
            (Some(Value::Array(inherited)), Value::Array(own)) => {
                join(inherited, own.clone(), Value::as_str);
            }
            (_, Value::Array(own)) => {
                let mut joined = Vec::new();
                join(&mut joined, own.clone(), Value::as_str);
                inherited.insert(key.clone(), Value::Array(joined));
            }
            (_, Value::Table(own)) => {
                let mut merged = Table::new();
                merge(&mut merged, own);
                inherited.insert(key.clone(), Value::Table(merged));
            }
            (_, value) => {
                inherited.insert(key.clone(), value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_joined_tables_merged_and_other_values_replaced() {
        let mut merged = Table::new();
        for text in [
            "a = ['x', 'y', 'x']\nb = 1\n[t]\nk = 1\nl = ['p']\n[t.u]\nv = 'leaf'",
            "a = ['!x', 'z', '!none']\nb = 2\n[t]\nm = 2\nl = ['q']\n[t.u]\nv = { kind = 'leaf' }",
            "a = []\nc = ['!b', 'c']\n[t]\nk = 3",
        ] {
            merge(&mut merged, &text.parse().unwrap());
        }
        let wanted =
            "a = ['y', 'z']\nb = 2\nc = ['c']\n[t]\nk = 3\nl = ['p', 'q']\nm = 2\n[t.u]\nv = { kind = 'leaf' }";
        assert_eq!(merged, wanted.parse().unwrap());
    }

    #[test]
    fn removals_of_what_is_not_inherited_are_returned() {
        let mut inherited = vec!["a", "b", "a"];
        let unused = join(&mut inherited, vec!["c", "!a", "!c", "!d"], |entry| Some(entry));
        assert_eq!((inherited, unused), (vec!["b", "c"], vec!["!c", "!d"]));
    }
}
