//! Source files, byte spans, and the line and column of an offset.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use memchr::{memchr, memchr_iter, memchr2_iter};

use crate::text::character_length;

/// A half-open range of byte offsets in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The character at an offset; empty at the end of the text.
    pub fn of_character(text: &str, offset: u32) -> Self {
        let length = character_length(text, offset as usize);
        Self::new(offset, offset + u32::try_from(length).unwrap_or(0))
    }

    /// A range of a string, which is shorter than 4 GiB.
    pub fn of_range(range: &Range<usize>) -> Self {
        Self::new(saturated(range.start), saturated(range.end))
    }

    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1; lines end at LF, CRLF or CR.
    pub line: u32,
    /// Column, from 1, in Unicode scalar values; a byte-order mark does not count.
    pub column: u32,
    /// Offset in bytes from the start of the file, its byte-order mark included.
    pub offset: u32,
}

/// The text of a file or of standard input.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// The path for reading and writing.
    pub path: PathBuf,
    /// The name in reports: relative to the current folder, with `/`.
    pub name: String,
    /// The text; from the first byte that is not UTF-8 on, invalid bytes are replaced by U+FFFD.
    pub text: Arc<str>,
    /// The spans that reports hide, sorted and without overlaps.
    pub hidden: Vec<Span>,
    /// Whether reports show its lines: it is, or should be, a file that wflint knows.
    pub is_quoted: bool,
    /// Behind a pointer: most files need none, and there may be very many.
    index: Arc<OnceLock<Box<LineIndex>>>,
}

impl SourceFile {
    pub fn new(path: PathBuf, name: String, text: Arc<str>) -> Self {
        Self { path, name, text, hidden: Vec::new(), is_quoted: true, index: Arc::default() }
    }

    fn index(&self) -> &LineIndex {
        self.index.get_or_init(|| Box::new(LineIndex::new(self.text.as_bytes())))
    }

    /// Line and column of a byte offset; an offset past the end counts as the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(saturated(self.text.len()));
        let line = self.before(offset).line_ends + 1;
        let mut column = self.between(self.line_start(line), offset, |before| before.characters) + 1;
        if line == 1 && offset as usize >= BYTE_ORDER_MARK.len() && self.text.starts_with(BYTE_ORDER_MARK) {
            column -= 1;
        }
        Position { line, column, offset }
    }

    /// The number of lines of the text, at least 1.
    pub fn line_count(&self) -> u32 {
        self.index().before_blocks.last().map_or(0, |all| all.line_ends) + 1
    }

    /// Offset of the first byte of a line, counted from 1; the last line's for a greater number.
    pub fn line_start(&self, line: u32) -> u32 {
        self.index().line_start(self.text.as_bytes(), line)
    }

    /// The number of UTF-16 code units between two bytes of the text.
    pub fn utf16_between(&self, start: u32, end: u32) -> u32 {
        self.between(start, end, |before| before.characters + before.surrogates)
    }

    /// What is counted between two bytes of the text: one for each byte if all is ASCII.
    fn between(&self, start: u32, end: u32, counted: impl Fn(Counts) -> u32) -> u32 {
        if self.index().signs.is_ascii {
            return end.saturating_sub(start);
        }
        let before = |offset| counted(self.before(offset));
        before(end).saturating_sub(before(start))
    }

    fn before(&self, offset: u32) -> Counts {
        self.index().before(self.text.as_bytes(), offset as usize)
    }
}

/// Bytes of a block, of which some are counted to find a place.
const BLOCK: usize = 512;
/// A JSON text may begin with it here; it takes no column.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// What is before each block of a text, and before its end. Few places are asked for, so that a list of all lines would
/// take longer.
#[derive(Debug)]
struct LineIndex {
    before_blocks: Vec<Counts>,
    signs: Signs,
}

/// How characters and lines are counted: faster where all is ASCII with LF, as in most files.
#[derive(Debug, Clone, Copy)]
struct Signs {
    has_returns: bool,
    is_ascii: bool,
}

