//! Codes in place of keys, so that keys are compared without their text.

use foldhash::fast::FixedState;
use std::hash::BuildHasher;

use crate::common::collections::HashMap;

/// A hash of a key. Two keys with the same one are equal, but for one pair in four thousand million.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct KeyCode(u32);

impl KeyCode {
    /// That of values without a key.
    pub const NONE: Self = Self(0);

    #[inline]
    pub fn of(key: &[u8]) -> Self {
        let [a, b, c, d, ..] = FixedState::with_seed(0).hash_one(key).to_le_bytes();
        // Not that of a value without a key.
        Self(u32::from_le_bytes([a, b, c, d]) | 1)
    }
}

/// Values by the keys that a schema describes.
#[derive(Debug, Default)]
pub(crate) struct KeyTable<T>(HashMap<KeyCode, T>);

impl<T: Copy> KeyTable<T> {
    #[inline]
    pub fn get(&self, key: KeyCode) -> Option<T> {
        self.0.get(&key).copied()
    }
}

impl<'k, T> FromIterator<(&'k str, T)> for KeyTable<T> {
    fn from_iter<I: IntoIterator<Item = (&'k str, T)>>(entries: I) -> Self {
        Self(entries.into_iter().map(|(key, value)| (KeyCode::of(key.as_bytes()), value)).collect())
    }
}
