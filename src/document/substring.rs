//! The bytes in the file of a part of a string.

use std::ops::Range;

use super::arena::Document;
use super::escape;
use super::node::{Escape, NodeId, NodeKind, flag, to_u32};
use crate::source::Span;

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
            let plain = node.start.saturating_add(plain.min(node.len));
            let index = self.escapes.partition_point(|escape| escape.unescaped <= plain);
            let last = index.checked_sub(1).and_then(|last| self.escapes.get(last)).copied();
            let beginning = Escape { text: content.start, unescaped: node.start };
            self.place_after(last.filter(|escape| escape.text > content.start).unwrap_or(beginning), plain)
        };
        let at = |plain: usize| start(u32::try_from(plain).unwrap_or(u32::MAX)).min(content.end);
        Span::new(at(part.start), at(part.end))
    }

    /// Where a character of the side buffer is in the file, from the last recorded escape before it on, or from the
    /// beginning of its string.
    fn place_after(&self, mut escape: Escape, plain: u32) -> u32 {
        loop {
            // Between escapes file and side buffer advance together.
            let place = escape.text.saturating_add(plain - escape.unescaped);
            let before = self.text.as_bytes().get(escape.text as usize..place as usize).unwrap_or_default();
            let Some(distance) = memchr::memchr(b'\\', before) else { return place };
            let start = escape.text as usize + distance;
            let Some((length, character)) = self.text.get(start..).and_then(escape::next) else { return place };
            let unescaped = escape.unescaped + to_u32(distance + character.len_utf8());
            if unescaped > plain {
                return place;
            }
            escape = Escape { text: to_u32(start + length), unescaped };
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
