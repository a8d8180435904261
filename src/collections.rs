//! Hash maps with a hasher that is fast for short names, and randomly seeded, so that no document can be
//! crafted to collide. No output depends on their order.

pub type HashMap<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;
pub type HashSet<T> = std::collections::HashSet<T, foldhash::fast::RandomState>;
