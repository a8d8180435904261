//! The tokens of a JSON text (RFC 8259), with their places.

use super::error::{SyntaxError, SyntaxErrorKind};
use super::escape;
use super::key::{EscapedKey, MemberKey};
use super::key_code::KeyCode;
use super::node::{Escape, NodeKind, TextRef, flag, to_u32};
use super::recurring::{Place, RecurringKeys};
use crate::lanes;
use crate::source::Span;

/// The opening bracket of a container, the opening quote of a string, which was not read, or another value, which ends
/// where the scanner is.
pub(super) struct Token {
    pub kind: NodeKind,
    /// Of its first byte.
    pub start: u32,
}

pub(super) struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// The side buffer: the unescaped characters of all strings with escapes.
    unescaped: String,
    escapes: Vec<Escape>,
    escaped_keys: Vec<EscapedKey>,
    recurring: RecurringKeys,
}

impl<'t> Scanner<'t> {
    /// `at` is the offset to begin at.
    pub fn new(text: &'t str, at: usize) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at,
            unescaped: String::new(),
            escapes: Vec::new(),
            escaped_keys: Vec::new(),
            recurring: RecurringKeys::take(),
        }
    }

    pub const fn text(&self) -> &'t str {
        self.text
    }

    pub fn unescaped(&self) -> &str {
        &self.unescaped
    }

    pub fn escaped_keys(&self) -> &[EscapedKey] {
        &self.escaped_keys
    }

    /// Ends the scan.
    pub fn into_unescaped(self) -> (String, Vec<Escape>, Vec<EscapedKey>) {
        self.recurring.keep();
        (self.unescaped, self.escapes, self.escaped_keys)
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
        self.at = lanes::skip_white_space(self.bytes, self.at);
        self.bytes.get(self.at).copied()
    }

    #[inline]
    pub fn value(&mut self) -> Result<Token, SyntaxError> {
        let first = self.peek();
        let start = to_u32(self.at);
        let token = |kind| Token { kind, start };
        match first {
            Some(b'"') => Ok(token(NodeKind::String)),
            Some(b'{') => {
                self.at += 1;
                Ok(token(NodeKind::Object))
            }
            Some(b'[') => {
                self.at += 1;
                Ok(token(NodeKind::Array))
            }
            Some(b't') => self.word("true").map(|()| token(NodeKind::True)),
            Some(b'f') => self.word("false").map(|()| token(NodeKind::False)),
            Some(b'n') => self.word("null").map(|()| token(NodeKind::Null)),
            Some(b'-' | b'0'..=b'9') => self.number().map(|()| token(NodeKind::Number)),
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

    /// Reads a key and its colon.
    #[inline]
    pub fn key(&mut self, place: Place) -> Result<MemberKey, SyntaxError> {
        match self.recurring.find(place, self.bytes, self.at) {
            Some((key, end)) => {
                self.at = end;
                Ok(key)
            }
            None => self.new_key(place),
        }
    }

    fn new_key(&mut self, place: Place) -> Result<MemberKey, SyntaxError> {
        let before = self.at;
        let next = self.peek();
        if next != Some(b'"') {
            return Err(self.not_a_key(next));
        }
        let start = to_u32(self.at);
        let key = match self.plain_string() {
            Some(characters) => {
                let (from, to) = (characters.start as usize, self.at - 1);
                let name = self.bytes.get(from..to).unwrap_or_default();
                MemberKey { start, code: KeyCode::of(name), len: to_u16(name.len()), flags: u16::from(flag::KEYED) }
            }
            None => self.escaped_key()?,
        };
        if self.peek() != Some(b':') {
            return self.expected("`:` after the key");
        }
        // Most values come after one space.
        self.at += if self.bytes.get(self.at + 1) == Some(&b' ') { 2 } else { 1 };
        if key.flags & u16::from(flag::ESCAPED_KEY) == 0 {
            let lead = self.bytes.get(before..self.at).unwrap_or_default();
            self.recurring.remember(place, key, lead, before);
        }
        Ok(key)
    }

    #[cold]
    fn escaped_key(&mut self) -> Result<MemberKey, SyntaxError> {
        let start = self.position();
        let text = self.escaped_string()?;
        self.escaped_keys.push(EscapedKey { span: Span::new(start, self.position()), text });
        let name = self.unescaped.get(text.start as usize..).unwrap_or_default();
        let flags = u16::from(flag::KEYED | flag::ESCAPED_KEY);
        Ok(MemberKey { start, code: KeyCode::of(name.as_bytes()), len: to_u16(name.len()), flags })
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

    /// Reads a string, unless it has escapes, or is none. The usual one has none: its characters are those of the file.
    #[inline]
    pub fn plain_string(&mut self) -> Option<TextRef> {
        let start = self.at + 1;
        let end = lanes::find_stop(self.bytes, start);
        let is_plain = self.bytes.get(end) == Some(&b'"');
        is_plain.then(|| {
            self.at = end + 1;
            TextRef { start: to_u32(start), len: to_u32(end - start), flags: 0 }
        })
    }

    #[cold]
    pub fn escaped_string(&mut self) -> Result<TextRef, SyntaxError> {
        let (from, mut at) = (self.unescaped.len(), self.at + 1);
        // Where the last recorded escape ends, and how many there are since then.
        let (mut recorded, mut since) = (0, MAX_UNRECORDED);
        loop {
            let stop = lanes::find_stop(self.bytes, at);
            self.unescaped.push_str(self.text.get(at..stop).unwrap_or_default());
            self.at = stop;
            match self.bytes.get(stop) {
                Some(b'"') => break,
                Some(b'\\') => {}
                Some(_) => return Err(self.error(SyntaxErrorKind::BadString("an unescaped control character"))),
                None => return self.expected("a closing `\"`, found the end of the file"),
            }
            let Some((len, character)) = self.text.get(stop..).and_then(escape::next) else {
                let is_half = self.text.get(stop..).is_some_and(escape::is_half);
                let what = if is_half { "half of a surrogate pair" } else { "an invalid escape sequence" };
                return Err(self.error(SyntaxErrorKind::BadString(what)));
            };
            self.unescaped.push(character);
            at = stop + len;
            since += 1;
            if since > MAX_UNRECORDED || at - recorded >= MAX_UNRECORDED_BYTES {
                self.escapes.push(Escape { text: to_u32(at), unescaped: to_u32(self.unescaped.len()) });
                (recorded, since) = (at, 0);
            }
        }
        self.at += 1;
        Ok(TextRef { start: to_u32(from), len: to_u32(self.unescaped.len() - from), flags: flag::ESCAPED })
    }
}

/// Of the escapes of a string, the first is recorded, and each after so many, or so many bytes, since the last one.
const MAX_UNRECORDED: usize = 15;
const MAX_UNRECORDED_BYTES: usize = 256;

/// The length of a key, of which all that are too long are alike.
fn to_u16(len: usize) -> u16 {
    u16::try_from(len).unwrap_or(u16::MAX)
}

const fn closing(kind: NodeKind) -> u8 {
    match kind {
        NodeKind::Object => b'}',
        _ => b']',
    }
}
