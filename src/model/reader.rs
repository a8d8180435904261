//! Reads members of objects into typed values (literals, texts by locale, arrays of names), and records unknown keys.

use crate::common::collections::HashMap;
use crate::config::Types;
use crate::document::{Document, NodeId, NodeKind};
use crate::schema::Element;
use crate::text::suggest::Suggester;
use crate::text::truncate;

/// A member of an object.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Member<T> {
    #[default]
    Absent,
    /// Present, but with the wrong JSON type or a mistyped key, which the schema or WF007 reports. Null is as if it were
    /// absent, unless the schema requires the member.
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
    /// The object lacks that key, and no other known one is as similar.
    pub is_certain: bool,
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
            let suggester = self.lowering.suggester;
            let is_certain = near_is_absent && near.is_some_and(|near| suggester.is_only(name, near, known.iter()));
            self.unknown.push(UnknownMember { element, object, member, near, near_is_absent, is_certain });
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

    /// A member that the schemas require, so that null is not as if it were absent.
    pub(super) fn required<T>(
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

    /// A member that may be null, which is as if it were absent.
    pub(super) fn typed<T>(
        &self,
        object: NodeId,
        key: &'static str,
        read: impl FnOnce(NodeId) -> Option<T>,
    ) -> Member<T> {
        match self.required(object, key, read) {
            Member::Unknown(node) if self.lowering.document.kind(node) == NodeKind::Null => Member::Absent,
            member => member,
        }
    }

    pub(super) fn text(&self, object: NodeId, key: &'static str) -> Member<&'d str> {
        self.typed(object, key, |node| self.lowering.document.string(node))
    }

    pub(super) fn required_text(&self, object: NodeId, key: &'static str) -> Member<&'d str> {
        self.required(object, key, |node| self.lowering.document.string(node))
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
        match self.nullable(object, key) {
            Member::Known(_, Literal::Null) => Member::Absent,
            literal => literal,
        }
    }

    /// A literal of which null is one.
    pub(super) fn nullable(&self, object: NodeId, key: &'static str) -> Member<Literal<'d>> {
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

#[derive(Debug, Clone, Copy)]
pub struct Lowering<'d, 's> {
    pub document: &'d Document,
    /// Activity and field types declared in the configuration.
    pub types: &'s Types,
    /// Finds mistyped keys.
    pub suggester: &'s Suggester,
}

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

/// A string by locale code, in the order of the document.
pub type Locales<'d> = Box<[LocaleText<'d>]>;

/// One member of a locale object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocaleText<'d> {
    /// The value; its key is the locale code.
    pub node: NodeId,
    /// The locale code as written, which may be invalid.
    pub locale: &'d str,
    /// `None` if the value is not a string.
    pub text: Option<&'d str>,
}

pub(super) fn locales<'d>(reader: &Reader<'d, '_>, object: NodeId, key: &'static str) -> Member<Locales<'d>> {
    let document = reader.lowering.document;
    let read = |node| LocaleText { node, locale: document.key(node).unwrap_or_default(), text: document.string(node) };
    let is_set = |node: &NodeId| document.kind(*node) != NodeKind::Null;
    reader.object(object, key).map(|node, ()| document.children(node).filter(is_set).map(read).collect())
}

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
}
