//! The context of an offset in a JSON text that may be incomplete, from its tokens.

use std::ops::Range;

use super::json_tokens::{Token, TokenKind, tokens};
use crate::source::Span;

/// Where the cursor is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonContext {
    /// The objects and arrays around it, the outermost first.
    pub around: Vec<Container>,
    /// The key whose value is at the cursor; `None` if a key, or an element of an array, is there.
    pub key: Option<String>,
    pub is_key: bool,
    /// The span to replace: the content of a string, or a word.
    pub span: Span,
    /// Whether it is a string, so that quotes are there.
    pub in_string: bool,
    /// The entries of `variables`.
    pub variables: Vec<Container>,
}

/// An object or array, as far as it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Container {
    pub is_object: bool,
    /// Its own key.
    pub key: Option<String>,
    pub members: Vec<Member>,
}

/// A member of an object, or an element of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Empty for an element.
    pub key: String,
    /// A string, number or word; `None` for other values.
    pub text: Option<String>,
    /// Of a string, number or word, quotes included.
    pub span: Span,
    /// Of an object: its `name`.
    pub name: Option<String>,
    /// Of an object: its `boundTo`.
    pub bound_to: Option<String>,
}

impl Container {
    /// A scalar.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.member(key)?.text.as_deref()
    }

    pub fn member(&self, key: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.key == key)
    }
}

/// `None` outside of all objects and arrays.
pub fn context(text: &str, offset: u32) -> Option<JsonContext> {
    context_in(Vec::new(), text, 0..text.len(), offset)
}

/// As [`context`], for a part of the text inside these containers.
pub fn context_in(around: Vec<Container>, text: &str, part: Range<usize>, offset: u32) -> Option<JsonContext> {
    let open: Vec<usize> = (0..around.len()).collect();
    let keys = vec![None; open.len()];
    let mut reader = Reader { offset, open, keys, containers: around, ..Reader::default() };
    let start = u32::try_from(part.start).ok()?;
    for Token { kind, span } in tokens(text.get(part)?) {
        reader.take(text, &Token { kind, span: Span::new(span.start + start, span.end + start) });
    }
    reader.pass(Span::new(u32::MAX, u32::MAX), false, true);
    let found = reader.found?;
    let containers = &reader.containers;
    let around = found.open.iter().filter_map(|&index| containers.get(index).cloned()).collect();
    let variables = reader.variables.iter().filter_map(|&index| containers.get(index).cloned()).collect();
    Some(JsonContext {
        variables,
        around,
        key: found.key,
        is_key: found.is_key,
        span: found.span,
        in_string: found.in_string,
    })
}

#[derive(Default)]
struct Reader {
    offset: u32,
    containers: Vec<Container>,
    /// Indices of the open containers.
    open: Vec<usize>,
    /// A string in an object that may be a key.
    string: Option<String>,
    /// The key before the colon, for each open container.
    keys: Vec<Option<String>>,
    /// Whether a key or a value was last, so that a colon or a comma comes first.
    needs_separator: bool,
    /// Whether the cursor is where nothing can be written.
    is_nowhere: bool,
    found: Option<Found>,
    /// The entries of `variables`.
    variables: Vec<usize>,
}

struct Found {
    open: Vec<usize>,
    key: Option<String>,
    is_key: bool,
    span: Span,
    in_string: bool,
}

