//! Arrays of names.

use super::reader::{Member, Reader};
use crate::document::{Document, NodeId, NodeKind};

/// An array of names. There may be very many, so they are read where they are used.
#[derive(Debug, Clone, Copy)]
pub struct NameList<'d> {
    document: &'d Document,
    array: NodeId,
}

impl PartialEq for NameList<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.array == other.array && self.iter().eq(other.iter())
    }
}

impl<'d> NameList<'d> {
    pub(super) fn read(reader: &Reader<'d, '_>, object: NodeId, key: &'static str) -> Member<Self> {
        let document = reader.lowering.document;
        reader.typed(object, key, |array| (document.kind(array) == NodeKind::Array).then_some(Self { document, array }))
    }

    /// Node and name of each entry, in order; the name is `None` if it is not a string.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = (NodeId, Option<&'d str>)> + ExactSizeIterator {
        self.document.children(self.array).map(move |entry| (entry, self.document.string(entry)))
    }

    /// The node of an entry.
    pub fn get(self, index: usize) -> Option<NodeId> {
        self.document.nth_child(self.array, index)
    }

    pub fn is_empty(self) -> bool {
        self.document.children(self.array).len() == 0
    }
}
