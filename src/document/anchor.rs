//! The characters that a finding about a value underlines.

use super::{Document, NodeId, NodeKind};
use crate::source::Span;

impl Document {
    /// A scalar's own characters; of an object its `name`, or its `{` when it has none; of an array
    /// its `[`.
    pub fn anchor(&self, node: NodeId) -> Span {
        let span = self.span(node);
        match self.kind(node) {
            NodeKind::Object => match self.member(node, "name").filter(|&name| self.kind(name) == NodeKind::String) {
                Some(name) => self.span(name),
                None => Span::new(span.start, span.start + 1),
            },
            NodeKind::Array => Span::new(span.start, span.start + 1),
            _ => span,
        }
    }
}
