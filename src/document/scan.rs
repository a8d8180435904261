//! The tokens of a JSON text (RFC 8259), with their places.

use super::error::{SyntaxError, SyntaxErrorKind};
use super::escape;
use super::key::hash;
use super::node::{Escape, NodeKind, TextRef, flag, to_u32};
use crate::source::Span;

/// The beginning of a container, or a complete value without children.
pub(super) enum Token {
    /// An array or object, and the offset of its bracket.
    Open(NodeKind, u32),
    /// Any other value; `text` is where the characters of a string are.
    Leaf { kind: NodeKind, span: Span, text: Option<TextRef> },
}

/// A key with its quotes and its colon read.
pub(super) struct Key {
    /// Quotes included.
    pub span: Span,
    pub text: TextRef,
    pub hash: u32,
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

    fn error(&self, kind: SyntaxErrorKind) -> SyntaxError {
        SyntaxError { kind, offset: to_u32(self.at.min(self.bytes.len())) }
    }

    fn expected<T>(&self, what: &'static str) -> Result<T, SyntaxError> {
        Err(self.error(SyntaxErrorKind::Unexpected(what)))
    }

    /// The next byte that is not white space, which is not consumed.
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

    /// Skips spaces, eight at a time: most white space of an exported document is indentation.
    fn skip_spaces(&mut self) {
        const SPACES: u64 = each(b' ');
        while let Some(word) = self.word_at(self.at) {
            // Zero bytes where there is a space.
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

    /// The eight bytes from an offset on, the first one in the lowest bits.
    fn word_at(&self, at: usize) -> Option<u64> {
        self.bytes.get(at..)?.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes))
    }

    pub fn value(&mut self) -> Result<Token, SyntaxError> {
        let first = self.peek();
        let start = to_u32(self.at);
        let leaf = |kind, end| Token::Leaf { kind, span: Span::new(start, to_u32(end)), text: None };
        match first {
            Some(b'"') => {
                let (span, text) = self.string()?;
                Ok(Token::Leaf { kind: NodeKind::String, span, text: Some(text) })
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
            Some(b'/') => self.expected("a value; JSON does not allow comments"),
            Some(_) => self.expected("a value"),
            None => self.expected("a value, found the end of the file"),
        }
    }

    /// Consumes the closing bracket of an empty array or object, if it is next.
    pub fn closes(&mut self, kind: NodeKind) -> bool {
        let end = if kind == NodeKind::Object { b'}' } else { b']' };
        let closes = self.peek() == Some(end);
        self.at += usize::from(closes);
        closes
    }

    /// Consumes what follows a child: true for a comma and another child, false for the closing bracket.
    pub fn continues(&mut self, kind: NodeKind) -> Result<bool, SyntaxError> {
        let in_object = kind == NodeKind::Object;
        match (self.peek(), in_object) {
            (Some(b','), _) => {
                self.at += 1;
                let ends = matches!(self.peek(), Some(b']' | b'}'));
                if ends {
                    return self.expected(if in_object {
                        "a key after `,`; JSON does not allow trailing commas"
                    } else {
                        "a value after `,`; JSON does not allow trailing commas"
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
            (None, true) => self.expected("`,` or `}`, found the end of the file"),
            (None, false) => self.expected("`,` or `]`, found the end of the file"),
        }
    }

    pub fn key(&mut self) -> Result<Key, SyntaxError> {
        match self.peek() {
            Some(b'"') => {}
            Some(b'/') => return self.expected("a key in double quotes; JSON does not allow comments"),
            Some(_) => return self.expected("a key in double quotes"),
            None => return self.expected("a key or `}`, found the end of the file"),
        }
        let (span, text) = self.string()?;
        if self.peek() != Some(b':') {
            return self.expected("`:` after the key");
        }
        self.at += 1;
        let buffer = if text.flags & flag::ESCAPED == 0 { self.text } else { &self.unescaped };
        let name = buffer.get(text.start as usize..(text.start + text.len) as usize).unwrap_or_default();
        Ok(Key { span, text, hash: hash(name) })
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
    fn string(&mut self) -> Result<(Span, TextRef), SyntaxError> {
        let start = self.at;
        self.at += 1;
        let end = self.find_end()?;
        // The usual string has no escapes, and its characters are those of the file.
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            let text = TextRef { start: to_u32(start + 1), len: to_u32(end - start - 1), flags: 0 };
            return Ok((Span::new(to_u32(start), to_u32(end + 1)), text));
        }
        let (from, mut at) = (self.unescaped.len(), start + 1);
        let mut stop = end;
        while self.bytes.get(stop) == Some(&b'\\') {
            self.unescaped.push_str(self.text.get(at..stop).unwrap_or_default());
            let Some((len, character)) = self.text.get(stop..).and_then(escape::next) else {
                self.at = stop;
                return Err(self.error(SyntaxErrorKind::BadString("an invalid escape sequence")));
            };
            self.unescaped.push(character);
            self.escapes.push(Escape { text: to_u32(stop + len), unescaped: to_u32(self.unescaped.len()) });
            at = stop + len;
            self.at = at;
            stop = self.find_end()?;
        }
        self.unescaped.push_str(self.text.get(at..stop).unwrap_or_default());
        self.at = stop + 1;
        let text = TextRef { start: to_u32(from), len: to_u32(self.unescaped.len() - from), flags: flag::ESCAPED };
        Ok((Span::new(to_u32(start), to_u32(stop + 1)), text))
    }

    /// The offset of the next quote or backslash of a string.
    fn find_end(&mut self) -> Result<usize, SyntaxError> {
        let mut at = self.at;
        while let Some(word) = self.word_at(at) {
            let stops = stops_in(word);
            at += first_byte_set(stops);
            if stops != 0 {
                break;
            }
        }
        // The stop within the last word, or in the last bytes of the file, which fill no word.
        let rest = self.bytes.get(at..).unwrap_or_default();
        at += rest.iter().position(|byte| *byte == b'"' || *byte == b'\\' || *byte < b' ').unwrap_or(rest.len());
        match self.bytes.get(at) {
            Some(b'"' | b'\\') => Ok(at),
            Some(_) => {
                self.at = at;
                Err(self.error(SyntaxErrorKind::BadString("an unescaped control character")))
            }
            None => {
                self.at = at;
                self.expected("a closing `\"`, found the end of the file")
            }
        }
    }
}

/// A word of eight equal bytes.
const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The index of the lowest byte that is not 0; 8 if all are 0.
const fn first_byte_set(word: u64) -> usize {
    word.trailing_zeros() as usize / 8
}

/// A word whose lowest nonzero byte is at the first `"`, `\` or control character of `word`; 0 if there is
/// none. The bytes above that one may be wrong, because the subtractions borrow.
///
/// This is the "zero byte in a word" test, `(x - 0x01…) & !x & 0x80…`, applied to `word ^ 0x22…` and
/// `word ^ 0x5c…`, and the same with `0x20…` in place of `0x01…` for bytes below a space (Anderson, Bit
/// Twiddling Hacks, "Determine if a word has a byte less than n").
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
