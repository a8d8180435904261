//! The parsed document and its accessors.

use std::sync::{Arc, OnceLock};

use super::key::KeyCode;
use super::node::{EscapedKey, Mark, Node, NodeId, NodeKind, escaped_key, flag, key_text, to_u32};
use crate::common::collections::HashMap;
use crate::text::source::Span;

/// Two members of one object with the same key.
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
    pub(super) text: Arc<str>,
    pub(super) unescaped: String,
    pub(super) nodes: Vec<Node>,
    pub(super) escaped_keys: Vec<EscapedKey>,
    pub(super) duplicates: Vec<Duplicate>,
    pub(super) root: NodeId,
    /// Whether keys are compared without case.
    pub(super) ignores_case: bool,
    /// The parent of each node. Built on first use: only findings need it.
    pub(super) parents: OnceLock<Vec<u32>>,
    /// Some places in strings with escapes. Built on first use: only parts of such strings need them.
    pub(super) marks: OnceLock<Vec<Mark>>,
}

impl Document {
    /// The value that is the document: the outermost one, or another one that [`Self::with_root`] sets.
    pub const fn root(&self) -> NodeId {
        self.root
    }

    /// The outermost value, at which pointers begin.
    pub(crate) fn outermost(&self) -> NodeId {
        NodeId(to_u32(self.nodes.len().saturating_sub(1)))
    }

    /// Makes an inner value the document. Spans and pointers stay those of the file; duplicate keys beside the value are
    /// no longer listed.
    #[must_use]
    pub fn with_root(mut self, root: NodeId) -> Self {
        let [inner, outer] = [root, self.outermost()].map(|node| self.span(node));
        let is_in = |a: Span, b: Span| b.start <= a.start && a.end <= b.end;
        if inner != outer {
            let span = |node: NodeId| self.nodes.get(node.index()).map_or(outer, |node| node.span);
            self.duplicates.retain(|pair| is_in(span(pair.second), inner) || is_in(inner, span(pair.second)));
        }
        self.root = root;
        self
    }

