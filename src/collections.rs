//! Hash maps with a hasher that is quick on the short names of documents, and seeded by chance, so
//! that no document can be made to be slow. No output depends on their order.

/// A hash map.
pub type HashMap<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;
/// A hash set.
pub type HashSet<T> = std::collections::HashSet<T, foldhash::fast::RandomState>;
