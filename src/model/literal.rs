//! Literal values of bindings.

use crate::document::{Document, NodeId, NodeKind};
use crate::text::truncate;

/// Longer values are cut in messages, in characters.
const MAX_DESCRIBED: usize = 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Literal<'d> {
    Null,
    Boolean(bool),
    /// As written.
    Number(&'d str),
    Text(&'d str),
}

impl<'d> Literal<'d> {
    pub(super) fn read(document: &'d Document, node: NodeId) -> Option<Self> {
        match document.kind(node) {
            NodeKind::Null => Some(Self::Null),
            NodeKind::True => Some(Self::Boolean(true)),
            NodeKind::False => Some(Self::Boolean(false)),
            NodeKind::Number => document.number(node).map(Self::Number),
            NodeKind::String => document.string(node).map(Self::Text),
            NodeKind::Array | NodeKind::Object => None,
        }
    }

    /// Null or the empty string.
    pub fn is_empty(self) -> bool {
        matches!(self, Self::Null | Self::Text(""))
    }

    /// Whether it is a value that editors write where none is set: an empty one, `false` or 0.
    pub fn is_blank(self) -> bool {
        match self {
            Self::Null | Self::Boolean(false) => true,
            Self::Boolean(true) => false,
            Self::Text(text) => text.is_empty(),
            Self::Number(_) => self.as_number() == Some(0.0),
        }
    }

    /// The value of a number, or of a string that contains one, with or without surrounding white space.
    pub fn as_number(self) -> Option<f64> {
        match self {
            // Rust parses `inf`, `infinity` and `nan` as numbers; all of them contain an `n`.
            Self::Number(text) | Self::Text(text) if !text.contains(['n', 'N']) => text.trim().parse().ok(),
            _ => None,
        }
    }

    /// The literal for a message: a string in double quotes.
    pub fn describe(self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Boolean(value) => value.to_string(),
            Self::Number(number) => truncate(number, MAX_DESCRIBED).into_owned(),
            Self::Text(text) => format!("\"{}\"", truncate(text, MAX_DESCRIBED)),
        }
    }
}