impl Reader {
    fn take(&mut self, text: &str, token: &Token) {
        let Token { kind, span } = *token;
        match kind {
            TokenKind::String { is_closed } => {
                let content = Span::new(span.start + 1, if is_closed { span.end - 1 } else { span.end });
                // A cursor after the closing quote is behind the string.
                let is_inside =
                    self.offset > span.start && (self.offset < span.end || !is_closed && self.offset == span.end);
                // Nothing can be written right before a quote.
                self.is_nowhere |= self.found.is_none() && self.offset == span.start;
                self.pass(content, true, is_inside || self.offset < span.start);
                self.needs_separator = true;
                self.add_scalar(Some(unescaped(text.get(content.range()).unwrap_or_default())), span);
            }
            TokenKind::Word => {
                self.pass(span, false, self.offset <= span.end);
                self.needs_separator = true;
                self.add_scalar(text.get(span.range()).map(str::to_owned), span);
            }
            TokenKind::Open { is_object } => {
                self.is_nowhere |= self.found.is_none() && self.offset == span.start;
                self.pass_before(span);
                self.needs_separator = false;
                self.open(is_object);
            }
            TokenKind::Close { is_object } => {
                self.pass_before(span);
                self.needs_separator = true;
                self.close(is_object, span);
            }
            TokenKind::Colon => {
                self.pass_before(span);
                self.needs_separator = false;
                let string = self.string.take();
                if let Some(key) = self.keys.last_mut() {
                    *key = string;
                }
            }
            TokenKind::Comma => {
                self.pass_before(span);
                self.needs_separator = false;
                self.string = None;
                if let Some(key) = self.keys.last_mut() {
                    *key = None;
                }
            }
        }
    }

    fn is_in_object(&self) -> bool {
        let last = self.open.last().and_then(|&index| self.containers.get(index));
        last.is_some_and(|container| container.is_object)
    }

    fn key(&self) -> Option<&String> {
        self.keys.last()?.as_ref()
    }

    /// Remembers that the cursor is at or before a bracket, a colon or a comma, which is not replaced.
    fn pass_before(&mut self, span: Span) {
        self.pass(Span::new(u32::MAX, u32::MAX), false, self.offset <= span.start);
    }

    /// Remembers where the cursor is, if it is at or before a token. `span` is what is replaced if it is in the token.
    fn pass(&mut self, span: Span, is_string: bool, is_there: bool) {
        if self.found.is_some() || self.is_nowhere || !is_there || self.open.is_empty() {
            return;
        }
        let is_inside = span.start <= self.offset && self.offset <= span.end;
        if self.needs_separator && !is_inside {
            self.is_nowhere = true;
            return;
        }
        let key = self.key().cloned();
        self.found = Some(Found {
            open: self.open.clone(),
            is_key: self.is_in_object() && key.is_none(),
            key,
            span: if is_inside { span } else { Span::new(self.offset, self.offset) },
            in_string: is_inside && is_string,
        });
    }

    fn open(&mut self, is_object: bool) {
        let key = self.key().cloned();
        let index = self.containers.len();
        if self.open.last().and_then(|&list| self.containers.get(list)?.key.as_deref()) == Some("variables") {
            self.variables.push(index);
        }
        self.containers.push(Container { is_object, key, members: Vec::new() });
        self.open.push(index);
        self.keys.push(None);
        self.string = None;
    }

    /// Adds a string or word: the key of the next member of an object, or a value.
    fn add_scalar(&mut self, text: Option<String>, span: Span) {
        if self.is_in_object() && self.key().is_none() {
            self.string = text;
        } else {
            self.add(text, span);
        }
    }

    fn add(&mut self, text: Option<String>, span: Span) {
        let key = self.keys.last_mut().and_then(Option::take).unwrap_or_default();
        if let Some(container) = self.open.last().and_then(|&index| self.containers.get_mut(index)) {
            container.members.push(Member { key, text, span, name: None, bound_to: None });
        }
    }

    /// A bracket that closes nothing is skipped.
    fn close(&mut self, is_object: bool, span: Span) {
        let is_it = |index: &usize| self.containers.get(*index).is_some_and(|it| it.is_object == is_object);
        let Some(at) = self.open.iter().rposition(is_it) else { return };
        let closed = self.open.get(at).and_then(|&index| self.containers.get(index));
        let of_closed = |key: &str| closed.and_then(|closed| closed.text(key)).map(str::to_owned);
        let (name, bound_to) = (of_closed("name"), of_closed("boundTo"));
        self.open.truncate(at);
        self.keys.truncate(at);
        self.string = None;
        let key = self.keys.last_mut().and_then(Option::take).unwrap_or_default();
        if let Some(outer) = self.open.last().and_then(|&index| self.containers.get_mut(index)) {
            outer.members.push(Member { key, text: None, span, name, bound_to });
        }
    }
}

fn unescaped(content: &str) -> String {
    serde_json::from_str(&format!("\"{content}\"")).unwrap_or_else(|_| content.to_owned())
}
