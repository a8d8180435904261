//! Builds the arena from the tokens of [`super::scan`], bottom-up: a container is moved to the arena when it
//! closes, after everything inside it, so that its children are contiguous and the root comes last.
//!
//! A scanner of our own: a library that gives positions took twice the time (measured by
//! `benches/lint.rs`), and parsing is a third of a lint. `tests/integration/json.rs` holds it to `serde_json`.

use std::sync::{Arc, OnceLock};

use super::arena::{Document, Duplicate};
use super::error::{MAX_PATH_BYTES, SyntaxError, SyntaxErrorKind};
use super::key::{MemberKey, key_text};
use super::key_code::KeyCode;
use super::node::{Node, NodeId, NodeKind, TextRef, flag, to_u32};
use super::recurring::Place;
use super::scan::Scanner;
use crate::source::{BYTE_ORDER_MARK, Span};

/// Values that any document may have.
const MIN_VALUES: usize = 768 << 10;
/// Bytes of a document for each further value. The memory of a run is in proportion to the bytes, and what a value
/// takes does not depend on how short it is.
const BYTES_PER_VALUE: usize = 16;
/// Objects that any document may have.
const MIN_OBJECTS: usize = 64 << 10;
/// Bytes of a document for each further object.
const BYTES_PER_OBJECT: usize = 40;

/// So many nodes are not copied if they are most of the arena, so that both copies are never in memory together.
const LARGE: usize = 1 << 16;

/// Documents as the platform exports them have hardly more values than one for so many bytes, hardly deeper ones, and
/// hardly more values in unfinished containers.
const USUAL_BYTES: usize = 28;
const USUAL_DEPTH: usize = 16;
const USUAL_BREADTH: usize = 64;

/// Bytes of a small document.
const MAX_SMALL: usize = 4 << 10;

/// Limits on the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Levels of arrays and objects, 1 to 256.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 128 }
    }
}

impl Document {
    /// Parses JSON that may begin with a byte-order mark.
    ///
    /// # Errors
    /// The text is not JSON (RFC 8259), or is nested more deeply than `limits` allow.
    pub fn parse(text: impl Into<Arc<str>>, limits: Limits) -> Result<Self, SyntaxError> {
        parse(&text.into(), limits, usize::MAX)
    }

    /// As [`Self::parse`], with at most so many values.
    pub(crate) fn parse_within(
        text: impl Into<Arc<str>>,
        limits: Limits,
        max_values: usize,
    ) -> Result<Self, SyntaxError> {
        parse(&text.into(), limits, max_values)
    }
}

const fn max_values(bytes: usize) -> usize {
    MIN_VALUES + bytes / BYTES_PER_VALUE
}

const fn max_objects(bytes: usize) -> usize {
    MIN_OBJECTS + bytes / BYTES_PER_OBJECT
}

fn parse(text: &Arc<str>, limits: Limits, most_values: usize) -> Result<Document, SyntaxError> {
    let mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut builder = Builder {
        scanner: Scanner::new(text, mark),
        depth: limits.depth,
        values_left: max_values(text.len()).min(most_values),
        objects_left: max_objects(text.len()),
        path: 0,
        open: Vec::with_capacity(USUAL_DEPTH),
        pending: Vec::with_capacity(USUAL_BREADTH),
        nodes: Vec::with_capacity(text.len() / USUAL_BYTES),
        text,
        max_values: None,
        duplicates: Vec::new(),
        names: Vec::new(),
    };
    let root = builder.document()?;
    builder.nodes.push(root);
    let Builder { scanner, mut nodes, mut duplicates, .. } = builder;
    // A service may have very many small documents, and strings may have many commas.
    if text.len() <= MAX_SMALL || nodes.capacity() / 2 > nodes.len() {
        nodes.shrink_to_fit();
    }
    duplicates.sort_by_key(|pair| pair.second);
    let (unescaped, escapes, escaped_keys) = scanner.into_unescaped();
    // A container comes after its children, so the outermost value is the last.
    let root = NodeId(to_u32(nodes.len() - 1));
    Ok(Document {
        text: Arc::clone(text),
        unescaped,
        escapes,
        nodes,
        escaped_keys,
        duplicates,
        root,
        parents: OnceLock::new(),
    })
}

/// An object or array that has not ended yet; its children so far are `pending[first..]`.
struct Open {
    kind: NodeKind,
    first: usize,
    key: MemberKey,
    /// Where the next key comes.
    next: Place,
    start: u32,
    /// Bytes of the keys on the path to the container around it.
    path: usize,
    /// A bit for each value of seven bits of a code: those of the keys so far.
    seen: u128,
    /// Whether two keys have the same seven bits.
    may_repeat: bool,
}

