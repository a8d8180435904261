//! The context of an offset in a JSON text that may be incomplete, from its tokens. What reads YAML and TOML by lines passes
//! theirs to the same [`Reader`].

use crate::text::source::Span;

/// The span of nothing that a cursor could be in.
const BEHIND: Span = Span::new(u32::MAX, u32::MAX);

/// Where the cursor is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
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
    /// The header of a table of TOML, if it is in one: the cursor is at its last key.
    pub header: Option<Header>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Of all of it.
    pub span: Span,
    /// Of the keys before the last one, with their dots.
    pub path: Span,
    /// Whether it begins with two brackets.
    pub is_list: bool,
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
pub fn context(text: &str, offset: u32) -> Option<Context> {
    let mut reader = Reader::new(text, offset);
    tokens(text, 0).for_each(|token| reader.take(token));
    reader.finish()
}

/// Reads tokens, and remembers where the cursor is.
#[derive(Default)]
pub struct Reader<'t> {
    text: &'t str,
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
    /// Where the cursor is, with the indices of the containers around it.
    found: Option<(Vec<usize>, Context)>,
    /// The entries of `variables`.
    variables: Vec<usize>,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str, offset: u32) -> Self {
        Self { text, offset, ..Self::default() }
    }

    /// The context, if the cursor was passed, or is at the end of a string in which something is open.
    pub fn finish(mut self) -> Option<Context> {
        self.pass(BEHIND, false, true);
        let (open, context) = self.found?;
        let containers =
            |indices: &[usize]| indices.iter().filter_map(|&index| self.containers.get(index).cloned()).collect();
        Some(Context { around: containers(&open), variables: containers(&self.variables), ..context })
    }

    pub fn take(&mut self, Token { kind, span }: Token) {
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
                self.add_scalar(Some(unescaped(self.text.get(content.range()).unwrap_or_default())), span);
            }
            TokenKind::Word => {
                self.pass(span, false, self.offset <= span.end);
                self.needs_separator = true;
                self.add_scalar(self.text.get(span.range()).map(str::to_owned), span);
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
                self.next_member();
            }
        }
    }

    /// Begins another member or element of the innermost container.
    pub fn next_member(&mut self) {
        self.needs_separator = false;
        self.string = None;
        if self.key().is_some() {
            self.add(None, Span::default());
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
    pub fn pass_before(&mut self, span: Span) {
        self.pass(BEHIND, false, self.offset <= span.start);
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
        let context = Context {
            is_key: self.is_in_object() && key.is_none(),
            key,
            span: if is_inside { span } else { Span::new(self.offset, self.offset) },
            in_string: is_inside && is_string,
            ..Context::default()
        };
        self.found = Some((self.open.clone(), context));
    }

    /// Opens a container, as the value of the key that was read last.
    pub fn open(&mut self, is_object: bool) {
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
    pub fn close(&mut self, is_object: bool, span: Span) {
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// With its quotes; one that is not closed ends with its line.
    String {
        is_closed: bool,
    },
    /// A number, `true`, or anything of these characters.
    Word,
    Open {
        is_object: bool,
    },
    Close {
        is_object: bool,
    },
    Colon,
    Comma,
}

/// The tokens from an offset on; other characters are skipped, and comments, which JSON does not have.
pub fn tokens(text: &str, from: usize) -> impl Iterator<Item = Token> + '_ {
    let bytes = text.as_bytes();
    let mut at = from;
    std::iter::from_fn(move || {
        let mut start = at + bytes.get(at..)?.iter().position(|byte| is_token(*byte))?;
        while bytes.get(start) == Some(&b'#') {
            start += bytes.get(start..)?.iter().position(|byte| *byte == b'\n')?;
            start += bytes.get(start..)?.iter().position(|byte| is_token(*byte))?;
        }
        let (kind, length) = token(bytes.get(start..)?)?;
        at = start + length;
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Some(Token { kind, span: Span::new(offset(start), offset(at)) })
    })
}

fn is_token(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'"' | b'\'' | b'=' | b'{' | b'}' | b'[' | b']' | b':' | b',' | b'#')
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.')
}

fn token(rest: &[u8]) -> Option<(TokenKind, usize)> {
    let kind = match rest.first()? {
        quote @ (b'"' | b'\'') => return Some(string(rest, *quote)),
        b'{' => TokenKind::Open { is_object: true },
        b'[' => TokenKind::Open { is_object: false },
        b'}' => TokenKind::Close { is_object: true },
        b']' => TokenKind::Close { is_object: false },
        b':' | b'=' => TokenKind::Colon,
        b',' => TokenKind::Comma,
        _ => return Some((TokenKind::Word, rest.iter().take_while(|byte| is_word(**byte)).count().max(1))),
    };
    Some((kind, 1))
}

fn string(rest: &[u8], quote: u8) -> (TokenKind, usize) {
    let mut is_escaped = false;
    for (index, byte) in rest.iter().enumerate().skip(1) {
        match byte {
            b'\n' | b'\r' => return (TokenKind::String { is_closed: false }, index),
            byte if *byte == quote && !is_escaped => return (TokenKind::String { is_closed: true }, index + 1),
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    (TokenKind::String { is_closed: false }, rest.len())
}
