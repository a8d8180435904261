//! JSON text as a flat arena that keeps the place of every key and value. Knows only JSON.
//!
//! A container's children lie side by side in the arena, so that a node is a few numbers: where
//! its text is, where its children are. Nothing borrows; the text is shared with the source file.

mod anchor;
mod parse;
mod pointer;
mod scan;
mod text;

use std::sync::{Arc, OnceLock};

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

/// Marks of a node.
mod flag {
    /// The string had escapes: its characters are in the side buffer.
    pub const ESCAPED: u8 = 1;
    /// The object has two members of one name.
    pub const REPEATS: u8 = 2;
    /// The value lies in an object.
    pub const KEYED: u8 = 4;
    /// The member name has escapes or is very long: it is found among the special keys.
    pub const SPECIAL_KEY: u8 = 8;
}

/// Where a string's characters are: in the text, or, when it had escapes, in the side buffer.
#[derive(Debug, Clone, Copy)]
struct TextRef {
    start: u32,
    len: u32,
    flags: u8,
}

/// Where an escape ends, in the text and in the side buffer; both grow along the text.
#[derive(Debug, Clone, Copy)]
struct Escape {
    text: u32,
    unescaped: u32,
}

/// A member name that does not fit a node.
#[derive(Debug, Clone, Copy)]
struct SpecialKey {
    span: Span,
    text: TextRef,
}

/// One value of the arena; 28 bytes.
#[derive(Debug, Clone, Copy)]
struct Node {
    kind: Kind,
    flags: u8,
    /// Bytes of the member name, without its quotes.
    key_len: u16,
    span: Span,
    /// A string's text, or the first child.
    start: u32,
    /// A string's length, or the number of children.
    len: u32,
    /// Offset of the member name's opening quote.
    key_start: u32,
    key_hash: u32,
}

impl Node {
    const EMPTY: Self = Self {
        kind: Kind::Null,
        flags: 0,
        key_len: 0,
        span: Span::new(0, 0),
        start: 0,
        len: 0,
        key_start: 0,
        key_hash: 0,
    };

    const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
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
    escapes: Vec<Escape>,
    nodes: Vec<Node>,
    special_keys: Vec<SpecialKey>,
    duplicates: Vec<Duplicate>,
    /// By node: its parent. Only findings ask for it, so it is made when the first one does.
    parents: OnceLock<Vec<u32>>,
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
    pub fn root(&self) -> NodeId {
        // A container comes after its children, so the outermost value is the last.
        NodeId(small(self.nodes.len().saturating_sub(1)))
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
        self.nodes.get(id.index()).or_else(|| self.nodes.last()).unwrap_or(&Node::EMPTY)
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
        (node.kind == Kind::String).then(|| self.string_of(node))
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
        let parents = self.parents.get_or_init(|| self.find_parents());
        parents.get(id.index()).filter(|&&parent| parent != id.0).map(|&parent| NodeId(parent))
    }

    fn find_parents(&self) -> Vec<u32> {
        // The root is its own parent here.
        let mut parents = vec![self.root().0; self.nodes.len()];
        for (parent, node) in (0..).zip(&self.nodes) {
            if matches!(node.kind, Kind::Array | Kind::Object) {
                for child in parents.iter_mut().skip(node.start as usize).take(node.len as usize) {
                    *child = parent;
                }
            }
        }
        parents
    }

    /// The member name of a value that lies in an object.
    pub fn key(&self, id: NodeId) -> Option<&str> {
        let node = self.node(id);
        node.has(flag::KEYED).then(|| key_text(node, &self.special_keys, &self.text, &self.unescaped))
    }

    /// Whether a value's member name is this one.
    pub(crate) fn key_is(&self, id: NodeId, name: &str) -> bool {
        let node = self.node(id);
        node.has(flag::KEYED) && same(key_text(node, &self.special_keys, &self.text, &self.unescaped), name)
    }

    /// The bytes of the member name, quotes included.
    pub fn key_span(&self, id: NodeId) -> Option<Span> {
        let node = self.node(id);
        if node.has(flag::SPECIAL_KEY) {
            return special_key(node, &self.special_keys).map(|key| key.span);
        }
        let end = node.key_start + u32::from(node.key_len) + 2;
        node.has(flag::KEYED).then_some(Span::new(node.key_start, end))
    }

