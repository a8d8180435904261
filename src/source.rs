//! Source files, byte spans, and the line and column of an offset.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use crate::lanes;
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
        let offset = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self::new(offset(range.start), offset(range.end))
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

    /// The line index, built at the first call.
    pub fn index(&self) -> &LineIndex {
        self.index.get_or_init(|| Box::new(LineIndex::new(&self.text)))
    }

    /// Line and column of a byte offset; an offset past the end counts as the end.
    pub fn position(&self, offset: u32) -> Position {
        self.index().position(&self.text, offset)
    }
}

/// Bytes of a line, of which a document that the platform exports has hardly more.
const USUAL_LINE: usize = 32;

/// Bytes per entry of `characters_before_block`: the most that have to be counted to find a column.
const BLOCK: usize = 1024;
/// A JSON text may begin with it here; it takes no column.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The start of each line, and the number of characters before each block of bytes, so that a column on a
/// line of megabytes is found without counting the whole line.
#[derive(Debug)]
pub struct LineIndex {
    line_starts: Vec<u32>,
    characters_before_block: Vec<u32>,
    /// Empty if every character is one UTF-16 unit.
    surrogates_before_block: Vec<u32>,
}

impl LineIndex {
    fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut line_starts = Vec::with_capacity(bytes.len() / USUAL_LINE);
        line_starts.push(0);
        lanes::each_line_end(bytes, |end| {
            // The line begins after the LF of a CRLF, not after its CR.
            if !matches!(bytes.get(end..end + 2), Some(b"\r\n")) {
                line_starts.push(u32::try_from(end + 1).unwrap_or(u32::MAX));
            }
        });
        line_starts.shrink_to_fit();
        let has_surrogates = bytes.chunks(BLOCK).any(|block| count_surrogates(block) > 0);
        let surrogates_before_block = if has_surrogates { before_blocks(bytes, count_surrogates) } else { Vec::new() };
        Self { line_starts, characters_before_block: before_blocks(bytes, count_characters), surrogates_before_block }
    }

    /// The number of UTF-16 code units between two bytes of the text.
    pub fn utf16_between(&self, text: &str, start: u32, end: u32) -> u32 {
        let before = |offset| {
            let surrogates = &self.surrogates_before_block;
            let surrogates =
                if surrogates.is_empty() { 0 } else { count_before(surrogates, text, offset, count_surrogates) };
            self.characters_before(text, offset) + surrogates
        };
        before(end).saturating_sub(before(start))
    }

    /// The number of lines of the text, at least 1.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// Offset of the first byte of a line, counted from 1; the last line's for a greater number.
    pub fn line_start(&self, line: u32) -> u32 {
        let at = (line.max(1) as usize - 1).min(self.line_starts.len() - 1);
        self.line_starts.get(at).copied().unwrap_or(0)
    }

    fn position(&self, text: &str, offset: u32) -> Position {
        let offset = offset.min(u32::try_from(text.len()).unwrap_or(u32::MAX));
        let line = self.line_starts.partition_point(|&start| start <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let mut column = self.characters_before(text, offset) - self.characters_before(text, start) + 1;
        if line == 1 && offset as usize >= BYTE_ORDER_MARK.len() && text.starts_with(BYTE_ORDER_MARK) {
            column -= 1;
        }
        Position { line: u32::try_from(line).unwrap_or(u32::MAX), column, offset }
    }

    fn characters_before(&self, text: &str, offset: u32) -> u32 {
        count_before(&self.characters_before_block, text, offset, count_characters)
    }
}

/// What is counted before each block of bytes.
fn before_blocks(bytes: &[u8], count: fn(&[u8]) -> u32) -> Vec<u32> {
    let mut counted = 0;
    let mut before = |block| {
        let before = counted;
        counted += count(block);
        before
    };
    bytes.chunks(BLOCK).map(&mut before).collect()
}

/// What is counted before a byte.
fn count_before(before_blocks: &[u32], text: &str, offset: u32, count: fn(&[u8]) -> u32) -> u32 {
    let block = offset as usize / BLOCK;
    let Some(before_block) = before_blocks.get(block).copied() else {
        // Only the end of a file whose length is a multiple of `BLOCK` is in no block: add up the last one.
        let last = before_blocks.last().copied().unwrap_or(0);
        let tail = text.as_bytes().chunks(BLOCK).next_back().unwrap_or_default();
        return last + count(tail);
    };
    let rest = text.as_bytes().get(block * BLOCK..offset as usize).unwrap_or_default();
    before_block + count(rest)
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
    fn a_column_counts_characters_and_no_byte_order_mark() {
        assert_eq!(place("äö€x", 7), (1, 4));
        assert_eq!(place("\u{feff}{}", 3), (1, 1));
        assert_eq!(place("\u{feff}{}", 4), (1, 2));
    }

    #[test]
    fn code_units_of_utf16_are_counted() {
        let text = "a\u{1f600}é".repeat(1000);
        let source = SourceFile::new("f".into(), "f".into(), text.as_str().into());
        assert_eq!(source.index().utf16_between(&text, 0, 7000), 4000);
        assert_eq!(source.index().utf16_between(&text, 6993, 6998), 3);
        let source = SourceFile::new("f".into(), "f".into(), "é".repeat(512).into());
        assert_eq!(source.index().utf16_between(&source.text, 2, 1024), 511);
    }

    #[test]
    fn a_column_far_out_on_one_line_is_exact() {
        let text = "é".repeat(5000);
        assert_eq!(place(&text, 8192), (1, 4097));
        assert_eq!(place(&text, 10_000), (1, 5001));
    }
}
