//! The tokens of a JSON text (RFC 8259), with their places.

use super::parse::{SyntaxError, SyntaxErrorKind};
use super::{Escape, Kind, TextRef, flag, hash, small};
use crate::source::Span;

/// What a value begins with, or all of it.
pub(super) enum Token {
    /// An array or object begins, at this offset.
    Open(Kind, u32),
    /// A value without children; of a string, where its characters are.
    Leaf { kind: Kind, span: Span, text: Option<TextRef> },
}

/// The name of a member.
pub(super) struct Key {
    /// With its quotes.
    pub span: Span,
    /// Its characters.
    pub text: TextRef,
    /// Their hash.
    pub hash: u32,
}

/// Reads a text from left to right.
pub(super) struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// The characters of all strings with escapes.
    unescaped: String,
    escapes: Vec<Escape>,
}

impl<'t> Scanner<'t> {
    /// A scanner that begins at an offset.
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
        small(self.at)
    }

    fn error(&self, kind: SyntaxErrorKind) -> SyntaxError {
        SyntaxError { kind, offset: small(self.at.min(self.bytes.len())) }
    }

    fn expected<T>(&self, what: &'static str) -> Result<T, SyntaxError> {
        Err(self.error(SyntaxErrorKind::Unexpected(what)))
    }

    /// The next byte that is no white space, without taking it.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            match byte {
                b' ' => self.skip_spaces(),
                b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    /// Indentation is most of an exported document's white space: eight spaces at a time.
    fn skip_spaces(&mut self) {
        const SPACES: u64 = each(b' ');
        while let Some(word) = self.word_at(self.at) {
            let others = word ^ SPACES;
            self.at += first_byte_set(others);
            if others != 0 {
                return;
            }
        }
        while self.bytes.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
    }

    /// The eight bytes from an offset on, the first one lowest.
    fn word_at(&self, at: usize) -> Option<u64> {
        self.bytes.get(at..)?.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes))
    }

    /// Reads a value, or the beginning of one with children.
    pub fn value(&mut self) -> Result<Token, SyntaxError> {
        let first = self.peek();
        let start = small(self.at);
        let leaf = |kind, end| Token::Leaf { kind, span: Span::new(start, small(end)), text: None };
        match first {
            Some(b'"') => {
                let (span, text) = self.string()?;
                Ok(Token::Leaf { kind: Kind::String, span, text: Some(text) })
            }
            Some(b'{') => {
                self.at += 1;
                Ok(Token::Open(Kind::Object, start))
            }
            Some(b'[') => {
                self.at += 1;
                Ok(Token::Open(Kind::Array, start))
            }
            Some(b't') => self.word("true").map(|()| leaf(Kind::True, self.at)),
            Some(b'f') => self.word("false").map(|()| leaf(Kind::False, self.at)),
            Some(b'n') => self.word("null").map(|()| leaf(Kind::Null, self.at)),
            Some(b'-' | b'0'..=b'9') => self.number().map(|()| leaf(Kind::Number, self.at)),
            Some(b'/') => self.expected("a value; JSON has no comments"),
            Some(_) => self.expected("a value"),
            None => self.expected("a value before the end of the file"),
        }
    }

    /// Takes the end of an array or object that has no children.
    pub fn closes(&mut self, kind: Kind) -> bool {
        let end = if kind == Kind::Object { b'}' } else { b']' };
        let closes = self.peek() == Some(end);
        self.at += usize::from(closes);
        closes
    }

    /// Takes a comma, after which another child comes, or the end.
    pub fn continues(&mut self, kind: Kind) -> Result<bool, SyntaxError> {
        let in_object = kind == Kind::Object;
        match (self.peek(), in_object) {
            (Some(b','), _) => {
                self.at += 1;
                let ends = matches!(self.peek(), Some(b']' | b'}'));
                if ends {
                    return self.expected(if in_object {
                        "a member after the `,`; JSON allows no `,` before `}`"
                    } else {
                        "a value after the `,`; JSON allows no `,` before `]`"
                    });
                }
                Ok(true)
            }
            (Some(b'}'), true) | (Some(b']'), false) => {
                self.at += 1;
                Ok(false)
            }
            (Some(_), true) => self.expected("`,` or `}`"),
            (Some(_), false) => self.expected("`,` or `]`"),
            (None, true) => self.expected("`,` or `}` before the end of the file"),
            (None, false) => self.expected("`,` or `]` before the end of the file"),
        }
    }

    /// Reads a member's name and its colon.
    pub fn key(&mut self) -> Result<Key, SyntaxError> {
        match self.peek() {
            Some(b'"') => {}
            Some(b'/') => return self.expected("a member name in double quotes; JSON has no comments"),
            Some(_) => return self.expected("a member name in double quotes"),
            None => return self.expected("a member name or `}` before the end of the file"),
        }
        let (span, text) = self.string()?;
        if self.peek() != Some(b':') {
            return self.expected("`:` after the member name");
        }
        self.at += 1;
        let buffer = if text.flags & flag::ESCAPED == 0 { self.text } else { &self.unescaped };
        let name = buffer.get(text.start as usize..(text.start + text.len) as usize).unwrap_or_default();
        Ok(Key { span, text, hash: hash(name) })
    }

    /// Nothing but white space is left.
    pub fn end(&mut self) -> Result<(), SyntaxError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => self.expected("the end of the file after the document"),
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

    /// `-`, digits without a zero before them, a fraction, an exponent (RFC 8259, section 6).
    fn number(&mut self) -> Result<(), SyntaxError> {
        self.take(b"-");
        if !self.take(b"0") && self.digits() == 0 {
            return self.expected("a digit");
        }
        if self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            return self.expected("a number without zeros before it");
        }
        if self.take(b".") && self.digits() == 0 {
            return self.expected("a digit after the point");
        }
        if self.take(b"eE") {
            self.take(b"+-");
            if self.digits() == 0 {
                return self.expected("a digit in the exponent");
            }
        }
        Ok(())
    }

    /// Reads a string, whose opening quote is next.
    fn string(&mut self) -> Result<(Span, TextRef), SyntaxError> {
        let start = self.at;
        self.at += 1;
        let end = self.find_end()?;
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            let text = TextRef { start: small(start + 1), len: small(end - start - 1), flags: 0 };
            return Ok((Span::new(small(start), small(end + 1)), text));
        }
        let (from, mut at) = (self.unescaped.len(), start + 1);
        let mut stop = end;
        while self.bytes.get(stop) == Some(&b'\\') {
            self.unescaped.push_str(self.text.get(at..stop).unwrap_or_default());
            let Some((len, character)) = self.text.get(stop..).and_then(super::text::escape) else {
                self.at = stop;
                return Err(self.error(SyntaxErrorKind::BadString("an escape that stands for no character")));
            };
            self.unescaped.push(character);
            self.escapes.push(Escape { text: small(stop + len), unescaped: small(self.unescaped.len()) });
            at = stop + len;
            self.at = at;
            stop = self.find_end()?;
        }
        self.unescaped.push_str(self.text.get(at..stop).unwrap_or_default());
        self.at = stop + 1;
        let text = TextRef { start: small(from), len: small(self.unescaped.len() - from), flags: flag::ESCAPED };
        Ok((Span::new(small(start), small(stop + 1)), text))
    }

    /// The next quote or backslash of a string.
    fn find_end(&mut self) -> Result<usize, SyntaxError> {
        let mut at = self.at;
        while let Some(word) = self.word_at(at) {
            let stops = stops_in(word);
            at += first_byte_set(stops);
            if stops != 0 {
                break;
            }
        }
        let rest = self.bytes.get(at..).unwrap_or_default();
        at += rest.iter().position(|byte| *byte == b'"' || *byte == b'\\' || *byte < b' ').unwrap_or(rest.len());
        match self.bytes.get(at) {
            Some(b'"' | b'\\') => Ok(at),
            Some(_) => {
                self.at = at;
                Err(self.error(SyntaxErrorKind::BadString("a control character, which must be escaped")))
            }
            None => {
                self.at = at;
                self.expected("a closing `\"` before the end of the file")
            }
        }
    }
}

