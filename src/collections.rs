//! Hash maps with a hasher that is fast for short names, and randomly seeded, so that no document can be
//! crafted to collide. No output depends on their order.

use std::collections::BTreeSet;

pub use foldhash::fast::RandomState;

pub type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;
pub type HashSet<T> = std::collections::HashSet<T, RandomState>;

/// In the order of insertion.
pub type IndexMap<K, V> = indexmap::IndexMap<K, V, RandomState>;
pub type IndexSet<T> = indexmap::IndexSet<T, RandomState>;

/// A map from prefixes. Those of a name are found by the lengths that there are, so that a long name is not hashed once
/// for each of its characters.
#[derive(Debug, Clone)]
pub struct PrefixMap<T> {
    values: HashMap<String, T>,
    /// Those of the prefixes, in bytes.
    lengths: BTreeSet<usize>,
}

impl<T> Default for PrefixMap<T> {
    fn default() -> Self {
        Self { values: HashMap::default(), lengths: BTreeSet::new() }
    }
}

impl<T> PrefixMap<T> {
    /// The value of a prefix; a default one if it is new.
    pub fn of(&mut self, prefix: &str) -> &mut T
    where
        T: Default,
    {
        self.lengths.insert(prefix.len());
        self.values.entry(prefix.to_owned()).or_default()
    }

    /// The prefixes of a name that there are, the shortest first, with their values.
    pub fn prefixes<'m, 'n>(&'m self, name: &'n str) -> impl DoubleEndedIterator<Item = (&'n str, &'m T)> {
        let prefixes = self.lengths.range(..=name.len()).filter_map(|&length| name.get(..length));
        prefixes.filter_map(|prefix| Some((prefix, self.values.get(prefix)?)))
    }

    /// Whether a name starts with one of the prefixes.
    pub fn has_prefix_of(&self, name: &str) -> bool {
        self.prefixes(name).next().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_of_a_name_are_found_by_length() {
        let mut map: PrefixMap<u8> = PrefixMap::default();
        for (value, prefix) in (1..).zip(["ES", "", "ESign", "ä", "ESignIds"]) {
            *map.of(prefix) = value;
        }
        *map.of("ES") += 10;
        let found = |name| map.prefixes(name).map(|(_, value)| *value).collect::<Vec<u8>>();
        assert_eq!(found("ESignId"), [2, 11, 3]);
        assert_eq!(found("ö"), [2], "half of a character is not a prefix");
        assert!(!PrefixMap::<u8>::default().has_prefix_of(""));
    }
}
