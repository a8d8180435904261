//! Hash maps with a hasher that is fast for short names, and randomly seeded, so that no document can be
//! crafted to collide. No output depends on their order.

use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::hash::Hash;
use std::ops::Deref;
use std::sync::Arc;

pub use foldhash::fast::RandomState;

pub type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;
pub type HashSet<T> = std::collections::HashSet<T, RandomState>;

/// In the order of insertion.
pub type IndexMap<K, V> = indexmap::IndexMap<K, V, RandomState>;
pub type IndexSet<T> = indexmap::IndexSet<T, RandomState>;

/// A map from prefixes. The prefixes of a name are looked up by the existing lengths, so that a long name is not hashed
/// once for each of its characters.
#[derive(Debug, Clone)]
pub struct PrefixMap<T> {
    values: HashMap<String, T>,
    /// The lengths of the prefixes, in bytes.
    lengths: BTreeSet<usize>,
}

impl<T> Default for PrefixMap<T> {
    fn default() -> Self {
        Self { values: HashMap::default(), lengths: BTreeSet::new() }
    }
}

impl<T> PrefixMap<T> {
    /// The value of a prefix; a new prefix gets the default value.
    pub fn of(&mut self, prefix: &str) -> &mut T
    where
        T: Default,
    {
        self.lengths.insert(prefix.len());
        self.values.entry(prefix.to_owned()).or_default()
    }

    /// The prefixes of a name that are in the map, the shortest first, with their values.
    pub fn prefixes<'m, 'n>(&'m self, name: &'n str) -> impl DoubleEndedIterator<Item = (&'n str, &'m T)> {
        let prefixes = self.lengths.range(..=name.len()).filter_map(|&length| name.get(..length));
        prefixes.filter_map(|prefix| Some((prefix, self.values.get(prefix)?)))
    }

    /// Whether a name starts with one of the prefixes.
    pub fn has_prefix_of(&self, name: &str) -> bool {
        self.prefixes(name).next().is_some()
    }
}

/// A list whose copies share its elements until one of them changes.
#[derive(Debug, Clone)]
pub struct SharedList<T>(Arc<Vec<T>>);

impl<T> Default for SharedList<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Deref for SharedList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Clone> SharedList<T> {
    /// Keeps the elements for which a condition is true.
    pub fn retain(&mut self, is_kept: impl Fn(&T) -> bool) {
        if !self.iter().all(&is_kept) {
            Arc::make_mut(&mut self.0).retain(is_kept);
        }
    }

    /// Inserts an element at an index up to the length.
    pub fn insert(&mut self, index: usize, element: T) {
        Arc::make_mut(&mut self.0).insert(index, element);
    }

    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        Arc::make_mut(&mut self.0).get_mut(index)
    }
}

impl<T: PartialEq> PartialEq for SharedList<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

/// A map whose copies share most of it: a copy, and an insertion into one, take about the square root of its size.
#[derive(Debug, Clone)]
pub struct SharedMap<K, V> {
    shared: Arc<HashMap<K, V>>,
    /// Entries inserted since, which take precedence. At most the square root of the number of shared entries.
    own: HashMap<K, V>,
}

impl<K, V> Default for SharedMap<K, V> {
    fn default() -> Self {
        Self { shared: Arc::default(), own: HashMap::default() }
    }
}

impl<K: Hash + Eq + Clone, V: Clone> SharedMap<K, V> {
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.own.get(key).or_else(|| self.shared.get(key))
    }

    pub fn insert(&mut self, key: K, value: V) {
        self.own.insert(key, value);
        if self.own.len() * self.own.len() > self.shared.len() {
            // An empty map that keeps its memory would be copied with that memory.
            Arc::make_mut(&mut self.shared).extend(std::mem::take(&mut self.own));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_a_shared_map_differ_in_what_was_inserted_since() {
        let mut map: SharedMap<u8, u8> = SharedMap::default();
        (0..100).for_each(|key| map.insert(key, key));
        let mut copy = map.clone();
        copy.insert(7, 0);
        (100..120).for_each(|key| copy.insert(key, key));
        assert_eq!((map.get(&7), map.get(&110)), (Some(&7), None));
        assert_eq!((copy.get(&7), copy.get(&110), copy.get(&99)), (Some(&0), Some(&110), Some(&99)));
    }

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
