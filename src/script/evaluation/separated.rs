//! Strings of many parts, such as a script may split.

use super::values::{NUMBERS_PER_VALUE, plausible};

/// The parts of a string, or of a part of it: different kinds, because a script may expect each of them anywhere.
const PARTS: [&str; 6] = ["name", "mail", "mobile", "personnummer", "name", "mail"];

/// Parts of a string, the first of which has the kind that its name suggests.
pub(super) fn parts(name: &str, number: usize, count: usize) -> Vec<String> {
    let kinds = std::iter::once(name).chain(PARTS.into_iter().cycle().skip(1));
    let part = |(index, kind): (usize, &str)| plausible(kind, number * NUMBERS_PER_VALUE + index);
    kinds.enumerate().map(part).take(count).collect()
}

/// A string of keys with values: `mobile=+46700000001;mail=name2@example.com`.
pub(super) fn pairs(keys: &[&str], number: usize, outer: &str, inner: &str) -> String {
    let value = |index: usize, key: &str| plausible(key, number * NUMBERS_PER_VALUE + index);
    let pairs = keys.iter().enumerate().map(|(index, key)| format!("{key}{inner}{}", value(index, key)));
    pairs.collect::<Vec<_>>().join(outer)
}

/// A string of parts. With constants each of them is a part.
pub(super) fn join(name: &str, number: usize, outer: &str, inner: Option<&str>, constants: &[&str]) -> String {
    let part = |kind: &str, index: usize| plausible(kind, number * NUMBERS_PER_VALUE + index);
    let item = |item: usize| match inner {
        None if item == 0 && constants.is_empty() => part(name, 0),
        None => constants
            .get(item)
            .map_or_else(|| part(PARTS.get(item % 6).unwrap_or(&"name"), item), |it| (*it).to_owned()),
        Some(inner) => {
            let fields = PARTS.iter().enumerate().map(|(field, kind)| match constants.get(item) {
                Some(constant) if field > 1 => (*constant).to_owned(),
                _ => part(kind, item * 6 + field),
            });
            fields.collect::<Vec<_>>().join(inner)
        }
    };
    (0..3.max(constants.len() + 1)).map(item).collect::<Vec<_>>().join(outer)
}
