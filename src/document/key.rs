//! Keys: the one that was read last, and where the text of each is.

use super::key_code::KeyCode;
use super::node::{Node, TextRef, flag};
use crate::source::Span;

/// The key whose value comes next, with its quotes and its colon read.
#[derive(Clone, Copy, Default)]
pub(super) struct MemberKey {
    /// Of its opening quote.
    pub start: u32,
    pub code: KeyCode,
    /// Bytes of the characters; as many as fit.
    pub len: u16,
    /// Bits of [`flag`] for the node. As wide as the length: with a byte of padding, copies wait for both bytes.
    pub flags: u16,
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

#[cold]
fn escaped_key_text<'d>(node: &Node, escaped: &[EscapedKey], unescaped: &'d str) -> &'d str {
    let Some(EscapedKey { text, .. }) = escaped_key(node, escaped) else { return "" };
    unescaped.get(text.start as usize..(text.start + text.len) as usize).unwrap_or_default()
}
