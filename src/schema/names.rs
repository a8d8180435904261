//! Sets of keys, looked up by the codes that a parsed document has already.

use std::collections::BTreeSet;

use crate::document::{Document, KeyCode, NodeId};

/// A hash table with linear probing, from the codes of known keys to numbers. They are certain: every key of a schema is
/// known.
#[derive(Debug, Clone, Default)]
pub(super) struct Table(Vec<(KeyCode, u16)>);

impl Table {
    /// Numbers the keys in their order. At most a quarter of the slots is taken, so that most lookups end at the first one.
    pub fn new(keys: impl ExactSizeIterator<Item = KeyCode>) -> Self {
        let mut table = vec![(KeyCode::NONE, 0); (keys.len() * 4).next_power_of_two().max(8)];
        let mask = table.len() - 1;
        for (number, key) in (0..).zip(keys) {
            let mut at = key.low_bits() as usize & mask;
            while table.get(at).is_some_and(|&(taken, _)| taken != KeyCode::NONE) {
                at = (at + 1) & mask;
            }
            if let Some(slot) = table.get_mut(at) {
                *slot = (key, number);
            }
        }
        Self(table)
    }

    /// The number of a key.
    #[inline]
    pub fn find(&self, key: KeyCode) -> Option<usize> {
        let mask = self.0.len().checked_sub(1)?;
        let mut at = key.low_bits() as usize & mask;
        loop {
            let &(known, number) = self.0.get(at)?;
            if known == key || known == KeyCode::NONE {
                return (known != KeyCode::NONE).then_some(usize::from(number));
            }
            at = (at + 1) & mask;
        }
    }
}

/// A set of keys, in which membership of a parsed key costs no hashing.
#[derive(Debug)]
pub struct KeySet {
    /// Sorted.
    names: Vec<String>,
    table: Table,
}

impl KeySet {
    /// Whether the key of a value is in the set; false if it has no key.
    pub fn contains_key_of(&self, document: &Document, member: NodeId) -> bool {
        self.table.find(document.key_code(member)).is_some()
    }

    /// The number of a key, in sorted order.
    pub fn number_of(&self, key: &str) -> Option<u16> {
        let number = self.names.binary_search_by(|name| name.as_str().cmp(key)).ok()?;
        u16::try_from(number).ok()
    }

    /// The key with this number.
    pub fn get(&self, number: u16) -> Option<&str> {
        self.names.get(usize::from(number)).map(String::as_str)
    }

    /// The keys, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

impl FromIterator<String> for KeySet {
    fn from_iter<T: IntoIterator<Item = String>>(names: T) -> Self {
        let names = Vec::from_iter(names.into_iter().collect::<BTreeSet<_>>());
        let table = Table::new(names.iter().map(|name| KeyCode::of(name.as_bytes())));
        Self { names, table }
    }
}
