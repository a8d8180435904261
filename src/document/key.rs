//! Keys: where their text is, and the hash by which they are looked up.

use super::node::{Node, TextRef, flag};
use crate::source::Span;

/// A key that does not fit into a node: it has escapes, or more than 65,535 bytes.
#[derive(Debug, Clone, Copy)]
pub struct SpecialKey {
    pub span: Span,
    pub text: TextRef,
}

pub fn special_key<'k>(node: &Node, special: &'k [SpecialKey]) -> Option<&'k SpecialKey> {
    // They were pushed in the order of the text, so they are sorted by offset.
    let index = special.binary_search_by_key(&node.key_start, |key| key.span.start).ok()?;
    special.get(index)
}

/// The key of a value; the buffers are parameters because the parser has no document yet.
pub fn key_text<'d>(node: &Node, special: &[SpecialKey], text: &'d str, unescaped: &'d str) -> &'d str {
    if !node.has(flag::SPECIAL_KEY) {
        let start = node.key_start as usize + 1;
        return text.get(start..start + usize::from(node.key_len)).unwrap_or_default();
    }
    special_key_text(node, special, text, unescaped)
}

#[cold]
fn special_key_text<'d>(node: &Node, special: &[SpecialKey], text: &'d str, unescaped: &'d str) -> &'d str {
    let Some(key) = special_key(node, special) else { return "" };
    let buffer = if key.text.flags & flag::ESCAPED == 0 { text } else { unescaped };
    buffer.get(key.text.start as usize..(key.text.start + key.text.len) as usize).unwrap_or_default()
}

/// Whether two keys are equal. Keys of 8 to 16 bytes, as most are, take two comparisons of eight bytes,
/// which overlap in the middle.
#[inline]
pub fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    match (one.first_chunk::<8>(), one.last_chunk::<8>()) {
        (Some(first), Some(last)) if one.len() <= 16 => {
            other.first_chunk() == Some(first) && other.last_chunk() == Some(last)
        }
        _ => one == other,
    }
}

/// A hash of a key: of its length and its first and last eight bytes. Long keys may collide, so every
/// match is checked against the text.
#[inline]
pub(crate) fn hash(key: &[u8]) -> u32 {
    let (first, last) = match (key.first_chunk::<8>(), key.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => match (key.first_chunk::<4>(), key.last_chunk::<4>()) {
            (Some(first), Some(last)) => (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into()),
            _ => (key.iter().fold(0u64, |word, byte| word << 8 | u64::from(*byte)), 0),
        },
    };
    // Fibonacci hashing (Knuth, TAOCP vol. 3, section 6.4): multiply by 2^64 divided by the golden ratio.
    let mixed = (first ^ last.rotate_left(29) ^ key.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    // The upper half is mixed better than the lower one.
    let [a, b, c, d, ..] = mixed.to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}
