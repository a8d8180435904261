//! JSON tokens from `jiter`, put into the arena.

use std::sync::Arc;

use jiter::{Jiter, JiterError, JiterErrorType, JsonErrorType, Peek};

use super::{Document, Duplicate, Key, Kind, NONE, Node, NodeId, TextRef, hash};
use crate::source::{BYTE_ORDER_MARK, Span};

/// How far a document may go.
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

/// Why a text is no document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// What is wrong.
    pub kind: SyntaxErrorKind,
    /// The byte at which it is wrong; the end of the text when that is missing something.
    pub offset: u32,
}

/// The ways in which a text is no document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// No JSON; what was expected, for a message that goes on "expected …".
    Unexpected(&'static str),
    /// A string with what no string may hold; said in full.
    BadString(&'static str),
    /// Nested more deeply than the limit.
    TooDeep,
}

pub(super) fn parse(text: &Arc<str>, limits: Limits) -> Result<Document, SyntaxError> {
    let mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let body = text.get(mark..).unwrap_or_default();
    let mut parser = Parser {
        text,
        jiter: Jiter::new(body.as_bytes()),
        body,
        mark,
        depth: limits.depth,
        open: Vec::new(),
        pending: Vec::new(),
        nodes: Vec::with_capacity(text.len() / 24),
        keys: Vec::with_capacity(text.len() / 28),
        unescaped: String::new(),
        duplicates: Vec::new(),
        names: Vec::new(),
    };
    let root = parser.document().map_err(|error| parser.explain(&error))?;
    let Parser { mut nodes, keys, unescaped, mut duplicates, .. } = parser;
    let root = push(&mut nodes, root);
    adopt(&mut nodes);
    duplicates.sort_by_key(|pair| pair.second);
    Ok(Document { text: Arc::clone(text), unescaped, nodes, keys, duplicates, root })
}

/// An object or array whose end has not come yet; its children so far are the last of `pending`.
struct Open {
    kind: Kind,
    start: u32,
    first: usize,
    key: u32,
}

enum Failure {
    Jiter(JiterError),
    TooDeep(usize),
    BadEscape(usize),
}

impl From<JiterError> for Failure {
    fn from(error: JiterError) -> Self {
        Self::Jiter(error)
    }
}

struct Parser<'t> {
    text: &'t str,
    jiter: Jiter<'t>,
    body: &'t str,
    mark: usize,
    depth: usize,
    open: Vec<Open>,
    pending: Vec<Node>,
    nodes: Vec<Node>,
    keys: Vec<Key>,
    unescaped: String,
    duplicates: Vec<Duplicate>,
    /// Hash and node of each member of the object that just closed; kept for its memory.
    names: Vec<(u32, u32)>,
}

/// Objects of at most this many members are looked through pair by pair.
const FEW: usize = 32;

fn any_equal(names: &[(u32, u32)]) -> bool {
    names.iter().enumerate().any(|(at, name)| names.iter().skip(at + 1).any(|other| other.0 == name.0))
}