    /// Compares these keys without case. Their text stays as it is written.
    #[must_use]
    pub fn ignoring_case<'k>(mut self, known: impl Iterator<Item = &'k str>) -> Self {
        let codes: HashMap<String, KeyCode> =
            known.map(|key| (key.to_ascii_lowercase(), KeyCode::of(key.as_bytes()))).collect();
        let code = |node: &Node| {
            if !node.has(flag::KEYED) {
                return node.key;
            }
            let key = key_text(node, &self.escaped_keys, &self.text, &self.unescaped);
            codes.get(&key.to_ascii_lowercase()).copied().unwrap_or(node.key)
        };
        let codes: Vec<KeyCode> = self.nodes.iter().map(code).collect();
        for (node, code) in self.nodes.iter_mut().zip(codes) {
            node.key = code;
        }
        self.ignores_case = true;
        self.find_duplicates_by_case();
        self
    }

    /// Adds the keys that repeat another one in a different case.
    fn find_duplicates_by_case(&mut self) {
        let mut found = Vec::new();
        for object in (0..self.len()).filter_map(|index| self.id_at(index)) {
            let mut first: HashMap<KeyCode, NodeId> = HashMap::default();
            for second in self.children(object).filter(|member| self.node(*member).has(flag::KEYED)) {
                let first = *first.entry(self.key_code(second)).or_insert(second);
                if self.outer_key(first) != self.outer_key(second) {
                    found.push((object, Duplicate { first, second }));
                }
            }
        }
        for (object, pair) in found {
            self.duplicates.push(pair);
            if let Some(node) = self.nodes.get_mut(object.index()) {
                node.flags |= flag::REPEATS;
            }
        }
        let mut duplicates = std::mem::take(&mut self.duplicates);
        duplicates.sort_by_key(|pair| self.key_span(pair.second));
        self.duplicates = duplicates;
    }

    /// How many values the file has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All values, in the order in which they were read.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)).map(NodeId)
    }

    /// False: a parsed document has at least one value.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Members that repeat an earlier key, in the order of the text.
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        // An id of another document reads as the root instead of panicking.
        self.nodes.get(id.index()).or_else(|| self.nodes.last()).unwrap_or(&Node::EMPTY)
    }

    /// The JSON type of a value.
    #[inline]
    pub fn kind(&self, id: NodeId) -> NodeKind {
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
        (node.kind == NodeKind::String).then(|| self.string_of(node))
    }

    /// A number's text as written; `None` for any other type.
    pub fn number(&self, id: NodeId) -> Option<&str> {
        let node = self.node(id);
        (node.kind == NodeKind::Number).then(|| self.slice(node.span))
    }

    /// A number that is whole and fits; `5.0` and `5e0` are whole.
    pub fn integer(&self, id: NodeId) -> Option<i64> {
        let text = self.number(id)?;
        text.parse().ok().or_else(|| whole_number(text.parse().ok()?))
    }

    /// A whole number that refers to an id; all that are too large for one are alike.
    pub fn identifier(&self, id: NodeId) -> Option<i64> {
        let too_large = || {
            let number: f64 = self.number(id)?.parse().ok()?;
            (number.abs() >= TOO_LARGE).then_some(if number < 0.0 { i64::MIN } else { i64::MAX })
        };
        self.integer(id).or_else(too_large)
    }

    /// A boolean's value; `None` for any other type.
    pub fn boolean(&self, id: NodeId) -> Option<bool> {
        match self.kind(id) {
            NodeKind::True => Some(true),
            NodeKind::False => Some(false),
            _ => None,
        }
    }

    /// The enclosing object or array within the document; `None` for its root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        if id == self.root { None } else { self.outer_parent(id) }
    }

    /// The enclosing object or array, also around the document.
    pub(super) fn outer_parent(&self, id: NodeId) -> Option<NodeId> {
        let parents = self.parents.get_or_init(|| self.find_parents());
        parents.get(id.index()).filter(|&&parent| parent != id.0).map(|&parent| NodeId(parent))
    }

    fn find_parents(&self) -> Vec<u32> {
        // The outermost value has no parent; its own index stands for that.
        let mut parents: Vec<u32> = (0..to_u32(self.nodes.len())).collect();
        for (parent, node) in (0..).zip(&self.nodes) {
            if node.kind.is_container() {
                let first = node.start as usize;
                parents.get_mut(first..first + node.len as usize).unwrap_or_default().fill(parent);
            }
        }
        parents
    }

    /// The key of a value; `None` for array elements and the root.
    pub fn key(&self, id: NodeId) -> Option<&str> {
        if id == self.root { None } else { self.outer_key(id) }
    }

    /// The key of a value, also of the root in an object around the document.
    pub(super) fn outer_key(&self, id: NodeId) -> Option<&str> {
        let node = self.node(id);
        node.has(flag::KEYED).then(|| key_text(node, &self.escaped_keys, &self.text, &self.unescaped))
    }

    /// Whether a value has this key; quicker than comparing [`Self::key`].
    pub(crate) fn key_is(&self, id: NodeId, name: &str) -> bool {
        let node = self.node(id);
        node.has(flag::KEYED) && self.has_key(node, name)
    }

    /// Whether a member has this key.
    #[inline]
    fn has_key(&self, member: &Node, name: &str) -> bool {
        let key = key_text(member, &self.escaped_keys, &self.text, &self.unescaped);
        key == name || self.ignores_case && key.eq_ignore_ascii_case(name)
    }

    /// The bytes of the key, quotes included.
    pub fn key_span(&self, id: NodeId) -> Option<Span> {
        let node = self.node(id);
        if node.has(flag::ESCAPED_KEY) {
            return escaped_key(node, &self.escaped_keys).map(|key| key.span);
        }
        let end = node.key_start + u32::from(node.key_len) + 2;
        node.has(flag::KEYED).then_some(Span::new(node.key_start, end))
    }

    /// The code of the key; [`KeyCode::NONE`] without one.
    #[inline]
    pub(crate) fn key_code(&self, id: NodeId) -> KeyCode {
        self.node(id).key
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
        let container = node.kind.is_container();
        let range = if container { node.start..node.start + node.len } else { 0..0 };
        range.map(NodeId)
    }

    /// The value at a place in an object or array.
    pub(crate) fn nth_child(&self, id: NodeId, index: usize) -> Option<NodeId> {
        let node = self.node(id);
        let is_there = node.kind.is_container() && index < node.len as usize;
        is_there.then(|| NodeId(node.start + to_u32(index)))
    }

    /// An array's elements; none for any other type.
    pub fn elements(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        let is_array = self.kind(id) == NodeKind::Array;
        self.children(id).filter(move |_| is_array)
    }

    /// The value of a key; of duplicates the last one, as most JSON parsers do.
    pub fn member(&self, object: NodeId, name: &str) -> Option<NodeId> {
        let node = self.node(object);
        if node.kind != NodeKind::Object {
            return None;
        }
        let code = KeyCode::of(name.as_bytes());
        let members = self.nodes.get(node.start as usize..(node.start + node.len) as usize)?;
        let is_match = |member: &Node| member.key == code && self.has_key(member, name);
        let index = members.iter().rposition(is_match)?;
        Some(NodeId(node.start + to_u32(index)))
    }

    /// Whether an object has a duplicate key.
    pub fn repeats_a_member(&self, object: NodeId) -> bool {
        self.node(object).has(flag::REPEATS)
    }

    /// Whether two values are certainly the same JSON, whatever their layout and the order of members; numbers as they are
    /// written. The nesting of a document is limited.
    pub fn is_equal(&self, one: NodeId, other: NodeId) -> bool {
        if self.kind(one) != self.kind(other) {
            return false;
        }
        match self.kind(one) {
            NodeKind::String => self.string(one) == self.string(other),
            NodeKind::Number => self.number(one) == self.number(other),
            NodeKind::Null | NodeKind::False | NodeKind::True => true,
            NodeKind::Array | NodeKind::Object => {
                let [ones, others] = [one, other].map(|container| {
                    let mut children: Vec<_> = self.children(container).map(|child| (self.key(child), child)).collect();
                    // Stable: items have no key, and stay in order.
                    children.sort_by_key(|(key, _)| *key);
                    children
                });
                let is_same = |((key, one), (other_key, other)): (&(_, NodeId), &(_, NodeId))| {
                    key == other_key && self.is_equal(*one, *other)
                };
                ones.len() == others.len() && ones.iter().zip(&others).all(is_same)
            }
        }
    }

    /// Whether a value has a string in it that is not blank.
    pub fn has_text(&self, value: NodeId) -> bool {
        self.string(value).is_some_and(|text| !text.trim().is_empty())
            || self.children(value).any(|child| self.has_text(child))
    }

    /// Whether a later member of the same object has this one's key.
    pub fn is_shadowed(&self, id: NodeId) -> bool {
        self.parent(id).is_some_and(|parent| {
            self.repeats_a_member(parent) && self.key(id).is_some_and(|name| self.member(parent, name) != Some(id))
        })
    }

    /// The characters that a finding about a value underlines: a scalar's own; of an array its `[`; of an object its `name`,
    /// of a binding its variable or value, of an expression its left operand, of another object its first member's.
    pub fn anchor(&self, node: NodeId) -> Span {
        let mut node = node;
        while let Some(shown) = self.shown_member(node) {
            node = shown;
        }
        let span = self.span(node);
        if self.kind(node) == NodeKind::Array { Span::new(span.start, span.start + 1) } else { span }
    }

    /// The right operand of an expression; `None` of any other value.
    pub fn second_anchor(&self, node: NodeId) -> Option<Span> {
        let operand = self.key_is(node, "expression").then(|| self.member(node, "right"))??;
        Some(self.anchor(operand))
    }

    /// The member of an object that stands for it; `None` of an empty one, and of any other value.
    fn shown_member(&self, object: NodeId) -> Option<NodeId> {
        let first = self.nth_child(object, 0).filter(|_| self.kind(object) == NodeKind::Object)?;
        let string = |name| self.member(object, name).filter(|&member| self.kind(member) == NodeKind::String);
        let scalar = |name| self.member(object, name).filter(|&member| !self.kind(member).is_container());
        let is_named = |variable: &NodeId| self.string(*variable).is_some_and(|name| !name.is_empty());
        let is_static = scalar("isBound").and_then(|flag| self.boolean(flag)).map(|is_bound| !is_bound);
        let is_static =
            scalar("state").and_then(|state| self.string(state)).map_or(is_static, |state| Some(state != "bound"));
        let variable = || match is_static {
            Some(true) => None,
            Some(false) => string("boundTo"),
            None => string("boundTo").filter(is_named),
        };
        let left = || self.member(object, "left").filter(|_| self.key_is(object, "expression"));
        let shown = left().or_else(|| string("name")).or_else(variable).or_else(|| scalar("value"));
        Some(shown.unwrap_or(first))
    }
}

/// 2^63, the least whole number above those of the type.
const TOO_LARGE: f64 = 9_223_372_036_854_775_808.0;

/// A float as a whole number, if it is one; above 2^53 floats skip whole numbers, so larger ones are refused.
#[expect(clippy::cast_possible_truncation, reason = "checked: whole and within ±2^53")]
pub(crate) fn whole_number(number: f64) -> Option<i64> {
    const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && number.abs() <= MAX_EXACT).then_some(number as i64)
}
