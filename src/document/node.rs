//! The nodes of the arena, and the text they refer to.

use super::key::KeyCode;
use crate::text::source::Span;

/// Index of a node in its document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The node's number within the document, for tables beside the arena.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The JSON type of a node; `true` and `false` are apart, so that a boolean needs no further data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeKind {
    Null,
    False,
    True,
    /// Kept as written, not converted.
    Number,
    String,
    Array,
    Object,
}

impl NodeKind {
    pub const fn is_container(self) -> bool {
        matches!(self, Self::Array | Self::Object)
    }
}

/// Bits of [`Node::flags`].
pub mod flag {
    /// The string had escapes: its characters are in the side buffer.
    pub const ESCAPED: u8 = 1;
    /// The object has a duplicate key.
    pub const REPEATS: u8 = 2;
    /// The value belongs to a key.
    pub const KEYED: u8 = 4;
    /// The key has escapes: see [`EscapedKey`].
    pub const ESCAPED_KEY: u8 = 8;
}

/// Where a string's characters are: in the text, or, when it had escapes, in the side buffer.
#[derive(Debug, Clone, Copy)]
pub struct TextRef {
    /// In bytes.
    pub start: u32,
    /// In bytes.
    pub len: u32,
    /// Bits of [`flag`].
    pub flags: u8,
}

impl TextRef {
    /// That of values without characters and children.
    pub const NONE: Self = Self { start: 0, len: 0, flags: 0 };
}

/// One value of the arena; 28 bytes.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    pub kind: NodeKind,
    /// Bits of [`flag`].
    pub flags: u8,
    /// Length of the key's characters in bytes; with escapes, once they are resolved.
    pub key_len: u16,
    pub span: Span,
    /// Byte offset of a string's characters, or index of the first child.
    pub start: u32,
    /// Length of a string in bytes, or the number of children.
    pub len: u32,
    /// Offset of the key's opening quote.
    pub key_start: u32,
    /// Of the unescaped key.
    pub key: KeyCode,
}

impl Node {
    pub const EMPTY: Self = Self {
        kind: NodeKind::Null,
        flags: 0,
        key_len: 0,
        span: Span::new(0, 0),
        start: 0,
        len: 0,
        key_start: 0,
        key: KeyCode::NONE,
    };

    pub const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// A key with escapes; its node says only where it starts.
#[derive(Debug, Clone, Copy)]
pub struct EscapedKey {
    pub span: Span,
    /// In the side buffer.
    pub text: TextRef,
}

pub fn escaped_key<'k>(node: &Node, escaped: &'k [EscapedKey]) -> Option<&'k EscapedKey> {
    // They were pushed in the order of the text, so they are sorted by offset.
    let index = escaped.binary_search_by_key(&node.key_start, |key| key.span.start).ok()?;
    escaped.get(index)
}

/// The key of a value; the buffers are parameters because the parser has no document yet.
pub fn key_text<'d>(node: &Node, escaped: &[EscapedKey], text: &'d str, unescaped: &'d str) -> &'d str {
    if !node.has(flag::ESCAPED_KEY) {
        let start = node.key_start as usize + 1;
        return text.get(start..start + usize::from(node.key_len)).unwrap_or_default();
    }
    escaped_key_text(node, escaped, unescaped)
}

fn escaped_key_text<'d>(node: &Node, escaped: &[EscapedKey], unescaped: &'d str) -> &'d str {
    let Some(EscapedKey { text, .. }) = escaped_key(node, escaped) else { return "" };
    unescaped.get(text.start as usize..(text.start + text.len) as usize).unwrap_or_default()
}

/// An offset or a number of nodes. Every one fits, because longer texts are not parsed.
#[expect(clippy::cast_possible_truncation, reason = "a check of each offset takes a twentieth of the time to parse")]
#[inline]
pub const fn to_u32(number: usize) -> u32 {
    debug_assert!(number <= u32::MAX as usize);
    number as u32
}

/// Where a character of the side buffer is in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub place: u32,
    pub unescaped: u32,
}
