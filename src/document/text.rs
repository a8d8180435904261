//! Escapes in JSON strings (RFC 8259, section 7), and the way back: from a character of the
//! unescaped text to its bytes in the file.

use std::ops::Range;

use super::{Document, Kind, NodeId};
use crate::source::Span;

/// One character or escape of a raw string: how many bytes it takes there, and what it stands for.
/// `None` when an escape is malformed.
fn next_piece(raw: &str) -> Option<(usize, char)> {
    let mut characters = raw.chars();
    let first = characters.next()?;
    if first != '\\' {
        return Some((first.len_utf8(), first));
    }
    let plain = match characters.next()? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'b' => '\u{8}',
        'f' => '\u{c}',
        same @ ('"' | '\\' | '/') => same,
        'u' => return unicode_escape(raw),
        _ => return None,
    };
    Some((2, plain))
}

/// `\uXXXX`, with its second half when it is the first of a surrogate pair. Half a pair stands for
/// no character; RFC 8259 (section 8.2) leaves open what to make of it, here it is refused.
fn unicode_escape(raw: &str) -> Option<(usize, char)> {
    let first = hex_escape(raw)?;
    if let Some(character) = char::from_u32(first) {
        return Some((6, character));
    }
    let second = raw.get(6..).and_then(hex_escape);
    if let (0xD800..0xDC00, Some(second @ 0xDC00..0xE000)) = (first, second) {
        let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return char::from_u32(code).map(|character| (12, character));
    }
    None
}

fn hex_escape(raw: &str) -> Option<u32> {
    let digits = raw.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

/// The escape that a text begins with: how many bytes it takes, and what it stands for.
pub(super) fn escape(raw: &str) -> Option<(usize, char)> {
    raw.starts_with('\\').then(|| next_piece(raw))?
}

impl Document {
    /// The bytes in the file of a part of a string, given as a byte range of its unescaped
    /// characters. An empty span at the string's end for a part beyond it.
    pub fn span_inside(&self, string: NodeId, part: Range<usize>) -> Span {
        let span = self.span(string);
        if self.kind(string) != Kind::String {
            return span;
        }
        let node = self.node(string);
        let content = span.start + 1..span.end - 1;
        let start = |plain: u32| {
            if !node.has(super::flag::ESCAPED) {
                return content.start.saturating_add(plain).min(content.end);
            }
            let plain = node.start.saturating_add(plain.min(node.len));
            // Behind the last escape before it, or the beginning, the text goes on without one.
            let index = self.escapes.partition_point(|escape| escape.unescaped <= plain);
            let last = index.checked_sub(1).and_then(|last| self.escapes.get(last));
            match last.filter(|escape| escape.text > content.start) {
                Some(escape) => escape.text + (plain - escape.unescaped),
                None => content.start + (plain - node.start),
            }
        };
        let at = |plain: usize| start(u32::try_from(plain).unwrap_or(u32::MAX)).min(content.end);
        Span::new(at(part.start), at(part.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Limits;

    fn inside(json: &str, part: Range<usize>) -> String {
        let document = Document::parse(json, Limits::default()).unwrap();
        let span = document.span_inside(document.root(), part);
        document.slice(span).to_owned()
    }

    #[test]
    fn every_escape_is_resolved() {
        let document = Document::parse(r#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00z""#, Limits::default()).unwrap();
        assert_eq!(document.string(document.root()), Some("a\"\\/\u{8}\u{c}\n\r\té😀z"));
    }

    #[test]
    fn half_a_surrogate_pair_is_refused() {
        for json in [r#""\ud83dx""#, r#""\ude00""#, r#""\ud83d\u0041""#] {
            assert!(Document::parse(json, Limits::default()).is_err(), "{json}");
        }
    }

    #[test]
    fn a_part_is_found_behind_escapes() {
        assert_eq!(inside(r#""plain {Name}""#, 6..12), "{Name}");
        assert_eq!(inside(r#""\u00e9\n{Name}!""#, 3..9), "{Name}");
        assert_eq!(inside(r#""{N\u0061me}""#, 0..6), r"{N\u0061me}");
        assert_eq!(inside(r#""a\n""#, 1..2), r"\n");
    }

    #[test]
    fn a_part_beyond_the_end_is_empty() {
        assert_eq!(inside(r#""ab""#, 5..9), "");
        assert_eq!(inside(r#""a\n""#, 5..9), "");
    }
}