impl Open {
    #[inline]
    const fn see_key(&mut self, key: KeyCode) {
        let bit = 1 << (key.low_bits() & 127);
        self.may_repeat |= self.seen & bit != 0;
        self.seen |= bit;
    }
}

struct Builder<'t> {
    scanner: Scanner<'t>,
    depth: usize,
    values_left: usize,
    objects_left: usize,
    /// Bytes of the keys on the path to the innermost container.
    path: usize,
    open: Vec<Open>,
    pending: Vec<Node>,
    nodes: Vec<Node>,
    text: &'t str,
    /// An upper bound of the values, once it was needed.
    max_values: Option<usize>,
    duplicates: Vec<Duplicate>,
    /// Code and index of each member of the object that just closed; a field so that its memory is reused.
    names: Vec<(KeyCode, u32)>,
}

impl Builder<'_> {
    /// Parses one value per iteration of the outer loop. Open containers are on a stack of our own, so
    /// nesting does not use the call stack.
    fn document(&mut self) -> Result<Node, SyntaxError> {
        let mut has_key = false;
        loop {
            let key = if has_key { self.key()? } else { MemberKey::default() };
            let token = self.scanner.value()?;
            match token.kind {
                NodeKind::Array | NodeKind::Object => {
                    self.enter(token.kind, token.start, key)?;
                    if !self.scanner.closes(token.kind) {
                        has_key = token.kind == NodeKind::Object;
                        continue;
                    }
                    self.close()?;
                }
                NodeKind::String => self.string(token.start, key)?,
                kind => self.push(node(kind, Span::new(token.start, self.scanner.position()), TextRef::NONE, key))?,
            }
            // A complete value: close every container that ends here.
            loop {
                let Some(open) = self.open.last() else {
                    self.scanner.end()?;
                    return Ok(self.pending.pop().unwrap_or(Node::EMPTY));
                };
                let kind = open.kind;
                if self.scanner.continues(kind)? {
                    has_key = kind == NodeKind::Object;
                    break;
                }
                self.close()?;
            }
        }
    }

    /// Reads a string whose opening quote is at `start`. Each case makes its node, which stays in registers.
    #[inline]
    fn string(&mut self, start: u32, key: MemberKey) -> Result<(), SyntaxError> {
        match self.scanner.plain_string() {
            Some(text) => self.push(node(NodeKind::String, Span::new(start, self.scanner.position()), text, key)),
            None => self.escaped_string(start, key),
        }
    }

    #[cold]
    fn escaped_string(&mut self, start: u32, key: MemberKey) -> Result<(), SyntaxError> {
        let text = self.scanner.escaped_string()?;
        self.push(node(NodeKind::String, Span::new(start, self.scanner.position()), text, key))
    }

    /// Adds a complete value to its container.
    #[inline]
    fn push(&mut self, value: Node) -> Result<(), SyntaxError> {
        if let Some(open) = self.open.last_mut() {
            open.see_key(value.key);
        }
        let Some(left) = self.values_left.checked_sub(1) else { return Err(too_many("values", value.span.start)) };
        self.values_left = left;
        if self.pending.len() == self.pending.capacity() {
            self.grow_pending();
        }
        self.pending.push(value);
        Ok(())
    }

    #[cold]
    fn grow_pending(&mut self) {
        if self.pending.len() >= LARGE {
            let left = self.max_values().saturating_sub(self.pending.len());
            self.pending.reserve_exact(left);
        }
    }

    /// At least as many values as the document has: a large array is not copied to one of twice its size, which would
    /// be in memory together with it.
    fn max_values(&mut self) -> usize {
        *self.max_values.get_or_insert_with(|| {
            let bytes = self.text.as_bytes();
            let containers = memchr::memchr2_iter(b'[', b'{', bytes).count();
            let values = 1 + memchr::memchr_iter(b',', bytes).count() + containers;
            values.min(max_values(bytes.len()))
        })
    }

    fn enter(&mut self, kind: NodeKind, start: u32, key: MemberKey) -> Result<(), SyntaxError> {
        if self.open.len() >= self.depth {
            return Err(SyntaxError { kind: SyntaxErrorKind::TooDeep, offset: start });
        }
        if kind == NodeKind::Object {
            self.objects_left = self.objects_left.checked_sub(1).ok_or_else(|| too_many("objects", start))?;
        }
        let path = self.path;
        self.path += usize::from(key.len);
        let next = Place::first(key.code, self.open.len());
        self.open.push(Open { kind, first: self.pending.len(), key, next, start, path, seen: 0, may_repeat: false });
        Ok(())
    }

    #[inline]
    fn key(&mut self) -> Result<MemberKey, SyntaxError> {
        let depth = self.open.len();
        let Some(open) = self.open.last_mut() else { return Ok(MemberKey::default()) };
        let key = self.scanner.key(open.next)?;
        open.next = Place::after(key.code, depth);
        if self.path + usize::from(key.len) > MAX_PATH_BYTES {
            return Err(SyntaxError { kind: SyntaxErrorKind::LongKeys, offset: key.start });
        }
        Ok(key)
    }

    /// Moves the children of the innermost container to the arena, where they lie side by side.
    fn close(&mut self) -> Result<(), SyntaxError> {
        let end = self.scanner.position();
        let Some(open) = self.open.pop() else { return Ok(()) };
        self.path = open.path;
        let start = to_u32(self.nodes.len());
        let len = to_u32(self.pending.len() - open.first);
        let mut flags = 0;
        if open.kind == NodeKind::Object && open.may_repeat && self.repeats(open.first, start) {
            flags = flag::REPEATS;
        }
        self.settle(open.first);
        self.push(node(open.kind, Span::new(open.start, end), TextRef { start, len, flags }, open.key))
    }

    /// Moves the pending nodes from `first` on to the end of the arena.
    fn settle(&mut self, first: usize) {
        let len = self.pending.len() - first;
        if self.nodes.capacity() - self.nodes.len() < len && self.nodes.len() >= LARGE {
            let left = self.max_values().saturating_sub(self.nodes.len());
            self.nodes.reserve_exact(left);
        }
        if len < LARGE || len < self.nodes.len() || first > self.nodes.len() + LARGE {
            self.nodes.extend_from_slice(self.pending.get(first..).unwrap_or_default());
            self.pending.truncate(first);
            return;
        }
        let outer = self.pending.get(..first).unwrap_or_default().to_vec();
        let mut nodes = std::mem::replace(&mut self.pending, outer);
        nodes.splice(..first, self.nodes.drain(..));
        self.nodes = nodes;
    }

    /// Whether the pending members from `first` on have duplicate keys, which are recorded.
    fn repeats(&mut self, first: usize, at: u32) -> bool {
        /// Up to here comparing every pair of codes is faster than sorting.
        const MAX_PAIRWISE: usize = 32;
        let members = self.pending.get(first..).unwrap_or_default();
        let mut rest = members;
        let mut has_equal_codes = members.len() > MAX_PAIRWISE;
        while let ([member, others @ ..], false) = (rest, has_equal_codes) {
            has_equal_codes = others.iter().any(|other| other.key == member.key);
            rest = others;
        }
        has_equal_codes && self.find_duplicates(first, at)
    }

    /// Records duplicate keys among the pending members from `first` on, which will be nodes `at` and
    /// following of the arena.
    fn find_duplicates(&mut self, first: usize, at: u32) -> bool {
        let mut found = Vec::new();
        let mut names = std::mem::take(&mut self.names);
        names.clear();
        let members = self.pending.get(first..).unwrap_or_default();
        names.extend((0..).zip(members).map(|(index, member)| (member.key, index)));
        let name = |index: u32| members.get(index as usize).map_or("", |member| self.key_text(member));
        // Sorted by code, then by key: duplicates become neighbors, and the sort is stable, so the earlier
        // member comes first.
        names.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| name(a.1).cmp(name(b.1))));
        for pair in names.windows(2) {
            let &[(code, first), (other, second)] = pair else { continue };
            if code == other && name(first) == name(second) {
                found.push(Duplicate { first: NodeId(at + first), second: NodeId(at + second) });
            }
        }
        self.names = names;
        self.duplicates.extend_from_slice(&found);
        !found.is_empty()
    }

    fn key_text(&self, member: &Node) -> &str {
        key_text(member, self.scanner.escaped_keys(), self.scanner.text(), self.scanner.unescaped())
    }
}

#[cold]
const fn too_many(what: &'static str, offset: u32) -> SyntaxError {
    SyntaxError { kind: SyntaxErrorKind::TooMany(what), offset }
}

/// `place` is that of a string's characters, or of the children.
#[inline]
const fn node(kind: NodeKind, span: Span, place: TextRef, key: MemberKey) -> Node {
    let TextRef { start, len, flags } = place;
    let [key_flags, _] = key.flags.to_le_bytes();
    Node { kind, flags: flags | key_flags, key_len: key.len, span, start, len, key_start: key.start, key: key.code }
}