    /// The hash of a member name, as [`hash`] gives it.
    pub(crate) fn key_hash(&self, id: NodeId) -> Option<u32> {
        let node = self.node(id);
        node.has(flag::KEYED).then_some(node.key_hash)
    }

    /// The node with this number, if there is one.
    pub(crate) fn id_at(&self, index: usize) -> Option<NodeId> {
        (index < self.nodes.len()).then(|| u32::try_from(index).ok().map(NodeId))?
    }

    fn string_of(&self, node: &Node) -> &str {
        let buffer: &str = if node.has(flag::ESCAPED) { &self.unescaped } else { &self.text };
        buffer.get(node.start as usize..(node.start + node.len) as usize).unwrap_or_default()
    }

    /// The values directly inside an object or array, in order; none for any other type.
    pub fn children(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + Clone + use<> {
        let node = self.node(id);
        let container = matches!(node.kind, Kind::Array | Kind::Object);
        let range = if container { node.start..node.start + node.len } else { 0..0 };
        range.map(NodeId)
    }

    /// The value at a place in an object or array.
    pub(crate) fn nth_child(&self, id: NodeId, index: usize) -> Option<NodeId> {
        let node = self.node(id);
        let is_there = matches!(node.kind, Kind::Array | Kind::Object) && index < node.len as usize;
        is_there.then(|| NodeId(node.start + small(index)))
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
        let node = self.node(object);
        if node.kind != Kind::Object {
            return None;
        }
        let members = self.nodes.get(node.start as usize..(node.start + node.len) as usize)?;
        let is_it = |member: &Node| {
            member.key_hash == hash && same(key_text(member, &self.special_keys, &self.text, &self.unescaped), name)
        };
        // From behind: of several with one name the last counts.
        let index = members.iter().rposition(is_it)?;
        Some(NodeId(node.start + small(index)))
    }

    /// Whether an object has two members of one name.
    pub fn repeats_a_member(&self, object: NodeId) -> bool {
        self.node(object).has(flag::REPEATS)
    }

    /// Whether a later member of the same object has this one's name.
    pub fn is_shadowed(&self, id: NodeId) -> bool {
        self.parent(id).is_some_and(|parent| {
            self.repeats_a_member(parent) && self.key(id).is_some_and(|name| self.member(parent, name) != Some(id))
        })
    }
}

fn special_key<'k>(node: &Node, special: &'k [SpecialKey]) -> Option<&'k SpecialKey> {
    // They are noted in the order of the text.
    let index = special.binary_search_by_key(&node.key_start, |key| key.span.start).ok()?;
    special.get(index)
}

/// The member name of a value.
fn key_text<'d>(node: &Node, special: &[SpecialKey], text: &'d str, unescaped: &'d str) -> &'d str {
    if !node.has(flag::SPECIAL_KEY) {
        let start = node.key_start as usize + 1;
        return text.get(start..start + usize::from(node.key_len)).unwrap_or_default();
    }
    let Some(key) = special_key(node, special) else { return "" };
    let buffer = if key.text.flags & flag::ESCAPED == 0 { text } else { unescaped };
    buffer.get(key.text.start as usize..(key.text.start + key.text.len) as usize).unwrap_or_default()
}

/// Whether two names are equal; names of 8 to 16 bytes, which most are, in two comparisons.
#[inline]
fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    match (one.first_chunk::<8>(), one.last_chunk::<8>()) {
        (Some(first), Some(last)) if one.len() <= 16 => {
            other.first_chunk() == Some(first) && other.last_chunk() == Some(last)
        }
        _ => one == other,
    }
}

/// Offsets and numbers of nodes fit: files over 1 GiB are refused before they are parsed.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A hash of a member name: of its length and its first and last eight bytes. Quick, and every
/// match is checked against the text.
#[inline]
pub(crate) fn hash(name: &str) -> u32 {
    let bytes = name.as_bytes();
    let word = |bytes: &[u8]| bytes.iter().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
    let (first, last) = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => (word(bytes), 0),
    };
    let mixed = (first ^ last.rotate_left(29) ^ bytes.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    #[allow(clippy::cast_possible_truncation)] // the upper half, which is the better mixed one
    let upper = (mixed >> 32) as u32;
    upper
}

/// A float as a whole number, if it is one that fits.
#[allow(clippy::cast_possible_truncation)] // checked: whole and within ±2^53
fn whole(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
}
