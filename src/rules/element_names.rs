//! The names of the activities and form fields around findings.

use crate::diagnostic::{FileId, activity_name};
use crate::document::{Document, NodeId};
use crate::model::enclosing_element;

/// Remembers the last name: findings that follow each other are often in one element, and finding its name takes time if
/// it has very many keys.
#[derive(Debug, Default)]
pub struct ElementNames {
    last: Option<NamedElement>,
}

#[derive(Debug)]
struct NamedElement {
    file: FileId,
    node: NodeId,
    name: Option<String>,
}

impl ElementNames {
    /// The name of the nearest activity or form field around a value, itself included.
    pub(super) fn around(&mut self, document: &Document, file: FileId, node: NodeId) -> Option<String> {
        let element = enclosing_element(document, node)?;
        if let Some(last) = &self.last
            && (last.file, last.node) == (file, element)
        {
            return last.name.clone();
        }
        let name = document
            .member(element, "name")
            .and_then(|name| document.string(name))
            .map(|name| activity_name(name).into_owned());
        self.last = Some(NamedElement { file, node: element, name: name.clone() });
        name
    }
}
