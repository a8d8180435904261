//! The elements that users know by name: activities and form fields.

use crate::document::{Document, NodeId, NodeKind};

/// The nearest activity or form field around a node, itself included.
pub fn enclosing_element(document: &Document, node: NodeId) -> Option<NodeId> {
    std::iter::successors(Some(node), |&node| document.parent(node)).find(|&node| {
        let list = document.parent(node).filter(|&parent| document.kind(parent) == NodeKind::Array);
        list.and_then(|list| document.key(list)).is_some_and(|key| matches!(key, "activities" | "fields"))
    })
}
