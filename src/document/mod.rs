//! JSON text as a flat arena that keeps the place of every key and value. Knows only JSON.
//!
//! A container's children lie side by side in the arena, so that a node is a few numbers: where
//! its text is, where its children are. Nothing borrows; the text is shared with the source file.

mod parse;
mod pointer;
mod text;

use std::sync::Arc;

use crate::source::Span;

pub use parse::{Limits, SyntaxError, SyntaxErrorKind};

/// Index of a node in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The node's number within the document, for tables beside the arena.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The JSON type of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `false`
    False,
    /// `true`
    True,
    /// A number; its text is kept as written.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

const NONE: u32 = u32::MAX;

/// Where a string's characters are: in the text, or, when it had escapes, in the side buffer.
#[derive(Debug, Clone, Copy)]
struct TextRef {
    start: u32,
    len: u32,
    escaped: bool,
}

#[derive(Debug, Clone, Copy)]
struct Key {
    span: Span,
    text: TextRef,
    hash: u32,
}

/// One value of the arena.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    kind: Kind,
    /// Whether a member of this object has the name of an earlier one.
    repeats: bool,
    escaped: bool,
    span: Span,
    /// A string's text, or the first child.
    start: u32,
    /// A string's length, or the number of children.
    len: u32,
    parent: u32,
    key: u32,
}

/// Two members of one object with the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duplicate {
    /// The earlier member's value.
    pub first: NodeId,
    /// The later member's value, the one that counts.
    pub second: NodeId,
}

/// A parsed JSON text.
#[derive(Debug)]
pub struct Document {
    text: Arc<str>,
    unescaped: String,
    nodes: Vec<Node>,
    keys: Vec<Key>,
    duplicates: Vec<Duplicate>,
    root: NodeId,
}

impl Document {
    /// Parses a text that may begin with a byte-order mark.
    ///
    /// # Errors
    /// Where the text is no RFC 8259 JSON, or is nested more deeply than `limits` allow.
    pub fn parse(text: impl Into<Arc<str>>, limits: Limits) -> Result<Self, SyntaxError> {
        parse::parse(&text.into(), limits)
    }

    /// The outermost value.
    pub const fn root(&self) -> NodeId {
        self.root
    }

    /// How many values the document has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// False: a parsed document has at least one value.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Members that repeat an earlier name, in the order of the text.
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }

    fn node(&self, id: NodeId) -> &Node {
        // Ids are made by this document only; a foreign one reads as the root rather than panics.
        self.nodes.get(id.index()).or_else(|| self.nodes.last()).unwrap_or(&EMPTY)
    }

    /// The JSON type of a value.
    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// The bytes of a value, quotes and brackets included.
    pub fn span(&self, id: NodeId) -> Span {
        self.node(id).span
    }

    /// The bytes of a span of this document.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// A string's characters, escapes resolved; `None` for any other type.
    pub fn string(&self, id: NodeId) -> Option<&str> {
        let node = self.node(id);
        (node.kind == Kind::String)
            .then(|| self.resolve_text(TextRef { start: node.start, len: node.len, escaped: node.escaped }))
    }

    /// A number's text as written; `None` for any other type.
    pub fn number(&self, id: NodeId) -> Option<&str> {
        let node = self.node(id);
        (node.kind == Kind::Number).then(|| self.slice(node.span))
    }

    /// A number that is whole and fits; `5.0` and `5e0` are whole.
    pub fn integer(&self, id: NodeId) -> Option<i64> {
        let text = self.number(id)?;
        text.parse().ok().or_else(|| whole(text.parse().ok()?))
    }

    /// A boolean's value; `None` for any other type.
    pub fn boolean(&self, id: NodeId) -> Option<bool> {
        match self.kind(id) {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    /// The enclosing object or array.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.node(id).parent;
        (parent != NONE).then_some(NodeId(parent))
    }

    /// The member name of a value that lies in an object.
    pub fn key(&self, id: NodeId) -> Option<&str> {
        Some(self.resolve_text(self.key_of(id)?.text))
    }

    /// The bytes of the member name, quotes included.
    pub fn key_span(&self, id: NodeId) -> Option<Span> {
        Some(self.key_of(id)?.span)
    }

    /// The hash of a member name, as [`hash`] gives it.
    pub(crate) fn key_hash(&self, id: NodeId) -> Option<u32> {
        Some(self.key_of(id)?.hash)
    }

    /// The node with this number, if there is one.
    pub(crate) fn id_at(&self, index: usize) -> Option<NodeId> {
        (index < self.nodes.len()).then(|| u32::try_from(index).ok().map(NodeId))?
    }

    fn key_of(&self, id: NodeId) -> Option<&Key> {
        self.keys.get(self.node(id).key as usize)
    }

    fn resolve_text(&self, text: TextRef) -> &str {
        let range = text.start as usize..text.start as usize + text.len as usize;
        let buffer: &str = if text.escaped { &self.unescaped } else { &self.text };
        buffer.get(range).unwrap_or_default()
    }

    /// The values directly inside an object or array, in order; none for any other type.
    pub fn children(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + Clone + use<> {
        let node = self.node(id);
        let container = matches!(node.kind, Kind::Array | Kind::Object);
        let range = if container { node.start..node.start + node.len } else { 0..0 };
        range.map(NodeId)
    }

    /// An array's elements; none for any other type.
    pub fn elements(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        let is_array = self.kind(id) == Kind::Array;
        self.children(id).filter(move |_| is_array)
    }

    /// The value of a member; of several with this name the last one, as most readers of JSON do.
    pub fn member(&self, object: NodeId, name: &str) -> Option<NodeId> {
        self.member_by_hash(object, name, hash(name))
    }

    pub(crate) fn member_by_hash(&self, object: NodeId, name: &str, hash: u32) -> Option<NodeId> {
        if self.kind(object) != Kind::Object {
            return None;
        }
        self.children(object).rev().find(|&child| {
            self.key_of(child).is_some_and(|key| key.hash == hash && self.resolve_text(key.text) == name)
        })
    }

    /// Whether an object has two members of one name.
    pub fn repeats_a_member(&self, object: NodeId) -> bool {
        self.node(object).repeats
    }

    /// Whether a later member of the same object has this one's name.
    pub fn is_shadowed(&self, id: NodeId) -> bool {
        self.parent(id).is_some_and(|parent| {
            self.repeats_a_member(parent) && self.key(id).is_some_and(|name| self.member(parent, name) != Some(id))
        })
    }
}

const EMPTY: Node = Node {
    kind: Kind::Null,
    repeats: false,
    escaped: false,
    span: Span::new(0, 0),
    start: 0,
    len: 0,
    parent: NONE,
    key: NONE,
};

/// FNV-1a, 32 bits: cheap on short names, and every match is checked against the text.
pub(crate) fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// A float as a whole number, if it is one that fits.
#[allow(clippy::cast_possible_truncation)] // checked: whole and within ±2^53
fn whole(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
}
