//! Sets of keys, looked up by the codes that a parsed document has already.

use std::collections::BTreeSet;

use crate::document::{Document, KeyCode, NodeId};

/// From keys of schemas to numbers: for each known key, by its own number, that of the key here plus 1, or 0.
#[derive(Debug, Clone, Default)]
pub(super) struct Table(Vec<u8>);

const _: () = assert!(KeyCode::KNOWN <= u8::MAX as usize);

impl Table {
    /// Numbers the keys in their order. They are known: the schemas have them.
    pub fn new(keys: impl Iterator<Item = KeyCode>) -> Self {
        let mut table = vec![0; KeyCode::KNOWN];
        for (number, key) in (1..).zip(keys) {
            if let Some(place) = table.get_mut(key.number()) {
                *place = number;
            }
        }
        Self(table)
    }

    /// The number of a key.
    #[inline]
    pub fn find(&self, key: KeyCode) -> Option<usize> {
        usize::from(*self.0.get(key.number())?).checked_sub(1)
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
