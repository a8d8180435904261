//! Reads members of objects into typed values, and records unknown keys.

use super::literal::Literal;
use super::lowering::Lowering;
use crate::collections::HashMap;
use crate::document::{NodeId, NodeKind};
use crate::schema::Element;

/// A member of an object.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Member<T> {
    #[default]
    Absent,
    /// Present, but with the wrong JSON type or a mistyped key, which the schema or WF007 reports.
    Unknown(NodeId),
    /// Present, with the node of the value.
    Known(NodeId, T),
}

impl<T> Member<T> {
    /// The value, if it can be read.
    pub const fn get(&self) -> Option<&T> {
        match self {
            Self::Known(_, value) => Some(value),
            _ => None,
        }
    }

    /// The node of the value, if the member is present.
    pub const fn node(&self) -> Option<NodeId> {
        match self {
            Self::Known(node, _) | Self::Unknown(node) => Some(*node),
            Self::Absent => None,
        }
    }

    /// Node and value, if it can be read.
    pub const fn known(&self) -> Option<(NodeId, &T)> {
        match self {
            Self::Known(node, value) => Some((*node, value)),
            _ => None,
        }
    }

    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether it is present but cannot be read.
    pub const fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown(_))
    }

    /// Maps the value; the closure gets its node too.
    pub fn map<U>(self, f: impl FnOnce(NodeId, T) -> U) -> Member<U> {
        match self {
            Self::Known(node, value) => Member::Known(node, f(node, value)),
            Self::Unknown(node) => Member::Unknown(node),
            Self::Absent => Member::Absent,
        }
    }
}

impl<T> Member<T> {
    /// The same member of an equal value, whose nodes come so many later, with wrapping.
    pub(super) fn moved(self, by: u32) -> Self {
        match self {
            Self::Known(node, value) => Self::Known(node.moved(by), value),
            Self::Unknown(node) => Self::Unknown(node.moved(by)),
            Self::Absent => Self::Absent,
        }
    }

    /// For what few of many items have.
    pub(super) fn boxed(self) -> Member<Box<T>> {
        self.map(|_, value| Box::new(value))
    }
}

impl<T> Member<Box<T>> {
    /// The value, if it can be read.
    pub fn unboxed(&self) -> Option<&T> {
        self.get().map(Box::as_ref)
    }
}

impl<T: Copy> Member<T> {
    /// A copy of the value, if it can be read.
    pub const fn value(&self) -> Option<T> {
        match self {
            Self::Known(_, value) => Some(*value),
            _ => None,
        }
    }
}

impl<T: Copy + PartialEq> Member<T> {
    /// Whether two members say the same, wherever they are.
    pub fn is_same(&self, other: Self) -> bool {
        self.value() == other.value() && self.is_unknown() == other.is_unknown()
    }
}

/// A key that the schemas do not describe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownMember {
    pub element: Element,
    pub object: NodeId,
    /// The value of the key.
    pub member: NodeId,
    /// The most similar known key.
    pub near: Option<&'static str>,
    /// The object lacks that key, so the unknown key is probably a typing error.
    pub near_is_absent: bool,
}

#[derive(Debug)]
pub(super) struct Reader<'d, 's> {
    pub(super) lowering: Lowering<'d, 's>,
    pub(super) unknown: Vec<UnknownMember>,
    /// By object and missing key: the value under the mistyped key.
    mistyped: HashMap<(NodeId, &'static str), NodeId>,
}

impl<'d, 's> Reader<'d, 's> {
    pub(super) fn new(lowering: Lowering<'d, 's>) -> Self {
        Self { lowering, unknown: Vec::new(), mistyped: HashMap::default() }
    }

    /// Looks at the members of an object, and records unknown keys.
    pub(super) fn enter(&mut self, element: Element, object: NodeId) {
        let document = self.lowering.document;
        if document.kind(object) != NodeKind::Object {
            return;
        }
        let known = element.known_members();
        for member in document.children(object) {
            if known.contains_key_of(document, member) {
                continue;
            }
            let name = document.key(member).unwrap_or_default();
            let is_absent = |near: &str| document.member(object, near).is_none();
            let near = self.lowering.suggester.nearest_rather(name, known.iter(), is_absent);
            let near_is_absent = near.is_some_and(is_absent);
            if !element.is_documented() && !near_is_absent {
                continue;
            }
            if let Some(near) = near.filter(|_| near_is_absent) {
                self.mistyped.insert((object, near), member);
            }
            self.unknown.push(UnknownMember { element, object, member, near, near_is_absent });
        }
    }

    /// The node of a member; `Unknown` if it is under a mistyped key.
    fn member(&self, object: NodeId, key: &'static str) -> Member<()> {
        if let Some(node) = self.lowering.document.member(object, key) {
            return Member::Known(node, ());
        }
        if self.mistyped.is_empty() {
            return Member::Absent;
        }
        self.mistyped.get(&(object, key)).map_or(Member::Absent, |&member| Member::Unknown(member))
    }

    pub(super) fn typed<T>(
        &self,
        object: NodeId,
        key: &'static str,
        read: impl FnOnce(NodeId) -> Option<T>,
    ) -> Member<T> {
        match self.member(object, key) {
            Member::Known(node, ()) => read(node).map_or(Member::Unknown(node), |value| Member::Known(node, value)),
            Member::Unknown(node) => Member::Unknown(node),
            Member::Absent => Member::Absent,
        }
    }

    pub(super) fn text(&self, object: NodeId, key: &'static str) -> Member<&'d str> {
        self.typed(object, key, |node| self.lowering.document.string(node))
    }

    /// A string that may be null; null counts as absent.
    pub(super) fn optional_text(&self, object: NodeId, key: &'static str) -> Member<&'d str> {
        match self.text(object, key) {
            Member::Unknown(node) if self.lowering.document.kind(node) == NodeKind::Null => Member::Absent,
            text => text,
        }
    }

    pub(super) fn integer(&self, object: NodeId, key: &'static str) -> Member<i64> {
        self.typed(object, key, |node| self.lowering.document.integer(node))
    }

    /// A number that refers to the id of a variable.
    pub(super) fn identifier(&self, object: NodeId, key: &'static str) -> Member<i64> {
        self.typed(object, key, |node| self.lowering.document.identifier(node))
    }

    pub(super) fn boolean(&self, object: NodeId, key: &'static str) -> Member<bool> {
        self.typed(object, key, |node| self.lowering.document.boolean(node))
    }

    pub(super) fn object(&self, object: NodeId, key: &'static str) -> Member<()> {
        self.typed(object, key, |node| (self.lowering.document.kind(node) == NodeKind::Object).then_some(()))
    }

    /// An array, each element read by `read`.
    pub(super) fn list<T>(
        &mut self,
        object: NodeId,
        key: &'static str,
        mut read: impl FnMut(&mut Self, NodeId) -> T,
    ) -> Member<Vec<T>> {
        let array =
            self.typed(object, key, |node| (self.lowering.document.kind(node) == NodeKind::Array).then_some(()));
        array.map(|node, ()| self.lowering.document.children(node).map(|element| read(self, element)).collect())
    }

    pub(super) fn literal(&self, object: NodeId, key: &'static str) -> Member<Literal<'d>> {
        self.typed(object, key, |node| Literal::read(self.lowering.document, node))
    }
}

impl Member<bool> {
    /// Whether it says so; one that is absent or cannot be read does not.
    pub fn is_true(self) -> bool {
        self.value() == Some(true)
    }

    /// Whether it says so, or cannot be read.
    pub fn may_be_true(&self) -> bool {
        self.is_true() || self.is_unknown()
    }
}
