//! The tokens of a JSON text (RFC 8259), with their places.

use super::escape;
use super::key::KeyCode;
use super::node::{EscapedKey, NodeKind, TextRef, flag, to_u32};
use crate::text::source::Span;

/// The first reason why JSON cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub kind: SyntaxErrorKind,
    /// Byte offset of the error; the length of the text when something is missing at its end.
    pub offset: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// What was expected, for a message "expected …".
    Unexpected(&'static str),
    /// What an invalid string contains, for a message "… contains …".
    BadString(&'static str),
    /// Nested more deeply than the limit.
    TooDeep,
    /// More of something than the limit, for a message "too many …".
    TooMany(&'static str),
}

impl SyntaxErrorKind {
    /// The limit that a document exceeds, in words; `None` for other errors.
    pub fn exceeded_limit(self, max_depth: usize) -> Option<String> {
        match self {
            Self::Unexpected(_) | Self::BadString(_) => None,
            Self::TooDeep => Some(format!("document nested deeper than {max_depth} levels")),
            Self::TooMany(what) => Some(format!("too many {what}")),
        }
    }
}

/// The opening bracket of a container, or another value, which ends where the scanner is.
pub(super) struct Token {
    pub kind: NodeKind,
    /// Of its first byte.
    pub start: u32,
    /// Of a string.
    pub text: TextRef,
}

/// The key whose value comes next, with its quotes and its colon read.
#[derive(Clone, Copy, Default)]
pub(super) struct MemberKey {
    /// Of its opening quote.
    pub start: u32,
    pub code: KeyCode,
    /// Bytes of the characters; as many as fit.
    pub len: u16,
    /// Bits of [`flag`] for the node.
    pub flags: u8,
}

pub(super) struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// The side buffer: the unescaped characters of all strings with escapes.
    pub unescaped: String,
    pub escaped_keys: Vec<EscapedKey>,
}

impl<'t> Scanner<'t> {
    /// `at` is the offset to begin at.
    pub const fn new(text: &'t str, at: usize) -> Self {
        Self { text, bytes: text.as_bytes(), at, unescaped: String::new(), escaped_keys: Vec::new() }
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
        loop {
            match *self.bytes.get(self.at)? {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(byte),
            }
            // Indentation.
            while self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(b"        ")) {
                self.at += 8;
            }
        }
    }

    pub fn value(&mut self) -> Result<Token, SyntaxError> {
        let first = self.peek();
        let start = self.position();
        let mut text = TextRef::NONE;
        let kind = match first {
            Some(b'"') => {
                text = self.string()?;
                NodeKind::String
            }
            Some(bracket @ (b'{' | b'[')) => {
                self.at += 1;
                if bracket == b'{' { NodeKind::Object } else { NodeKind::Array }
            }
            Some(b't') => self.word("true", NodeKind::True)?,
            Some(b'f') => self.word("false", NodeKind::False)?,
            Some(b'n') => self.word("null", NodeKind::Null)?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => return Err(self.not_a_value(first)),
        };
        Ok(Token { kind, start, text })
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
    pub fn closes(&mut self, kind: NodeKind) -> bool {
        let closes = self.peek() == Some(closing(kind));
        self.at += usize::from(closes);
        closes
    }

    /// Consumes what follows a child: true for a comma and another child, false for the closing bracket.
    pub fn continues(&mut self, kind: NodeKind) -> Result<bool, SyntaxError> {
        let next = self.peek();
        if next != Some(b',') && next != Some(closing(kind)) {
            return self.expected(match (kind, next) {
                (NodeKind::Object, Some(_)) => "`,` or `}`",
                (NodeKind::Object, None) => "`,` or `}`, found the end of the file",
                (_, Some(_)) => "`,` or `]`",
                (_, None) => "`,` or `]`, found the end of the file",
            });
        }
        self.at += 1;
        Ok(next == Some(b','))
    }

    /// Reads a key and its colon.
    pub fn key(&mut self) -> Result<MemberKey, SyntaxError> {
        let next = self.peek();
        if next != Some(b'"') {
            return Err(self.not_a_key(next));
        }
        let start = self.position();
        let text = self.string()?;
        let mut flags = flag::KEYED;
        let buffer = if text.flags == flag::ESCAPED {
            self.escaped_keys.push(EscapedKey { span: Span::new(start, self.position()), text });
            flags |= flag::ESCAPED_KEY;
            self.unescaped.as_bytes()
        } else {
            self.bytes
        };
        let name = buffer.get(text.start as usize..(text.start + text.len) as usize).unwrap_or_default();
        let key = MemberKey { start, code: KeyCode::of(name), len: to_u16(name.len()), flags };
        if self.peek() != Some(b':') {
            return self.expected("`:` after the key");
        }
        self.at += 1;
        Ok(key)
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

    fn word(&mut self, word: &'static str, kind: NodeKind) -> Result<NodeKind, SyntaxError> {
        if self.bytes.get(self.at..self.at + word.len()) != Some(word.as_bytes()) {
            return self.expected("`true`, `false` or `null`");
        }
        self.at += word.len();
        Ok(kind)
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
    fn number(&mut self) -> Result<NodeKind, SyntaxError> {
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
        Ok(NodeKind::Number)
    }

    /// Reads a string. The usual one has no escapes: its characters are those of the file.
    fn string(&mut self) -> Result<TextRef, SyntaxError> {
        let start = self.at + 1;
        let end = find_stop(self.bytes, start);
        if self.bytes.get(end) != Some(&b'"') {
            return self.escaped_string();
        }
        self.at = end + 1;
        Ok(TextRef { start: to_u32(start), len: to_u32(end - start), flags: 0 })
    }

    #[cold]
    fn escaped_string(&mut self) -> Result<TextRef, SyntaxError> {
        let (from, mut at) = (self.unescaped.len(), self.at + 1);
        loop {
            let stop = find_stop(self.bytes, at);
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
        }
        self.at += 1;
        Ok(TextRef { start: to_u32(from), len: to_u32(self.unescaped.len() - from), flags: flag::ESCAPED })
    }
}

/// The offset of the first quote, backslash or control character from `at` on, or the length of the text. Eight bytes at
/// once: below the first byte that is found there is no carry, so its highest bit is right.
fn find_stop(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    const fn less(word: u64, than: u8) -> u64 {
        word.wrapping_sub(ONES * than as u64) & !word & HIGH
    }
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let quotes = less(word ^ (ONES * u64::from(b'"')), 1);
        let found = quotes | less(word ^ (ONES * u64::from(b'\\')), 1) | less(word, b' ');
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | ..b' ')).unwrap_or(rest.len())
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stop_is_found() {
        let text = "äöü ~ \u{7f} \u{80}[]{}#]!";
        for length in 0..40 {
            let before = text.chars().cycle().take(length).collect::<String>();
            for stop in ["\"", "\\", "\n", "\0", "\u{1f}"] {
                let whole = format!("{before}{stop}\"{text}");
                assert_eq!(find_stop(whole.as_bytes(), 0), before.len(), "{whole:?}");
            }
            assert_eq!(find_stop(before.as_bytes(), 0), before.len());
        }
    }
}
