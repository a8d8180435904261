//! Places in documents, and names of elements.

use super::result::Spot;
use crate::document::{Document, NodeId};
use crate::project::File;

/// The place of a value; for an object, that of its name.
pub(super) fn spot(file: &File, document: &Document, node: NodeId) -> Spot {
    let span = document.anchor(node);
    Spot {
        pointer: document.pointer(node).into_boxed_str(),
        start: file.source.position(span.start),
        end: file.source.position(span.end),
    }
}

/// The string of a key.
pub(super) fn text_member<'d>(document: &'d Document, object: NodeId, key: &str) -> Option<&'d str> {
    document.string(document.member(object, key)?)
}

/// The last part of a path.
pub(super) fn file_name(name: &str) -> &str {
    name.rsplit(['/', ':']).next().unwrap_or(name)
}