impl Parser<'_> {
    /// One value per turn; containers are kept on a stack, so depth costs no call stack.
    fn document(&mut self) -> Result<Node, Failure> {
        let mut peek = self.jiter.peek()?;
        let mut key = NONE;
        loop {
            let mut done = match self.value(peek, key)? {
                Step::Value(next, next_key) => {
                    (peek, key) = (next, next_key);
                    continue;
                }
                Step::Done(node) => node,
            };
            loop {
                let Some(open) = self.open.last() else {
                    self.jiter.finish()?;
                    return Ok(done);
                };
                let in_object = open.kind == Kind::Object;
                self.pending.push(done);
                let next =
                    if in_object { self.next_member()? } else { self.jiter.array_step()?.map(|peek| (peek, NONE)) };
                if let Some(next) = next {
                    (peek, key) = next;
                    break;
                }
                done = self.close();
            }
        }
    }

    fn value(&mut self, peek: Peek, key: u32) -> Result<Step, Failure> {
        let start = self.offset();
        let leaf = |kind, end| Step::Done(Node { kind, span: Span::new(start, end), key, ..super::EMPTY });
        match peek {
            Peek::Array => {
                self.enter(Kind::Array, start, key)?;
                Ok(match self.jiter.known_array()? {
                    Some(peek) => Step::Value(peek, NONE),
                    None => Step::Done(self.close()),
                })
            }
            Peek::Object => {
                self.enter(Kind::Object, start, key)?;
                let first = self.jiter.next_object_bytes()?;
                let content = first.map(|content| place_in(self.body, content));
                Ok(match content {
                    Some(content) => {
                        let (peek, key) = self.member(content)?;
                        Step::Value(peek, key)
                    }
                    None => Step::Done(self.close()),
                })
            }
            Peek::String => {
                let content = place_in(self.body, self.jiter.known_bytes()?);
                let text = self.text_ref(content)?;
                Ok(Step::Done(Node {
                    kind: Kind::String,
                    escaped: text.escaped,
                    span: Span::new(start, self.offset()),
                    start: text.start,
                    len: text.len,
                    key,
                    ..super::EMPTY
                }))
            }
            Peek::True | Peek::False => {
                let kind = if self.jiter.known_bool(peek)? { Kind::True } else { Kind::False };
                Ok(leaf(kind, self.offset()))
            }
            Peek::Null => {
                self.jiter.known_null()?;
                Ok(leaf(Kind::Null, self.offset()))
            }
            _ => {
                self.jiter.known_number_bytes(peek)?;
                Ok(leaf(Kind::Number, self.offset()))
            }
        }
    }

    fn enter(&mut self, kind: Kind, start: u32, key: u32) -> Result<(), Failure> {
        if self.open.len() >= self.depth {
            return Err(Failure::TooDeep(self.jiter.current_index()));
        }
        self.open.push(Open { kind, start, first: self.pending.len(), key });
        Ok(())
    }

    /// Moves the children of the innermost container to the arena, where they lie side by side.
    fn close(&mut self) -> Node {
        let end = self.offset();
        let Some(open) = self.open.pop() else { return super::EMPTY };
        let start = small(self.nodes.len());
        let len = small(self.pending.len() - open.first);
        self.nodes.extend(self.pending.drain(open.first..));
        let mut node =
            Node { kind: open.kind, span: Span::new(open.start, end), start, len, key: open.key, ..super::EMPTY };
        if open.kind == Kind::Object {
            node.repeats = self.find_duplicates(start, len);
        }
        node
    }

    /// Notes members of one name among the nodes `first..first + len`.
    fn find_duplicates(&mut self, first: u32, len: u32) -> bool {
        let before = self.duplicates.len();
        let members = self.nodes.get(first as usize..(first + len) as usize).unwrap_or_default();
        self.names.clear();
        self.names.extend(
            (first..)
                .zip(members)
                .filter_map(|(index, member)| Some((self.keys.get(member.key as usize)?.hash, index))),
        );
        if self.names.len() <= FEW && !any_equal(&self.names) {
            return false;
        }
        let mut names = std::mem::take(&mut self.names);
        names.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| self.key_text(a.1).cmp(&self.key_text(b.1))));
        for pair in names.windows(2) {
            let &[(hash, first), (other, second)] = pair else { continue };
            if hash == other && self.key_text(first) == self.key_text(second) {
                self.duplicates.push(Duplicate { first: NodeId(first), second: NodeId(second) });
            }
        }
        self.names = names;
        self.duplicates.len() > before
    }

    fn key_text(&self, node: u32) -> Option<&str> {
        let key = self.keys.get(self.nodes.get(node as usize)?.key as usize)?;
        let buffer = if key.text.escaped { &self.unescaped } else { self.text };
        buffer.get(key.text.start as usize..(key.text.start + key.text.len) as usize)
    }

    fn next_member(&mut self) -> Result<Option<(Peek, u32)>, Failure> {
        let content = self.jiter.next_key_bytes()?.map(|content| place_in(self.body, content));
        content.map(|content| self.member(content)).transpose()
    }

    /// A member's name, given the bytes between its quotes, and the look at its value.
    fn member(&mut self, content: (usize, usize)) -> Result<(Peek, u32), Failure> {
        let text = self.text_ref(content)?;
        let (start, end) = (small(content.0 + self.mark), small(content.1 + self.mark));
        let name = if text.escaped {
            self.unescaped.get(text.start as usize..).unwrap_or_default()
        } else {
            self.body.get(content.0..content.1).unwrap_or_default()
        };
        let key = Key { span: Span::new(start - 1, end + 1), text, hash: hash(name) };
        self.keys.push(key);
        Ok((self.jiter.peek()?, small(self.keys.len() - 1)))
    }

    fn text_ref(&mut self, (start, end): (usize, usize)) -> Result<TextRef, Failure> {
        let raw = self.body.get(start..end).unwrap_or_default();
        if memchr::memchr(b'\\', raw.as_bytes()).is_none() {
            return Ok(TextRef { start: small(start + self.mark), len: small(end - start), escaped: false });
        }
        let at = self.unescaped.len();
        if let Err(offset) = super::text::unescape(raw, &mut self.unescaped) {
            return Err(Failure::BadEscape(start + offset));
        }
        Ok(TextRef { start: small(at), len: small(self.unescaped.len() - at), escaped: true })
    }

    /// Where `jiter` stands, as an offset in the file.
    fn offset(&self) -> u32 {
        small(self.jiter.current_index() + self.mark)
    }

    fn explain(&self, failure: &Failure) -> SyntaxError {
        let (kind, index) = match failure {
            Failure::TooDeep(index) => (SyntaxErrorKind::TooDeep, *index),
            Failure::BadEscape(index) => (SyntaxErrorKind::BadString("an escape that JSON does not know"), *index),
            Failure::Jiter(error) => (explain(error), error.index),
        };
        SyntaxError { kind, offset: small((index + self.mark).min(self.text.len())) }
    }
}

