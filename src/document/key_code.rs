//! Numbers in place of keys, so that most keys are compared without their text.

/// The keys of the schemas of documents, sorted. The build script collects them.
const KNOWN: &[&str] = include!(concat!(env!("OUT_DIR"), "/known_keys.rs"));

/// A hash table with linear probing, from the low bits of a hash to the index of a known key plus 1; 0 is an empty slot.
static SLOTS: [u16; 1 << SLOT_BITS] = slots();
const SLOT_BITS: u32 = 11;
// At most a quarter of the slots is taken, so that most lookups end at the first one.
const _: () = assert!(KNOWN.len() < (1 << SLOT_BITS) / 4);

/// Those of the known keys.
static KNOWN_ENDS: [Ends; KNOWN.len()] = known_ends();

/// What two equal keys have in common: the number of a known key, or a hash of any other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct KeyCode(u32);

/// The bit that hashes have and numbers of known keys have not.
const HASHED: u32 = 1 << 31;

impl KeyCode {
    /// That of values without a key.
    pub const NONE: Self = Self(0);

    #[inline]
    pub fn of(key: &[u8]) -> Self {
        let ends = Ends::of(key);
        let hash = ends.hash();
        let mut at = hash;
        loop {
            let number = SLOTS.get((at & ((1 << SLOT_BITS) - 1)) as usize).copied().unwrap_or(0);
            let index = usize::from(number).wrapping_sub(1);
            let Some(known) = KNOWN_ENDS.get(index) else { return Self(hash | HASHED) };
            if *known == ends && (ends.are_all() || KNOWN.get(index).is_some_and(|known| known.as_bytes() == key)) {
                return Self(u32::from(number));
            }
            at = at.wrapping_add(1);
        }
    }

    /// That of a known key.
    ///
    /// # Panics
    /// No schema has the key.
    #[expect(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "runs when the program is compiled")]
    pub const fn known(key: &str) -> Self {
        let mut number = 0;
        while !are_equal(KNOWN[number].as_bytes(), key.as_bytes()) {
            number += 1;
            assert!(number < KNOWN.len(), "no schema has this key");
        }
        Self(number as u32 + 1)
    }

    /// Whether two keys with this code are certainly equal; the hashes of long keys may collide.
    #[inline]
    pub const fn is_certain(self) -> bool {
        self.0 & HASHED == 0
    }

    /// For small sets of keys: the codes of a few known keys differ in the low bits.
    #[inline]
    pub const fn low_bits(self) -> u32 {
        self.0
    }
}

/// Values by known keys.
#[derive(Debug, Default)]
pub(crate) struct KeyTable<T>(Vec<Option<T>>);

impl<T: Copy> KeyTable<T> {
    pub const EMPTY: Self = Self(Vec::new());

    #[inline]
    pub fn get(&self, key: KeyCode) -> Option<T> {
        *self.0.get(key.0 as usize)?
    }
}

impl<'k, T: Copy> FromIterator<(&'k str, T)> for KeyTable<T> {
    /// Keys that no schema has are left out.
    fn from_iter<I: IntoIterator<Item = (&'k str, T)>>(entries: I) -> Self {
        let mut values = vec![None; KNOWN.len() + 1];
        for (key, value) in entries {
            if let Some(place) = values.get_mut(KeyCode::of(key.as_bytes()).0 as usize) {
                *place = Some(value);
            }
        }
        Self(values)
    }
}

/// The length of a key and its first and last eight bytes, which overlap in shorter ones.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ends {
    first: u64,
    last: u64,
    len: usize,
}

impl Ends {
    const EMPTY: Self = Self { first: 0, last: 0, len: 0 };

    #[inline]
    const fn of(key: &[u8]) -> Self {
        let (first, last) = match (key.first_chunk::<8>(), key.last_chunk::<8>()) {
            (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
            _ => match (key.first_chunk::<4>(), key.last_chunk::<4>()) {
                (Some(first), Some(last)) => (u32::from_le_bytes(*first) as u64, u32::from_le_bytes(*last) as u64),
                _ => match *key {
                    [a, b, c] => (u32::from_le_bytes([a, b, c, 0]) as u64, 0),
                    [a, b] => (u16::from_le_bytes([a, b]) as u64, 0),
                    [a] => (a as u64, 0),
                    _ => (0, 0),
                },
            },
        };
        Self { first, last, len: key.len() }
    }

    /// Whether they are the whole key.
    #[inline]
    const fn are_all(self) -> bool {
        self.len <= 16
    }

    #[inline]
    const fn hash(self) -> u32 {
        // Fibonacci hashing (Knuth, TAOCP vol. 3, section 6.4): multiply by 2^64 divided by the golden ratio.
        let mixed = (self.first ^ self.last.rotate_left(29) ^ self.len as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // The upper half is mixed better than the lower one.
        let [a, b, c, d, ..] = mixed.to_be_bytes();
        u32::from_be_bytes([a, b, c, d])
    }
}

#[expect(clippy::indexing_slicing, reason = "runs when the program is compiled")]
const fn are_equal(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

#[expect(clippy::indexing_slicing, reason = "runs when the program is compiled")]
const fn known_ends() -> [Ends; KNOWN.len()] {
    let mut ends = [Ends::EMPTY; KNOWN.len()];
    let mut index = 0;
    while index < KNOWN.len() {
        ends[index] = Ends::of(KNOWN[index].as_bytes());
        index += 1;
    }
    ends
}

#[expect(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "runs when the program is compiled")]
const fn slots() -> [u16; 1 << SLOT_BITS] {
    let mut slots = [0; 1 << SLOT_BITS];
    let mut index = 0;
    while index < KNOWN.len() {
        let mut at = KNOWN_ENDS[index].hash() as usize % slots.len();
        while slots[at] != 0 {
            at = (at + 1) % slots.len();
        }
        index += 1;
        slots[at] = index as u16;
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_keys_have_numbers_and_others_have_hashes() {
        for (number, key) in (1..).zip(KNOWN) {
            assert_eq!(KeyCode::of(key.as_bytes()), KeyCode(number), "{key}");
            assert_eq!(KeyCode::known(key), KeyCode(number), "{key}");
        }
        for key in ["", "a", "ab", "abc", "Activities", "activitie", "activitiesx", "a key of more than sixteen bytes"]
        {
            assert!(!KeyCode::of(key.as_bytes()).is_certain(), "{key}");
        }
    }
}
