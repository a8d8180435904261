//! Numbers in place of keys, so that most keys are compared without their text.

use std::ops::Range;

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

    /// How many keys are known.
    pub const KNOWN: usize = KNOWN.len();

    pub fn of(key: &[u8]) -> Self {
        Self::from_ends(Ends::of(key), key)
    }

    /// That of the key at this range of a text.
    #[inline]
    pub fn within(text: &[u8], range: Range<usize>) -> Self {
        let following = text.get(range.start..).and_then(<[u8]>::first_chunk);
        let key = text.get(range).unwrap_or_default();
        Self::from_ends(following.map_or_else(|| Ends::of(key), |following| Ends::with(key, following)), key)
    }

    #[inline]
    fn from_ends(ends: Ends, key: &[u8]) -> Self {
        let hash = ends.hash();
        let mut at = hash;
        loop {
            let number = SLOTS.get((at & ((1 << SLOT_BITS) - 1)) as usize).copied().unwrap_or(0);
            let index = usize::from(number).wrapping_sub(1);
            let Some(known) = KNOWN_ENDS.get(index) else { return Self(hash | HASHED) };
            if *known == ends && (ends.are_all() || KNOWN.get(index).is_some_and(|known| same(known.as_bytes(), key))) {
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

    /// For lists of the known keys: which one it is, from 0 on; not below [`Self::KNOWN`] for other keys.
    #[inline]
    pub const fn number(self) -> usize {
        self.0.wrapping_sub(1) as usize
    }

    /// For small sets of keys: the codes of a few known keys differ in the low bits.
    #[inline]
    pub const fn low_bits(self) -> u32 {
        self.0
    }
}

/// Whether two keys are equal. Keys of 8 to 32 bytes, as most are, take two comparisons of their first and last 8 or 16
/// bytes, which overlap in the middle.
#[inline]
pub fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    match (one.first_chunk::<8>(), one.last_chunk::<8>()) {
        (Some(first), Some(last)) if one.len() <= 16 => {
            other.first_chunk() == Some(first) && other.last_chunk() == Some(last)
        }
        (Some(_), Some(_)) if one.len() <= 32 => {
            other.first_chunk::<16>() == one.first_chunk() && other.last_chunk::<16>() == one.last_chunk()
        }
        _ => one == other,
    }
}

/// The length of a key, and its bytes; of one with more than sixteen, the first and last eight of them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ends {
    first: u64,
    last: u64,
    len: usize,
}

/// By the length of a key: its bits among those of sixteen bytes.
static MASKS: [u128; 17] = masks();

impl Ends {
    const EMPTY: Self = Self { first: 0, last: 0, len: 0 };

    #[expect(clippy::indexing_slicing, reason = "the bytes are fewer than sixteen")]
    const fn of(key: &[u8]) -> Self {
        if let (Some(first), Some(last)) = (key.first_chunk(), key.last_chunk())
            && key.len() >= 16
        {
            return Self { first: u64::from_le_bytes(*first), last: u64::from_le_bytes(*last), len: key.len() };
        }
        let mut bytes = [0; 16];
        let mut at = 0;
        while at < key.len() {
            bytes[at] = key[at];
            at += 1;
        }
        Self::of_sixteen(u128::from_le_bytes(bytes), key.len())
    }

    /// Those of a key, from the sixteen bytes where it begins: without a branch for each length.
    #[inline]
    fn with(key: &[u8], following: &[u8; 16]) -> Self {
        match MASKS.get(key.len()) {
            Some(mask) => Self::of_sixteen(u128::from_le_bytes(*following) & mask, key.len()),
            None => Self::of(key),
        }
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "takes the halves apart")]
    const fn of_sixteen(bytes: u128, len: usize) -> Self {
        Self { first: bytes as u64, last: (bytes >> 64) as u64, len }
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
const fn masks() -> [u128; 17] {
    let mut masks = [0; 17];
    let mut len = 1;
    while len < masks.len() {
        masks[len] = u128::MAX >> (128 - 8 * len);
        len += 1;
    }
    masks
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

    const OTHERS: [&str; 8] =
        ["", "a", "ab", "abc", "Activities", "activitie", "activitiesx", "a key of more than sixteen bytes"];

    #[test]
    fn known_keys_have_numbers_and_others_have_hashes() {
        for (number, key) in (1..).zip(KNOWN) {
            assert_eq!(KeyCode::of(key.as_bytes()), KeyCode(number), "{key}");
            assert_eq!(KeyCode::known(key), KeyCode(number), "{key}");
        }
        for key in OTHERS {
            assert!(!KeyCode::of(key.as_bytes()).is_certain(), "{key}");
        }
    }

    #[test]
    fn what_follows_a_key_does_not_count() {
        for key in KNOWN.iter().chain(&OTHERS) {
            for following in 0..20 {
                let text = format!("\"{key}{}", "x".repeat(following));
                let code = KeyCode::within(text.as_bytes(), 1..1 + key.len());
                assert_eq!(code, KeyCode::of(key.as_bytes()), "{text}");
            }
        }
    }
}
