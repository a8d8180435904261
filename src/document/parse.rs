//! Builds the arena from the tokens of [`super::scan`], bottom-up: a container is moved to the arena when it
//! closes, after everything inside it, so that its children are contiguous and the root comes last.
//!
//! A scanner of our own: a library that gives positions took twice the time. `tests/integration/json.rs` holds it to
//! `serde_json`.

use std::sync::{Arc, OnceLock};

use super::arena::{Document, Duplicate};
use super::node::{Node, NodeId, NodeKind, TextRef, flag, key_text, to_u32};
use super::scan::{MemberKey, Scanner, SyntaxError, SyntaxErrorKind};
use crate::common::limits::{MAX_DEPTH, MAX_PATH_BYTES, max_objects, max_values};
use crate::text::source::{BYTE_ORDER_MARK, Span};

/// Limits on the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Levels of arrays and objects, 1 to 256.
    pub depth: usize,
    /// Values, of which a short text may have fewer.
    pub values: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: MAX_DEPTH, values: usize::MAX }
    }
}

impl Document {
    /// Parses JSON that may begin with a byte-order mark.
    pub fn parse(text: impl Into<Arc<str>>, limits: Limits) -> Result<Self, SyntaxError> {
        let text: Arc<str> = text.into();
        let mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let mut builder = Builder {
            text: &text,
            scanner: Scanner::new(&text, mark),
            depth: limits.depth,
            values_left: max_values(text.len()).min(limits.values),
            objects_left: max_objects(text.len()),
            path: 0,
            open: Vec::new(),
            pending: Vec::new(),
            nodes: Vec::new(),
            duplicates: Vec::new(),
        };
        let root = builder.document()?;
        let Builder { scanner: Scanner { unescaped, escaped_keys, .. }, mut nodes, mut duplicates, .. } = builder;
        nodes.push(root);
        nodes.shrink_to_fit();
        duplicates.sort_by_key(|pair| pair.second);
        let root = NodeId(to_u32(nodes.len() - 1));
        Ok(Self {
            text,
            unescaped,
            nodes,
            escaped_keys,
            duplicates,
            root,
            ignores_case: false,
            parents: OnceLock::new(),
            marks: OnceLock::new(),
        })
    }
}

/// An object or array that has not ended yet; its children so far are `pending[first..]`.
struct Open {
    kind: NodeKind,
    first: usize,
    key: MemberKey,
    start: u32,
    /// Bytes of the keys on the path to the container around it.
    path: usize,
}

struct Builder<'t> {
    text: &'t str,
    scanner: Scanner<'t>,
    depth: usize,
    values_left: usize,
    objects_left: usize,
    /// Bytes of the keys on the path to the innermost container.
    path: usize,
    open: Vec<Open>,
    pending: Vec<Node>,
    nodes: Vec<Node>,
    duplicates: Vec<Duplicate>,
}

impl Builder<'_> {
    /// Parses one value per iteration of the outer loop, and returns the outermost one. Open containers are on a stack of
    /// our own, so nesting does not use the call stack.
    fn document(&mut self) -> Result<Node, SyntaxError> {
        let mut key = MemberKey::default();
        loop {
            let token = self.scanner.value()?;
            if token.kind.is_container() {
                self.enter(token.kind, token.start, key)?;
                if !self.scanner.closes(token.kind) {
                    key = self.next_key(token.kind)?;
                    continue;
                }
                self.close()?;
            } else {
                self.push(node(token.kind, Span::new(token.start, self.scanner.position()), token.text, key))?;
            }
            // A complete value: close every container that ends here.
            key = loop {
                let Some(open) = self.open.last() else {
                    self.scanner.end()?;
                    return Ok(self.pending.pop().unwrap_or(Node::EMPTY));
                };
                let kind = open.kind;
                if self.scanner.continues(kind)? {
                    break self.next_key(kind)?;
                }
                self.close()?;
            };
        }
    }

    fn next_key(&mut self, container: NodeKind) -> Result<MemberKey, SyntaxError> {
        if container != NodeKind::Object {
            return Ok(MemberKey::default());
        }
        let key = self.scanner.key()?;
        if self.path + usize::from(key.len) > MAX_PATH_BYTES {
            return Err(too_many("bytes of keys around a value", key.start));
        }
        Ok(key)
    }

    /// Adds a complete value to its container.
    fn push(&mut self, value: Node) -> Result<(), SyntaxError> {
        let start = value.span.start;
        self.values_left = self.values_left.checked_sub(1).ok_or_else(|| too_many("values", start))?;
        self.pending.push(value);
        Ok(())
    }

    fn enter(&mut self, kind: NodeKind, start: u32, key: MemberKey) -> Result<(), SyntaxError> {
        if self.open.len() >= self.depth {
            return Err(SyntaxError { kind: SyntaxErrorKind::TooDeep, offset: start });
        }
        if kind == NodeKind::Object {
            let left = self.objects_left.checked_sub(1);
            self.objects_left = left.ok_or_else(|| too_many("objects", start))?;
        }
        self.open.push(Open { kind, first: self.pending.len(), key, start, path: self.path });
        self.path += usize::from(key.len);
        Ok(())
    }

    /// Moves the children of the innermost container to the arena, where they lie side by side.
    fn close(&mut self) -> Result<(), SyntaxError> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        self.path = open.path;
        let span = Span::new(open.start, self.scanner.position());
        let start = to_u32(self.nodes.len());
        let len = to_u32(self.pending.len() - open.first);
        let repeats = open.kind == NodeKind::Object && self.find_duplicates(open.first, start);
        let flags = if repeats { flag::REPEATS } else { 0 };
        self.nodes.extend(self.pending.drain(open.first..));
        self.push(node(open.kind, span, TextRef { start, len, flags }, open.key))
    }

    /// Records duplicate keys among the pending members from `first` on, which will be nodes `at` and following of the
    /// arena.
    fn find_duplicates(&mut self, first: usize, at: u32) -> bool {
        /// Up to here comparing every pair of codes is faster than sorting.
        const MAX_PAIRWISE: usize = 32;
        let members = self.pending.get(first..).unwrap_or_default();
        let is_unique = |(next, member): (usize, &Node)| {
            !members.get(next..).unwrap_or_default().iter().any(|other| other.key == member.key)
        };
        if members.len() <= MAX_PAIRWISE && (1..).zip(members).all(is_unique) {
            return false;
        }
        let key = |index: &u32| {
            let member = members.get(*index as usize).unwrap_or(&Node::EMPTY);
            (member.key, key_text(member, &self.scanner.escaped_keys, self.text, &self.scanner.unescaped))
        };
        // Duplicates become neighbors, and the sort is stable, so the earlier member comes first.
        let mut indices: Vec<u32> = (0..to_u32(members.len())).collect();
        indices.sort_by(|one, other| key(one).cmp(&key(other)));
        let before = self.duplicates.len();
        for pair in indices.windows(2) {
            if let [first, second] = pair
                && key(first) == key(second)
            {
                self.duplicates.push(Duplicate { first: NodeId(at + first), second: NodeId(at + second) });
            }
        }
        self.duplicates.len() > before
    }
}

#[cold]
const fn too_many(what: &'static str, offset: u32) -> SyntaxError {
    SyntaxError { kind: SyntaxErrorKind::TooMany(what), offset }
}

/// `place` is that of a string's characters, or of the children.
const fn node(kind: NodeKind, span: Span, place: TextRef, key: MemberKey) -> Node {
    let TextRef { start, len, flags } = place;
    Node { kind, flags: flags | key.flags, key_len: key.len, span, start, len, key_start: key.start, key: key.code }
}
