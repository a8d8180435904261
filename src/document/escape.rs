//! Escapes in JSON strings (RFC 8259, section 7), and the bytes in the file of a part of a string.

use std::ops::Range;

use super::arena::Document;
use super::node::{Mark, NodeId, NodeKind, flag, to_u32};
use crate::text::source::Span;

/// The escape that a raw string begins with: its length in bytes, and the character that it stands for.
/// `None` if the string begins with no valid escape.
pub(super) fn next(raw: &str) -> Option<(usize, char)> {
    let [b'\\', kind, ..] = *raw.as_bytes() else { return None };
    let plain = match char::from(kind) {
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

/// `\uXXXX`, or both halves of a surrogate pair. RFC 8259 (section 8.2) leaves the meaning of a lone
/// surrogate open; it is refused here.
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

/// Whether a raw string begins with half of a surrogate pair.
pub(super) fn is_half(raw: &str) -> bool {
    hex_escape(raw).is_some_and(|code| (0xD800..0xE000).contains(&code))
}

fn hex_escape(raw: &str) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = raw.as_bytes() else { return None };
    digits.first_chunk::<4>()?.iter().try_fold(0, |code, &digit| Some((code << 4) | char::from(digit).to_digit(16)?))
}

/// Bytes of a string between two marks: a part of a long string is found without reading it from its start.
const MARK_DISTANCE: u32 = 1024;

impl Document {
    /// The bytes in the file of a part of a string, given as a byte range of its unescaped characters.
    /// An empty span at the end of the string for a part beyond it.
    pub fn span_inside(&self, string: NodeId, part: Range<usize>) -> Span {
        let span = self.span(string);
        if self.kind(string) != NodeKind::String {
            return span;
        }
        let node = self.node(string);
        let content = span.start + 1..span.end - 1;
        let start = |plain: u32| {
            if !node.has(flag::ESCAPED) {
                return content.start.saturating_add(plain).min(content.end);
            }
            let wanted = node.start.saturating_add(plain.min(node.len));
            let marks = self.marks.get_or_init(|| self.find_marks());
            let before = marks.partition_point(|mark| mark.unescaped <= wanted);
            let last = before.checked_sub(1).and_then(|last| marks.get(last)).copied();
            let start = Mark { place: content.start, unescaped: node.start };
            self.places(last.filter(|mark| mark.unescaped > start.unescaped).unwrap_or(start), wanted, |_| {}).place
        };
        let at = |plain: usize| start(u32::try_from(plain).unwrap_or(u32::MAX)).min(content.end);
        Span::new(at(part.start), at(part.end))
    }

    fn find_marks(&self) -> Vec<Mark> {
        let mut marks = Vec::new();
        for node in self.nodes.iter().filter(|node| node.kind == NodeKind::String && node.has(flag::ESCAPED)) {
            let start = Mark { place: node.span.start + 1, unescaped: node.start };
            let mut last = start;
            self.places(start, node.start + node.len, |mark| {
                if mark.unescaped - last.unescaped >= MARK_DISTANCE {
                    marks.push(mark);
                    last = mark;
                }
            });
        }
        marks.sort_unstable_by_key(|mark| mark.unescaped);
        marks
    }

    /// Goes on in a string to a character, and visits what is after each escape.
    fn places(&self, mut mark: Mark, wanted: u32, mut visit: impl FnMut(Mark)) -> Mark {
        loop {
            // Between escapes file and side buffer advance together.
            let end = Mark { place: mark.place.saturating_add(wanted - mark.unescaped), unescaped: wanted };
            let before = self.text.as_bytes().get(mark.place as usize..end.place as usize).unwrap_or_default();
            let Some(distance) = memchr::memchr(b'\\', before) else { return end };
            let start = mark.place as usize + distance;
            let Some((length, character)) = self.text.get(start..).and_then(next) else { return end };
            let unescaped = mark.unescaped + to_u32(distance + character.len_utf8());
            if unescaped > wanted {
                return Mark { place: to_u32(start), unescaped: wanted };
            }
            mark = Mark { place: to_u32(start + length), unescaped };
            visit(mark);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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

    /// Without marks, reading from the start of the string each time would take minutes.
    #[test]
    fn parts_of_a_long_string_are_found() {
        let (written, times) = (r"\u00e9{x}", 50_000);
        let json = format!("[\"\\n\", \"{}\"]", written.repeat(times));
        let document = Document::parse(json, Limits::default()).unwrap();
        let string = document.children(document.root()).nth(1).unwrap();
        for index in 0..times {
            let span = document.span_inside(string, 5 * index + 2..5 * index + 5);
            assert_eq!((document.slice(span), span.start as usize), ("{x}", 8 + written.len() * index + 6));
        }
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

    /// Characters, as they are written in JSON.
    const PIECES: [(&str, char); 6] =
        [("x", 'x'), ("é", 'é'), (r"\n", '\n'), (r"\u00e9", 'é'), (r"\u20ac", '€'), (r"\ud83d\ude00", '😀')];

    proptest! {
        #[test]
        fn each_character_is_found_between_any_others(
            runs in prop::collection::vec((prop::sample::select(&PIECES[..]), prop_oneof![1..40_usize, 200..400_usize]), 0..12),
        ) {
            let pieces: Vec<_> = runs.into_iter().flat_map(|(piece, times)| std::iter::repeat_n(piece, times)).collect();
            let text: String = pieces.iter().map(|(written, _)| *written).collect();
            let json = format!(r#"["\n\n", "{text}", "\n"]"#);
            let document = Document::parse(json, Limits::default()).unwrap();
            let string = document.children(document.root()).nth(1).unwrap();
            let (mut at, mut plain) = (document.span(string).start + 1, 0);
            for (written, character) in pieces {
                let span = document.span_inside(string, plain..plain + character.len_utf8());
                prop_assert_eq!((span.start, document.slice(span)), (at, written));
                at += to_u32(written.len());
                plain += character.len_utf8();
            }
        }
    }
}
