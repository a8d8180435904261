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
    /// A value with unknown keys, which begin with the prefix of the outputs.
    Prefixed,
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

    pub fn is_open(self) -> bool {
        self.class >= Class::Prefixed
    }
}

/// The value of an entry of a table, which splatting passes to a command.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    pub value: Value,
    /// Whether it is the prefix alone.
    pub is_prefix: bool,
}

/// Tables, joined when a variable may hold either (Steensgaard's points-to analysis): a key of one is then a key of
/// both. So a function is analyzed in one pass.
#[derive(Debug, Default)]
pub(super) struct Tables {
    joined: UnionFind<usize>,
    /// By the representative.
    keys: Vec<Keys>,
}

/// A key, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    pub name: KeyName,
    /// Whether it begins with the prefix.
    pub is_prefixed: bool,
}

/// The name of a key without the prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KeyName {
    Known(String),
    /// Each key of a table.
    Of(usize),
    Computed,
}

#[derive(Debug, Default, Clone)]
pub(super) struct Keys {
    /// By name without the prefix.
    pub known: IndexMap<String, KnownKey>,
    /// Where a key is computed, and whether it begins with the prefix.
    pub computed: Vec<(usize, bool)>,
    /// Those of its entries that are tables or the prefix.
    pub held: Vec<Held>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct KnownKey {
    /// The first place.
    pub at: usize,
    /// Whether it begins with the prefix, in some table: without a prefix, both are the same key.
    pub is_prefixed: bool,
}

impl Keys {
    fn add(&mut self, name: String, key: KnownKey) {
        let known = self.known.entry(name).or_insert(key);
        known.at = known.at.min(key.at);
        known.is_prefixed |= key.is_prefixed;
    }

    /// Adds the known ones.
    pub fn extend(&mut self, others: Self) {
        others.known.into_iter().for_each(|(name, key)| self.add(name, key));
    }

    /// All of them with the prefix.
    fn prefixed(mut self) -> Self {
        self.known.values_mut().for_each(|key| key.is_prefixed = true);
        self.computed.iter_mut().for_each(|(_, is_prefixed)| *is_prefixed = true);
        self
    }
}

impl Tables {
    pub fn create(&mut self) -> usize {
        self.keys.push(Keys::default());
        self.joined.new_set()
    }

    /// A copy of the tables as they are now, perhaps with the prefix before their keys.
    pub fn copy(&mut self, tables: &[usize], is_prefixed: bool) -> usize {
        let copy = self.create();
        for table in tables {
            let representative = self.joined.find_mut(*table);
            let keys = self.keys.get(representative).cloned().unwrap_or_default();
            let keys = if is_prefixed { keys.prefixed() } else { keys };
            if let Some(copied) = self.keys.get_mut(copy) {
                keys.known.into_iter().for_each(|(name, key)| copied.add(name, key));
                copied.computed.extend(keys.computed);
            }
        }
        copy
    }

    pub fn add_key(&mut self, table: usize, key: Key, at: usize) {
        let representative = self.joined.find_mut(table);
        let source = if let KeyName::Of(source) = key.name { self.joined.find_mut(source) } else { representative };
        let all = self.keys.get(source).filter(|_| matches!(key.name, KeyName::Of(_))).cloned();
        let Some(keys) = self.keys.get_mut(representative) else { return };
        match key.name {
            KeyName::Known(name) => keys.add(name, KnownKey { at, is_prefixed: key.is_prefixed }),
            KeyName::Computed => keys.computed.push((at, key.is_prefixed)),
            KeyName::Of(_) => {
                let all = all.map(|all| if key.is_prefixed { all.prefixed() } else { all }).unwrap_or_default();
                all.known.into_iter().for_each(|(name, key)| keys.add(name, key));
                keys.computed.extend(all.computed);
            }
        }
    }

    /// A value of an entry.
    pub fn hold(&mut self, table: usize, held: Held) {
        let representative = self.joined.find_mut(table);
        if let Some(keys) = self.keys.get_mut(representative).filter(|_| held.is_prefix || held.value.table.is_some()) {
            keys.held.push(held);
        }
    }

    /// The values of the entries.
    pub fn held(&mut self, table: usize) -> Vec<Held> {
        let representative = self.joined.find_mut(table);
        self.keys.get(representative).map(|keys| keys.held.clone()).unwrap_or_default()
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
        few.known.into_iter().for_each(|(name, key)| many.add(name, key));
        many.computed.append(&mut few.computed);
        many.held.append(&mut few.held);
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
