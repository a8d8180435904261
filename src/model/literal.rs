//! Literal values of bindings.

use crate::document::{Document, Kind, NodeId};

/// A literal value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Literal<'d> {
    /// `null`
    Null,
    /// True or false.
    Boolean(bool),
    /// A number, as written.
    Number(&'d str),
    /// A text.
    Text(&'d str),
}

impl<'d> Literal<'d> {
    pub(super) fn read(document: &'d Document, node: NodeId) -> Option<Self> {
        match document.kind(node) {
            Kind::Null => Some(Self::Null),
            Kind::True => Some(Self::Boolean(true)),
            Kind::False => Some(Self::Boolean(false)),
            Kind::Number => document.number(node).map(Self::Number),
            Kind::String => document.string(node).map(Self::Text),
            Kind::Array | Kind::Object => None,
        }
    }

    /// Whether it says nothing: null or the empty text.
    pub fn is_empty(self) -> bool {
        matches!(self, Self::Null | Self::Text(""))
    }

    /// The number it is, or is the text of; surrounding blanks do not matter.
    pub fn as_number(self) -> Option<f64> {
        match self {
            // `inf` and `nan` are numbers to the parser, but not to JSON.
            Self::Number(text) | Self::Text(text) if !text.contains(['n', 'N', 'y', 'Y']) => text.trim().parse().ok(),
            Self::Number(_) | Self::Text(_) => None,
            Self::Null | Self::Boolean(_) => None,
        }
    }
}
