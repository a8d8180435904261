//! Members of the objects that are read, found without a search.

use crate::document::{Document, KeyCode, NodeId};

/// A key of the schemas that is read, made by `key!("name")`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    pub name: &'static str,
    pub code: KeyCode,
}

/// The [`Key`] with a name. Its code is known when the program is compiled, which fails if no schema has the key.
macro_rules! key {
    ($name:expr) => {
        const { $crate::model::members::Key { name: $name, code: $crate::document::KeyCode::known($name) } }
    };
}
pub(super) use key;

/// The members of the last entered object, by the numbers of their keys. Entries of outer objects stay until members
/// with the same keys replace them.
#[derive(Debug)]
pub(super) struct Members {
    entered: Option<NodeId>,
    /// An object and its member.
    places: Vec<Option<(NodeId, NodeId)>>,
}

impl Members {
    pub fn new() -> Self {
        Self { entered: None, places: vec![None; KeyCode::KNOWN] }
    }

    /// All members of the object have to be added next.
    pub const fn enter(&mut self, object: NodeId) {
        self.entered = Some(object);
    }

    /// Of duplicate keys the last one counts.
    #[inline]
    pub fn add(&mut self, object: NodeId, key: KeyCode, member: NodeId) {
        if let Some(place) = self.places.get_mut(key.number()) {
            *place = Some((object, member));
        }
    }

    /// As [`Document::member`].
    #[inline]
    pub fn find(&self, document: &Document, object: NodeId, key: Key) -> Option<NodeId> {
        match self.places.get(key.code.number()) {
            Some(Some((of, member))) if *of == object => Some(*member),
            Some(_) if self.entered == Some(object) => None,
            _ => document.member_by_code(object, key.name, key.code),
        }
    }
}
