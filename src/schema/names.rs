//! Sets of keys, looked up by the codes that a parsed document has already.

use std::collections::BTreeSet;

use crate::document::{Document, KeyCode, NodeId};

#[derive(Debug, Clone)]
pub(super) struct Name {
    pub text: String,
    pub code: KeyCode,
}

impl Name {
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), code: KeyCode::of(text.as_bytes()) }
    }
}

/// A hash table with linear probing, from the low bits of a code to the index of a name plus 1; 0 is an
/// empty slot.
#[derive(Debug, Clone, Default)]
pub(super) struct Table(Vec<u16>);

impl Table {
    /// At most a quarter of the slots is taken, so that most lookups end at the first one.
    pub fn new<'n>(names: impl ExactSizeIterator<Item = &'n Name>) -> Self {
        let mut table = vec![0; (names.len() * 4).next_power_of_two().max(8)];
        let mask = table.len() - 1;
        for (number, name) in (1u16..).zip(names) {
            let mut at = name.code.low_bits() as usize & mask;
            while table.get(at).is_some_and(|&taken| taken != 0) {
                at = (at + 1) & mask;
            }
            if let Some(place) = table.get_mut(at) {
                *place = number;
            }
        }
        Self(table)
    }

    /// The index of the key of `member`; `name` gives the names by index.
    pub fn find<'n>(
        &self,
        document: &Document,
        member: NodeId,
        name: impl Fn(usize) -> Option<&'n Name>,
    ) -> Option<usize> {
        let code = document.key_code(member);
        let mask = self.0.len().checked_sub(1)?;
        let mut at = code.low_bits() as usize & mask;
        loop {
            let number = usize::from(*self.0.get(at)?).checked_sub(1)?;
            let known = name(number)?;
            if known.code == code && (code.is_certain() || document.key_is(member, &known.text)) {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }
}

/// A set of keys, in which membership of a parsed key costs no hashing.
#[derive(Debug)]
pub struct KeySet {
    names: Vec<Name>,
    table: Table,
}

impl KeySet {
    /// Whether the key of a value is in the set; false if it has no key.
    pub fn contains_key_of(&self, document: &Document, member: NodeId) -> bool {
        self.table.find(document, member, |number| self.names.get(number)).is_some()
    }

    /// The number of a key, in sorted order.
    pub fn number_of(&self, key: &str) -> Option<u16> {
        let number = self.names.binary_search_by(|name| name.text.as_str().cmp(key)).ok()?;
        u16::try_from(number).ok()
    }

    /// The key with this number.
    pub fn get(&self, number: u16) -> Option<&str> {
        self.names.get(usize::from(number)).map(|name| name.text.as_str())
    }

    /// The keys, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| name.text.as_str())
    }
}

impl FromIterator<String> for KeySet {
    fn from_iter<T: IntoIterator<Item = String>>(names: T) -> Self {
        let sorted: BTreeSet<String> = names.into_iter().collect();
        let names: Vec<Name> = sorted.iter().map(|name| Name::new(name)).collect();
        let table = Table::new(names.iter());
        Self { names, table }
    }
}
