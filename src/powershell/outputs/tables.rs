//! The tables of a function, with their keys, and the values that may hold them.

use petgraph::unionfind::UnionFind;

use crate::common::collections::IndexMap;

/// The class of a value. If several are possible, the later one applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Class {
    /// Nothing, or `$null`.
    #[default]
    Nothing,
    /// A string, a number or the like, which has no keys.
    Scalar,
    Table,
    /// A value with unknown keys.
    Unknown,
}

/// What a variable or an expression may hold.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Value {
    pub class: Class,
    pub table: Option<usize>,
}

impl Value {
    pub const NOTHING: Self = Self { class: Class::Nothing, table: None };
    pub const SCALAR: Self = Self { class: Class::Scalar, table: None };
    pub const UNKNOWN: Self = Self { class: Class::Unknown, table: None };
}

/// Tables, joined when a variable may hold either (Steensgaard's points-to analysis): a key of one is then a key of
/// both. So a function is analyzed in one pass.
#[derive(Debug, Default)]
pub(super) struct Tables {
    joined: UnionFind<usize>,
    /// By the representative.
    keys: Vec<Keys>,
}

#[derive(Debug, Default)]
pub(super) struct Keys {
    /// With their first places.
    pub known: IndexMap<String, usize>,
    /// Where a key is computed.
    pub computed: Vec<usize>,
}

impl Keys {
    fn add(&mut self, key: String, at: usize) {
        let first = self.known.entry(key).or_insert(at);
        *first = at.min(*first);
    }
}

impl Tables {
    pub fn create(&mut self) -> usize {
        self.keys.push(Keys::default());
        self.joined.new_set()
    }

    /// Adds a key, which is computed if it is `None`.
    pub fn add_key(&mut self, table: usize, key: Option<&str>, at: usize) {
        let representative = self.joined.find_mut(table);
        match (self.keys.get_mut(representative), key) {
            (Some(keys), Some(key)) => keys.add(key.to_owned(), at),
            (Some(keys), None) => keys.computed.push(at),
            (None, _) => {}
        }
    }

    /// Either of two values.
    pub fn join(&mut self, one: Value, other: Value) -> Value {
        if let (Some(one), Some(other)) = (one.table, other.table) {
            self.union(one, other);
        }
        Value { class: one.class.max(other.class), table: one.table.or(other.table) }
    }

    fn union(&mut self, one: usize, other: usize) {
        let (one, other) = (self.joined.find_mut(one), self.joined.find_mut(other));
        if one == other {
            return;
        }
        let (mut many, mut few) = (self.take(one), self.take(other));
        if many.known.len() < few.known.len() {
            std::mem::swap(&mut many, &mut few);
        }
        few.known.into_iter().for_each(|(key, at)| many.add(key, at));
        many.computed.append(&mut few.computed);
        self.joined.union(one, other);
        let representative = self.joined.find_mut(one);
        if let Some(keys) = self.keys.get_mut(representative) {
            *keys = many;
        }
    }

    /// Takes the keys of a table.
    pub fn take(&mut self, table: usize) -> Keys {
        let representative = self.joined.find_mut(table);
        self.keys.get_mut(representative).map(std::mem::take).unwrap_or_default()
    }
}
