//! The bytes in the file of a part of a string.

use std::ops::Range;

use super::arena::Document;
use super::node::{NodeId, NodeKind, flag};
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
            // Between escapes file and side buffer advance together, so the distance from the last escape before
            // the place, or from the beginning of the string, is the same in both.
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
