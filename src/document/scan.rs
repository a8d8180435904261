//! The tokens of a JSON text (RFC 8259), with their places.

use super::error::{SyntaxError, SyntaxErrorKind};
use super::escape;
use super::key_code::KeyCode;
use super::lanes;
use super::node::{Escape, NodeKind, TextRef, flag, to_u32};
use crate::source::Span;

/// The beginning of a container, or a complete value without children.
pub(super) enum Token {
    /// An array or object, and the offset of its bracket.
    Open(NodeKind, u32),
    /// Any other value; `text` is where the characters of a string are, and empty for others.
    Leaf { kind: NodeKind, span: Span, text: TextRef },
}

/// A key with its quotes and its colon read.
pub(super) struct Key {
    /// Quotes included.
    pub span: Span,
    pub text: TextRef,
    pub code: KeyCode,
}

pub(super) struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// The side buffer: the unescaped characters of all strings with escapes.
    unescaped: String,
    escapes: Vec<Escape>,
}

impl<'t> Scanner<'t> {
    /// `at` is the offset to begin at.
    pub const fn new(text: &'t str, at: usize) -> Self {
        Self { text, bytes: text.as_bytes(), at, unescaped: String::new(), escapes: Vec::new() }
    }

    pub const fn text(&self) -> &'t str {
        self.text
    }

    pub fn unescaped(&self) -> &str {
        &self.unescaped
    }

    pub fn into_unescaped(self) -> (String, Vec<Escape>) {
        (self.unescaped, self.escapes)
    }

    /// The offset after what was read.
    pub fn position(&self) -> u32 {
        to_u32(self.at)
    }

    #[cold]
    fn error(&self, kind: SyntaxErrorKind) -> SyntaxError {
        SyntaxError { kind, offset: to_u32(self.at.min(self.bytes.len())) }
    }

    fn expected<T>(&self, what: &'static str) -> Result<T, SyntaxError> {
        Err(self.error(SyntaxErrorKind::Unexpected(what)))
    }

    /// The next byte that is not white space, which is not consumed.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        if byte > b' ' { Some(byte) } else { self.skip_white_space() }
    }

    /// The byte after white space, which is not consumed.
    fn skip_white_space(&mut self) -> Option<u8> {
        loop {
            match *self.bytes.get(self.at)? {
                // The next line is indented.
                b'\n' => self.at = lanes::skip_spaces(self.bytes, self.at + 1),
                b' ' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    #[inline]
    pub fn value(&mut self) -> Result<Token, SyntaxError> {
        let first = self.peek();
        let start = to_u32(self.at);
        let none = TextRef { start: 0, len: 0, flags: 0 };
        let leaf = |kind, end| Token::Leaf { kind, span: Span::new(start, to_u32(end)), text: none };
        match first {
            Some(b'"') => {
                let (span, text) = self.string()?;
                Ok(Token::Leaf { kind: NodeKind::String, span, text })
            }
            Some(b'{') => {
                self.at += 1;
                Ok(Token::Open(NodeKind::Object, start))
            }
            Some(b'[') => {
                self.at += 1;
                Ok(Token::Open(NodeKind::Array, start))
            }
            Some(b't') => self.word("true").map(|()| leaf(NodeKind::True, self.at)),
            Some(b'f') => self.word("false").map(|()| leaf(NodeKind::False, self.at)),
            Some(b'n') => self.word("null").map(|()| leaf(NodeKind::Null, self.at)),
            Some(b'-' | b'0'..=b'9') => self.number().map(|()| leaf(NodeKind::Number, self.at)),
            _ => Err(self.not_a_value(first)),
        }
    }

    #[cold]
    fn not_a_value(&self, next: Option<u8>) -> SyntaxError {
        self.error(SyntaxErrorKind::Unexpected(match next {
            Some(b']' | b'}') if self.is_after_comma() => "a value after `,`; JSON does not allow trailing commas",
            Some(b'/') => "a value; JSON does not allow comments",
            Some(_) => "a value",
            None => "a value, found the end of the file",
        }))
    }

    fn is_after_comma(&self) -> bool {
        self.bytes.get(..self.at).is_some_and(|before| before.trim_ascii_end().ends_with(b","))
    }

    /// Consumes the closing bracket of an empty array or object, if it is next.
    #[inline]
    pub fn closes(&mut self, kind: NodeKind) -> bool {
        let closes = self.peek() == Some(closing(kind));
        self.at += usize::from(closes);
        closes
    }

    /// Consumes what follows a child: true for a comma and another child, false for the closing bracket.
    #[inline]
    pub fn continues(&mut self, kind: NodeKind) -> Result<bool, SyntaxError> {
        let next = self.peek();
        if next != Some(b',') && next != Some(closing(kind)) {
            return Err(self.not_continued(kind, next.is_none()));
        }
        self.at += 1;
        Ok(next == Some(b','))
    }

    #[cold]
    fn not_continued(&self, kind: NodeKind, is_end: bool) -> SyntaxError {
        self.error(SyntaxErrorKind::Unexpected(match (kind, is_end) {
            (NodeKind::Object, false) => "`,` or `}`",
            (NodeKind::Object, true) => "`,` or `}`, found the end of the file",
            (_, false) => "`,` or `]`",
            (_, true) => "`,` or `]`, found the end of the file",
        }))
    }

    #[inline]
    pub fn key(&mut self) -> Result<Key, SyntaxError> {
        let next = self.peek();
        if next != Some(b'"') {
            return Err(self.not_a_key(next));
        }
        let (span, text) = self.string()?;
        if self.peek() != Some(b':') {
            return self.expected("`:` after the key");
        }
        self.at += 1;
        let buffer = if text.flags & flag::ESCAPED == 0 { self.bytes } else { self.unescaped.as_bytes() };
        let name = buffer.get(text.start as usize..).and_then(|rest| rest.get(..text.len as usize));
        Ok(Key { span, text, code: KeyCode::of(name.unwrap_or_default()) })
    }

    #[cold]
    fn not_a_key(&self, next: Option<u8>) -> SyntaxError {
        self.error(SyntaxErrorKind::Unexpected(match next {
            Some(b']' | b'}') if self.is_after_comma() => "a key after `,`; JSON does not allow trailing commas",
            Some(b'/') => "a key in double quotes; JSON does not allow comments",
            Some(_) => "a key in double quotes",
            None => "a key or `}`, found the end of the file",
        }))
    }

    /// Checks that only white space is left.
    pub fn end(&mut self) -> Result<(), SyntaxError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => self.expected("the end of the file after the root value"),
        }
    }

    fn word(&mut self, word: &'static str) -> Result<(), SyntaxError> {
        if self.bytes.get(self.at..self.at + word.len()) != Some(word.as_bytes()) {
            return self.expected("`true`, `false` or `null`");
        }
        self.at += word.len();
        Ok(())
    }

    fn digits(&mut self) -> usize {
        let from = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        self.at - from
    }

    fn take(&mut self, wanted: &[u8]) -> bool {
        let is_there = self.bytes.get(self.at).is_some_and(|byte| wanted.contains(byte));
        self.at += usize::from(is_there);
        is_there
    }

    /// RFC 8259, section 6: `-`, digits without leading zeros, a fraction, an exponent.
    fn number(&mut self) -> Result<(), SyntaxError> {
        self.take(b"-");
        if !self.take(b"0") && self.digits() == 0 {
            return self.expected("a digit");
        }
        if self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            return self.expected("a number without leading zeros");
        }
        if self.take(b".") && self.digits() == 0 {
            return self.expected("a digit after the decimal point");
        }
        if self.take(b"eE") {
            self.take(b"+-");
            if self.digits() == 0 {
                return self.expected("a digit in the exponent");
            }
        }
        Ok(())
    }

    /// Reads a string whose opening quote is next.
    #[inline]
    fn string(&mut self) -> Result<(Span, TextRef), SyntaxError> {
        let start = self.at;
        let stop = lanes::find_stop(self.bytes, start + 1);
        // The usual string has no escapes, and its characters are those of the file.
        if self.bytes.get(stop) != Some(&b'"') {
            return self.string_with_escapes(start, stop);
        }
        self.at = stop + 1;
        let text = TextRef { start: to_u32(start + 1), len: to_u32(stop - start - 1), flags: 0 };
        Ok((Span::new(to_u32(start), to_u32(stop + 1)), text))
    }

    /// Reads a string from its opening quote on, which has something other than a quote at `stop`.
    #[cold]
    fn string_with_escapes(&mut self, start: usize, mut stop: usize) -> Result<(Span, TextRef), SyntaxError> {
        let (from, mut at) = (self.unescaped.len(), start + 1);
        loop {
            self.unescaped.push_str(self.text.get(at..stop).unwrap_or_default());
            self.at = stop;
            match self.bytes.get(stop) {
                Some(b'"') => break,
                Some(b'\\') => {}
                Some(_) => return Err(self.error(SyntaxErrorKind::BadString("an unescaped control character"))),
                None => return self.expected("a closing `\"`, found the end of the file"),
            }
            let Some((len, character)) = self.text.get(stop..).and_then(escape::next) else {
                return Err(self.error(SyntaxErrorKind::BadString("an invalid escape sequence")));
            };
            self.unescaped.push(character);
            at = stop + len;
            self.escapes.push(Escape { text: to_u32(at), unescaped: to_u32(self.unescaped.len()) });
            stop = lanes::find_stop(self.bytes, at);
        }
        self.at = stop + 1;
        let text = TextRef { start: to_u32(from), len: to_u32(self.unescaped.len() - from), flags: flag::ESCAPED };
        Ok((Span::new(to_u32(start), to_u32(stop + 1)), text))
    }
}

const fn closing(kind: NodeKind) -> u8 {
    match kind {
        NodeKind::Object => b'}',
        _ => b']',
    }
}