/// What a part of a text contains.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    line_ends: u32,
    characters: u32,
    /// Characters that take two code units of UTF-16.
    surrogates: u32,
}

impl LineIndex {
    fn new(text: &[u8]) -> Self {
        let signs = Signs { has_returns: memchr(b'\r', text).is_some(), is_ascii: text.is_ascii() };
        let mut before_blocks = Vec::with_capacity(text.len() / BLOCK + 2);
        before_blocks.push(Counts::default());
        let mut counted = Counts::default();
        for start in (0..text.len()).step_by(BLOCK) {
            counted = counted.and(signs.count(text, start..(start + BLOCK).min(text.len())));
            before_blocks.push(counted);
        }
        Self { before_blocks, signs }
    }

    /// What is before a byte.
    fn before(&self, text: &[u8], offset: usize) -> Counts {
        let block = offset / BLOCK;
        let before = self.before_blocks.get(block).or(self.before_blocks.last()).copied().unwrap_or_default();
        before.and(self.signs.count(text, block * BLOCK..offset))
    }

    fn line_start(&self, text: &[u8], line: u32) -> u32 {
        let all = self.before_blocks.last().copied().unwrap_or_default();
        let ends = line.saturating_sub(1).min(all.line_ends);
        let after = self.before_blocks.partition_point(|before| before.line_ends < ends);
        // The first line begins before all blocks.
        let Some(block) = after.checked_sub(1) else { return 0 };
        let before = self.before_blocks.get(block).copied().unwrap_or_default();
        let (mut ends, mut start) = (ends - before.line_ends, 0);
        let block = block * BLOCK..((block + 1) * BLOCK).min(text.len());
        for at in memchr2_iter(b'\n', b'\r', text.get(block.clone()).unwrap_or_default()) {
            if ends > 0 && ends_line(text, block.start + at) {
                ends -= 1;
                start = block.start + at + 1;
            }
        }
        saturated(start)
    }
}

impl Signs {
    fn count(self, text: &[u8], range: Range<usize>) -> Counts {
        let bytes = text.get(range.clone()).unwrap_or_default();
        let mut line_ends = count_bytes(bytes, |byte| byte == b'\n');
        if self.has_returns {
            let returns = memchr_iter(b'\r', bytes).filter(|at| ends_line(text, range.start + at));
            line_ends += saturated(returns.count());
        }
        let (characters, surrogates) = if self.is_ascii {
            (saturated(bytes.len()), 0)
        } else {
            (count_characters(bytes), count_surrogates(bytes))
        };
        Counts { line_ends, characters, surrogates }
    }
}

impl Counts {
    const fn and(self, other: Self) -> Self {
        Self {
            line_ends: self.line_ends + other.line_ends,
            characters: self.characters + other.characters,
            surrogates: self.surrogates + other.surrogates,
        }
    }
}

