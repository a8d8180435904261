//! The characters that a finding about a value underlines.

use super::{Document, NodeId, NodeKind};
use crate::source::Span;

impl Document {
    /// A scalar's own characters; of an expression its left operand; of another object its `name`, or its `{` when it
    /// has none; of an array its `[`.
    pub fn anchor(&self, node: NodeId) -> Span {
        let span = self.span(node);
        let first = Span::new(span.start, span.start + 1);
        match self.kind(node) {
            NodeKind::Object if self.key(node) == Some("expression") => self.operand(node, "left").unwrap_or(first),
            NodeKind::Object => match self.member(node, "name").filter(|&name| self.kind(name) == NodeKind::String) {
                Some(name) => self.span(name),
                None => first,
            },
            NodeKind::Array => first,
            _ => span,
        }
    }

    /// The right operand of an expression; `None` of any other value.
    pub fn second_anchor(&self, node: NodeId) -> Option<Span> {
        if self.key(node) == Some("expression") { self.operand(node, "right") } else { None }
    }

    /// The variable of an operand, or else its value.
    fn operand(&self, expression: NodeId, side: &str) -> Option<Span> {
        let operand = self.member(expression, side)?;
        let is_scalar = |node: NodeId| !matches!(self.kind(node), NodeKind::Object | NodeKind::Array);
        let variable =
            self.member(operand, "boundTo").filter(|&name| self.string(name).is_some_and(|name| !name.is_empty()));
        let shown = variable.or_else(|| self.member(operand, "value")).filter(|&node| is_scalar(node));
        shown.map(|node| self.span(node))
    }
}