/// A word of eight equal bytes.
const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The number of the lowest byte that is not 0; 8 when all are.
const fn first_byte_set(word: u64) -> usize {
    word.trailing_zeros() as usize / 8
}

/// A word whose lowest byte that is not 0 is where a string ends, has an escape, or holds a control
/// character; 0 when none does. (Bytes above it may be marked wrongly: the subtractions borrow.)
const fn stops_in(word: u64) -> u64 {
    const LOW: u64 = each(1);
    const HIGH: u64 = each(0x80);
    let (quotes, escapes) = (word ^ each(b'"'), word ^ each(b'\\'));
    let is_zero = quotes.wrapping_sub(LOW) & !quotes | escapes.wrapping_sub(LOW) & !escapes;
    let is_control = word.wrapping_sub(each(b' ')) & !word;
    (is_zero | is_control) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stop_among_eight_bytes_is_found() {
        let place = |text: &str| first_byte_set(stops_in(u64::from_le_bytes(text.as_bytes().try_into().unwrap())));
        assert_eq!(place("abcdefgh"), 8);
        assert_eq!(place("\"abcdefg"), 0);
        assert_eq!(place("abc\\d\"fg"), 3);
        assert_eq!(place("abcdefg\n"), 7);
        assert_eq!(place("äöüß"), 8);
        assert_eq!(place("!#[]~ ~\""), 7);
        assert_eq!(place("\u{7f}\u{1f}      "), 1);
    }
}
