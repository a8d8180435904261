//! Positions of the protocol: lines, and code units of the encoding that client and server agree on.

use gen_lsp_types::{Position, PositionEncodingKind, Range};

use crate::text::source::{SourceFile, Span};

/// The code units that positions count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    Utf8,
    #[default]
    Utf16,
}

impl Encoding {
    pub const fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    /// The position of a byte; the end for one beyond it.
    pub fn position(self, source: &SourceFile, offset: u32) -> Position {
        let place = source.position(offset);
        let start = source.line_start(place.line).min(place.offset);
        let character = match self {
            Self::Utf8 => place.offset - start,
            Self::Utf16 => source.utf16_between(start, place.offset),
        };
        Position { line: place.line - 1, character }
    }

    pub fn range(self, source: &SourceFile, span: Span) -> Range {
        Range { start: self.position(source, span.start), end: self.position(source, span.end) }
    }

    /// The byte of a position: the end of the line for one beyond it, the end of the text after the last line, and the
    /// start of the character for one inside of it.
    pub fn offset(self, text: &str, position: Position) -> usize {
        line(text, position.line).map_or(text.len(), |(start, line)| start + self.offset_in(line, position.character))
    }

    /// The bytes of two positions, of which the second is not before the first.
    pub fn offsets(self, text: &str, first: Position, second: Position) -> (usize, usize) {
        let Some((start, first_line)) = line(text, first.line) else { return (text.len(), text.len()) };
        let rest = text.get(start..).unwrap_or_default();
        let second = Position { line: second.line.saturating_sub(first.line), ..second };
        (start + self.offset_in(first_line, first.character), start + self.offset(rest, second))
    }

    fn offset_in(self, line: &str, character: u32) -> usize {
        let mut units = 0;
        let is_before = |letter: &char| {
            units += match self {
                Self::Utf8 => letter.len_utf8(),
                Self::Utf16 => letter.len_utf16(),
            };
            units <= character as usize
        };
        line.chars().take_while(is_before).map(char::len_utf8).sum()
    }
}

/// A line, counted from 0, without its end, and where it begins.
fn line(text: &str, number: u32) -> Option<(usize, &str)> {
    let bytes = text.as_bytes();
    // CRLF ends with its LF.
    let is_end = |end: &usize| bytes.get(*end) == Some(&b'\n') || bytes.get(end + 1) != Some(&b'\n');
    let mut ends = memchr::memchr2_iter(b'\n', b'\r', bytes).filter(is_end);
    let start = match (number as usize).checked_sub(1) {
        Some(before) => ends.nth(before)? + 1,
        None => 0,
    };
    let rest = text.get(start..)?;
    let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
    Some((start, rest.get(..end)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ab\r\n\u{1f600}e\u{301}x\n\rend";

    #[test]
    fn positions_count_code_units() {
        let source = SourceFile::new("f".into(), "f".to_owned(), TEXT.into());
        let emoji = u32::try_from(TEXT.find('e').unwrap()).unwrap();
        for (encoding, character) in [(Encoding::Utf8, 4), (Encoding::Utf16, 2)] {
            let position = Position { line: 1, character };
            assert_eq!(encoding.position(&source, emoji), position);
            assert_eq!(encoding.offset(TEXT, position), emoji as usize);
        }
    }

    #[test]
    fn positions_beyond_the_text_are_clamped() {
        let offset = |line, character| Encoding::Utf16.offset(TEXT, Position { line, character });
        assert_eq!(offset(0, 99), 2, "before the CRLF");
        assert_eq!(offset(1, 1), 4, "inside of the emoji");
        assert_eq!((offset(2, 5), offset(3, 0)), (13, 14), "an empty line");
        assert_eq!((offset(3, 3), offset(3, 4), offset(4, 0), offset(u32::MAX, 0)), (17, 17, 17, 17));
    }
}
