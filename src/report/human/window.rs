//! The window of a document's line that is shown: cut around its focus, without characters that
//! control a terminal. A line may have megabytes, so nothing here reads further than it shows.
//!
//! Widths are in columns as the report shows them: an escape such as `\u{1b}` has six, a tab four.

use std::borrow::Cow;
use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use crate::redaction::ExcerptRedactor;
use crate::report::escape::replacement;
use crate::text::source::{BYTE_ORDER_MARK, SourceFile};

/// Drawn in place of a tab: how far a tab reaches would depend on the terminal and on the gutter.
const TAB: &str = "    ";
/// Drawn in place of a part that was cut off.
const ELLIPSIS: char = '…';

/// Where the bytes of a document are in a text that is made of a part of it: of a line as it is drawn, or of a string. The
/// two differ: escapes and tabs become longer, redacted values shorter, and only a window of a long line is drawn. Ascending
/// pairs of an offset in the document and the offset in that text.
#[derive(Debug, Default)]
pub(super) struct OffsetMap(Vec<(usize, usize)>);

impl OffsetMap {
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Vec::with_capacity(capacity))
    }

    /// Neither offset may be smaller than one that was added before.
    pub fn add(&mut self, offset: usize, drawn: usize) {
        self.0.push((offset, drawn));
    }

    /// The drawn offset of an offset of the document. Offsets before the window map to its start, those after it to its
    /// end, so that a cut-off label ends at the edge.
    pub fn drawn(&self, offset: usize) -> usize {
        let next = self.0.partition_point(|&(at, _)| at < offset);
        self.0.get(next).or(self.0.last()).map_or(0, |&(_, drawn)| drawn)
    }
}

/// The bytes of a line, without its end and without the file's byte-order mark.
pub(super) fn line(source: &SourceFile, number: u32) -> Range<usize> {
    let start = source.line_start(number) as usize;
    let is_last = number >= source.line_count();
    let end = if is_last { source.text.len() } else { source.line_start(number + 1) as usize };
    let text = source.text.get(start..end).unwrap_or_default();
    let end = start + text.trim_end_matches(['\n', '\r']).len();
    let mark = if text.starts_with(BYTE_ORDER_MARK) && start == 0 { BYTE_ORDER_MARK.len() } else { 0 };
    start + mark..end
}

/// The window of a line: all of it if it has at most `max_width` columns, else as many around the
/// focus. Of a long focus the end is cut.
pub(super) fn cut(text: &str, line: &Range<usize>, focus: &Range<usize>, max_width: usize) -> Range<usize> {
    if forward(text, line.clone(), max_width) == line.end {
        return line.clone();
    }
    // Both ends may get an ellipsis.
    let max_width = max_width.saturating_sub(2);
    let (focus_width, _) = measure(text, focus.clone(), max_width);
    // The focus in the middle; before a long one at least a quarter, for its context.
    let before = (max_width.saturating_sub(focus_width) / 2).max(max_width / 4);
    let start = backward(text, line.start..focus.start, before);
    let end = forward(text, start..line.end, max_width);
    // Near the line's end columns are left over, which the text before the focus gets.
    let start = if end == line.end { backward(text, line.clone(), max_width) } else { start };
    start..end
}

/// Whether [`cut`] shows the focus whole.
pub(super) fn fits(text: &str, line: &Range<usize>, focus: &Range<usize>, max_width: usize) -> bool {
    // A quarter goes to the text before the focus.
    let three_quarters = max_width.saturating_sub(2) / 4 * 3;
    forward(text, line.clone(), max_width) == line.end || forward(text, focus.clone(), three_quarters) == focus.end
}

/// Appends the window of a line to `out`, with a line end and redacted. Returns where each of its
/// characters is in `out`, and where the text after it would be.
pub(super) fn draw(source: &SourceFile, line: &Range<usize>, window: &Range<usize>, out: &mut String) -> OffsetMap {
    if window.start > line.start {
        out.push(ELLIPSIS);
    }
    let part = source.text.get(window.clone()).unwrap_or_default();
    let mut redactor = ExcerptRedactor::new(source, window.start);
    let mut offsets = OffsetMap::with_capacity(part.len() + 1);
    for (at, character) in part.char_indices() {
        offsets.add(window.start + at, out.len());
        if let Some(replacement) = redactor.replacement(window.start + at) {
            out.push_str(replacement);
            continue;
        }
        match drawn(&source.text, window.start + at, character) {
            Some(replacement) => out.push_str(&replacement),
            None => out.push(character),
        }
    }
    offsets.add(window.end, out.len());
    if window.end < line.end {
        out.push(ELLIPSIS);
    }
    out.push('\n');
    offsets
}

