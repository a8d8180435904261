//! Where the text of a key is.

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