enum Step {
    /// A container began: its first value comes next, under this key.
    Value(Peek, u32),
    Done(Node),
}

fn explain(error: &JiterError) -> SyntaxErrorKind {
    use JsonErrorType as E;
    use SyntaxErrorKind::{BadString, Unexpected};
    let JiterErrorType::JsonError(error) = &error.error_type else { return Unexpected("a value") };
    match error {
        E::EofWhileParsingList => Unexpected("`,` or `]` before the end of the file"),
        E::EofWhileParsingObject => Unexpected("a member name, `,` or `}` before the end of the file"),
        E::EofWhileParsingString => Unexpected("a closing `\"` before the end of the file"),
        E::EofWhileParsingValue => Unexpected("a value before the end of the file"),
        E::ExpectedColon => Unexpected("`:` after the member name"),
        E::ExpectedListCommaOrEnd => Unexpected("`,` or `]`"),
        E::ExpectedObjectCommaOrEnd => Unexpected("`,` or `}`"),
        E::ExpectedSomeIdent => Unexpected("`true`, `false` or `null`"),
        E::InvalidNumber | E::NumberOutOfRange => Unexpected("a number as JSON writes it"),
        E::KeyMustBeAString => Unexpected("a member name in double quotes"),
        E::TrailingComma => Unexpected("a value or a member after the `,`"),
        E::TrailingCharacters => Unexpected("the end of the file after the document"),
        E::ControlCharacterWhileParsingString => BadString("a control character, which must be escaped"),
        E::InvalidEscape => BadString("an escape that JSON does not know"),
        E::InvalidUnicodeCodePoint | E::LoneLeadingSurrogateInHexEscape | E::UnexpectedEndOfHexEscape => {
            BadString("a `\\u` escape that stands for no character")
        }
        _ => Unexpected("a value"),
    }
}

/// Start and end of a part of `body`, from the slice that `jiter` gave.
fn place_in(body: &str, part: &[u8]) -> (usize, usize) {
    let start = (part.as_ptr() as usize).saturating_sub(body.as_ptr() as usize);
    (start, start + part.len())
}

/// Offsets fit: files over 1 GiB are refused before they are parsed.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn push(nodes: &mut Vec<Node>, node: Node) -> NodeId {
    nodes.push(node);
    NodeId(small(nodes.len() - 1))
}

/// Tells every child who its parent is; a container always lies after its children.
fn adopt(nodes: &mut [Node]) {
    for index in 0..nodes.len() {
        let Some(&node) = nodes.get(index) else { continue };
        if matches!(node.kind, Kind::Array | Kind::Object) {
            for child in nodes.iter_mut().skip(node.start as usize).take(node.len as usize) {
                child.parent = small(index);
            }
        }
    }
}