/// The end of the first `max_width` columns of a range.
fn forward(text: &str, range: Range<usize>, max_width: usize) -> usize {
    let (_, bytes) = measure(text, range.clone(), max_width);
    range.start + bytes
}

/// The start of the last `max_width` columns of a range.
fn backward(text: &str, range: Range<usize>, max_width: usize) -> usize {
    range.end - take(text, characters(text, range).rev(), max_width).1
}

/// The columns and bytes of the beginning of a range, at most `max_width` columns.
fn measure(text: &str, range: Range<usize>, max_width: usize) -> (usize, usize) {
    take(text, characters(text, range), max_width)
}

/// The characters of a range, with their places in the text.
fn characters(text: &str, range: Range<usize>) -> impl DoubleEndedIterator<Item = (usize, char)> {
    let part = text.get(range.clone()).unwrap_or_default();
    part.char_indices().map(move |(at, character)| (range.start + at, character))
}

fn take(text: &str, characters: impl Iterator<Item = (usize, char)>, max_width: usize) -> (usize, usize) {
    let (mut columns, mut bytes) = (0, 0);
    for (at, character) in characters {
        // At least 1, so that a line of characters without width is not read to its end.
        let own = || character.width().unwrap_or(1).max(1);
        let wider = columns + drawn(text, at, character).map_or_else(own, |replacement| replacement.len());
        if wider > max_width {
            break;
        }
        columns = wider;
        bytes += character.len_utf8();
    }
    (columns, bytes)
}

/// The replacement of the character at a byte offset; `None` if it is drawn itself.
fn drawn(text: &str, at: usize, character: char) -> Option<Cow<'static, str>> {
    if character == '\t' { Some(Cow::Borrowed(TAB)) } else { replacement(text, at, character) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::source::Span;

    fn shown(text: &str, focus: Range<usize>, max_width: usize) -> String {
        let source = SourceFile::new("f".into(), "f".into(), text.into());
        draw_source(&source, focus, max_width)
    }

    fn draw_source(source: &SourceFile, focus: Range<usize>, max_width: usize) -> String {
        let line = 0..source.text.len();
        let mut out = String::new();
        draw(source, &line, &cut(&source.text, &line, &focus, max_width), &mut out);
        out.trim_end_matches('\n').to_owned()
    }

    #[test]
    fn redacted_places_do_not_show_their_length() {
        let mut source = SourceFile::new("f".into(), "f".into(), r#"{"a": "secret", "b": "x"}"#.into());
        source.hidden = vec![Span::new(7, 13), Span::new(22, 23)];
        assert_eq!(draw_source(&source, 0..1, 100), r#"{"a": "•••", "b": "•••"}"#);
        assert_eq!(draw_source(&source, 9..11, 10), r#"…"•••"…"#);
    }

    #[test]
    fn a_line_has_no_end_and_no_byte_order_mark() {
        let text = "\u{feff}a\r\n\u{feff}b\rc\n";
        let source = SourceFile::new("f".into(), "f".into(), text.into());
        let lines: Vec<&str> = (1..=5).map(|number| text.get(line(&source, number)).unwrap()).collect();
        // The fifth line does not exist: the number of one past the end means the last.
        assert_eq!(lines, ["a", "\u{feff}b", "c", "", ""]);
    }

    #[test]
    fn a_line_that_fits_is_shown_whole() {
        assert_eq!(shown("0123456789", 4..5, 10), "0123456789");
    }

    #[test]
    fn a_long_line_is_cut_around_the_focus() {
        let text = "0123456789".repeat(3);
        assert_eq!(shown(&text, 0..1, 10), "01234567…");
        assert_eq!(shown(&text, 14..16, 10), "…12345678…");
        assert_eq!(shown(&text, 29..30, 10), "…23456789");
    }

    #[test]
    fn a_long_focus_keeps_a_little_of_what_precedes() {
        assert_eq!(shown(&"0123456789".repeat(3), 10..30, 10), "…89012345…");
    }

    #[test]
    fn a_focus_fits_when_its_line_does_or_when_a_quarter_is_left() {
        let text = "0123456789".repeat(3);
        assert!(fits(&text, &(0..10), &(0..10), 10));
        assert!(fits(&text, &(0..30), &(10..16), 10));
        assert!(!fits(&text, &(0..30), &(10..17), 10));
    }

    #[test]
    fn the_width_counts_drawn_columns() {
        assert_eq!(shown("\u{1b}\u{1b}\u{1b}", 0..0, 12), "\\u{1b}…");
        assert_eq!(shown("\t\ta", 0..0, 9), "        a");
        assert_eq!(shown("éé\u{202e}", 0..0, 10), "éé\\u{202e}");
        assert_eq!(shown("##[a]##[b]", 0..0, 14), "#\\u{23}[a]#…");
    }
}
