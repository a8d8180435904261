//! The tokens of a JSON text that may be incomplete, or of a part of a YAML or TOML text in its style.

use crate::source::Span;

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

/// The tokens in order; other characters are skipped.
pub fn tokens(text: &str) -> impl Iterator<Item = Token> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes.get(at..)?.iter().position(|byte| is_token(*byte))?;
        let (kind, length) = token(bytes.get(start..)?)?;
        at = start + length;
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Some(Token { kind, span: Span::new(offset(start), offset(at)) })
    })
}

fn is_token(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'"' | b'\'' | b'=' | b'{' | b'}' | b'[' | b']' | b':' | b',')
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