/// An offset in a text, which is shorter than 4 GiB.
fn saturated(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// Whether a line feed or carriage return ends a line: a line begins after the LF of a CRLF, not after its CR.
fn ends_line(text: &[u8], at: usize) -> bool {
    text.get(at..at + 2) != Some(b"\r\n")
}

/// The number of characters that begin in these bytes: UTF-8 continuation bytes do not count.
fn count_characters(bytes: &[u8]) -> u32 {
    count_bytes(bytes, |byte| byte & 0xC0 != 0x80)
}

/// The least first byte of a character of four bytes, which takes two code units of UTF-16.
const FIRST_OF_FOUR: u8 = 0xF0;

fn count_surrogates(bytes: &[u8]) -> u32 {
    count_bytes(bytes, |byte| byte >= FIRST_OF_FOUR)
}

/// How many bytes are wanted. So few are added up at a time that their number is a byte: sixteen are counted at once.
#[inline]
fn count_bytes(bytes: &[u8], is_wanted: impl Fn(u8) -> bool) -> u32 {
    let some = |bytes: &[u8]| bytes.iter().map(|&byte| u8::from(is_wanted(byte))).sum::<u8>();
    bytes.chunks(usize::from(u8::MAX) / 2 + 1).map(|bytes| u32::from(some(bytes))).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn place(text: &str, offset: u32) -> (u32, u32) {
        let source = SourceFile::new("f".into(), "f".into(), text.into());
        let position = source.position(offset);
        (position.line, position.column)
    }

    #[test]
    fn lines_end_at_lf_crlf_and_cr() {
        let text = "a\nb\r\nc\rd";
        assert_eq!(place(text, 0), (1, 1));
        assert_eq!(place(text, 2), (2, 1));
        assert_eq!(place(text, 5), (3, 1));
        assert_eq!(place(text, 7), (4, 1));
        assert_eq!(place(text, 99), (4, 2));
    }

    #[test]
    fn a_line_end_at_the_border_of_blocks_is_one() {
        let text = format!("{}\r\nb", "a".repeat(BLOCK - 1));
        let end = u32::try_from(BLOCK).unwrap();
        assert_eq!([end - 1, end, end + 1].map(|offset| place(&text, offset)), [(1, end), (1, end + 1), (2, 1)]);
    }

    #[test]
    fn a_column_counts_characters_and_no_byte_order_mark() {
        assert_eq!(place("äö€x", 7), (1, 4));
        assert_eq!(place("\u{feff}{}", 3), (1, 1));
        assert_eq!(place("\u{feff}{}", 4), (1, 2));
    }

    /// The position of a byte, the start of its line, and the code units of UTF-16 before it, counted from the start.
    fn counted(text: &str, offset: usize) -> (u32, u32, u32) {
        let ends = |at: &usize| match text.as_bytes().get(*at) {
            Some(b'\n') => true,
            Some(b'\r') => text.as_bytes().get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let starts: Vec<usize> = std::iter::once(0).chain((0..offset).filter(ends).map(|at| at + 1)).collect();
        let start = *starts.last().unwrap();
        let units = text.get(..offset).unwrap().encode_utf16().count();
        [starts.len(), start, units].map(|number| u32::try_from(number).unwrap()).into()
    }

    proptest! {
        #[test]
        fn places_are_as_counted_from_the_start(
            parts in prop::collection::vec(
                prop::sample::select(&["\n", "\r\n", "\r", "a", "é", "\u{1f600}", "0123456789 0123456789 0123456789"][..]),
                0..200,
            ),
            at in any::<prop::sample::Index>(),
        ) {
            let text = parts.concat();
            let places: Vec<usize> = text.char_indices().map(|(place, _)| place).chain([text.len()]).collect();
            let offset = *at.get(&places);
            let source = SourceFile::new("f".into(), "f".into(), text.as_str().into());
            let (line, start, units) = counted(&text, offset);
            let offset = u32::try_from(offset).unwrap();
            let column = text.get(start as usize..offset as usize).unwrap().chars().count() + 1;
            let position = source.position(offset);
            prop_assert_eq!((position.line, position.column as usize), (line, column));
            prop_assert_eq!((source.line_start(line), source.utf16_between(0, offset)), (start, units));
            let (lines, last, _) = counted(&text, text.len());
            prop_assert_eq!((source.line_count(), source.line_start(u32::MAX)), (lines, last));
        }
    }

    #[test]
    fn code_units_of_utf16_are_counted() {
        let text = "a\u{1f600}é".repeat(1000);
        let source = SourceFile::new("f".into(), "f".into(), text.as_str().into());
        assert_eq!(source.utf16_between(0, 7000), 4000);
        assert_eq!(source.utf16_between(6993, 6998), 3);
        let source = SourceFile::new("f".into(), "f".into(), "é".repeat(512).into());
        assert_eq!(source.utf16_between(2, 1024), 511);
    }

    #[test]
    fn a_column_far_out_on_one_line_is_exact() {
        let text = "é".repeat(5000);
        assert_eq!(place(&text, 8192), (1, 4097));
        assert_eq!(place(&text, 10_000), (1, 5001));
    }
}
