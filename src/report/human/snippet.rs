//! The lines around a finding's places, as a small source text for miette.
//!
//! Given a whole document, miette would print control characters and lines of any length, count
//! columns in bytes, read the file from its start for each finding, and panic beyond column 65,535.
//! So it gets a text with only the windows of lines that are shown; labels are remapped to it, and
//! the header's line and column are those of the file.

use std::ops::Range;
use std::ptr;

use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::window::{self, OffsetMap};
use crate::report::escape::visible;
use crate::text::source::{Position, SourceFile, Span};
use crate::text::{columns, tail, wrap};

/// Columns before a document's line besides its number, and one after it for a place at its end.
const GUTTER_WIDTH: usize = 5;
/// Columns before the text of a label: `╰── `.
const LABEL_LEAD: usize = 4;
/// Columns around the file's name in the header, besides the width of line numbers: `  ╭─[` and `]`.
const HEADER_WIDTH: usize = 6;

/// Lines shown before and after one with a label.
pub(super) const CONTEXT_LINES: u32 = 1;

/// A place to show.
#[derive(Debug)]
pub(super) struct Spot<'r> {
    source: &'r SourceFile,
    /// In the source.
    position: Position,
    /// In the file, for the header. It differs from `position` for a source that is a part of the file.
    header: Position,
    line: Range<usize>,
    /// The underlined bytes: only those on the first line of the place.
    range: Range<usize>,
    message: Option<&'r str>,
}

impl<'r> Spot<'r> {
    /// A place in a file. Only the finding's own place has no message.
    pub(super) fn new(source: &'r SourceFile, span: Span, message: Option<&'r str>) -> Self {
        Self::inside(source, span, message, source.position(span.start))
    }

    /// A place in a text that is a part of a file, and its position in that file.
    pub(super) fn inside(source: &'r SourceFile, span: Span, message: Option<&'r str>, header: Position) -> Self {
        let position = source.position(span.start);
        let line = window::line(source, position.line);
        // A span may start or end inside a character, or beyond the file.
        let is_boundary = |offset: &usize| source.text.is_char_boundary(*offset);
        let start = (span.start as usize).clamp(line.start, line.end);
        let end = (span.end as usize).clamp(start, line.end);
        let start = (line.start..=start).rev().find(is_boundary).unwrap_or(line.start);
        let end = (end..=line.end).find(is_boundary).unwrap_or(line.end);
        Self { source, position, header, line, range: start..end, message }
    }

    /// Columns of the line and column in the header, with their colons.
    fn place_width(&self) -> usize {
        format!(":{}:{}", self.header.line, self.header.column).len()
    }

    /// Whether the next place can be drawn in the same block as this one, the last of its group.
    fn admits(&self, group: &[Self], next: &Self, max_width: usize) -> bool {
        if !ptr::eq(self.source, next.source) || next.position.line > self.position.line + 2 * CONTEXT_LINES + 1 {
            return false;
        }
        if self.position.line != next.position.line {
            return true;
        }
        // miette draws overlapping labels one after the other, so the second would be misplaced.
        let is_after = next.range.start >= self.range.end && next.range.start > self.range.start;
        let on_line = group.iter().find(|spot| spot.position.line == next.position.line).unwrap_or(self);
        let focus = on_line.range.start..next.range.end.max(next.range.start);
        is_after && window::fits(&self.source.text, &self.line, &focus, max_width)
    }
}

/// Consecutive lines of one file.
#[derive(Debug)]
struct Block {
    file: String,
    first_line: u32,
    /// Where they are in the snippet's text.
    text: Range<usize>,
}

/// A label.
#[derive(Debug)]
struct Mark {
    /// In the snippet's text.
    range: Range<usize>,
    /// In the document, for the header.
    position: Position,
    message: Option<String>,
    is_primary: bool,
}

/// The excerpts of one finding.
#[derive(Debug, Default)]
pub(super) struct Snippet {
    text: String,
    blocks: Vec<Block>,
    marks: Vec<Mark>,
}

impl Snippet {
    /// Draws places, file by file, beginning with that of the first place, in at most `width` columns.
    pub(super) fn new(mut spots: Vec<Spot<'_>>, width: usize) -> Self {
        let Some(file) = spots.first().map(|spot| spot.source) else { return Self::default() };
        let last_line = spots.iter().map(|spot| spot.position.line + CONTEXT_LINES).max().unwrap_or_default();
        let number_width = last_line.to_string().len();
        let max_width = width.saturating_sub(GUTTER_WIDTH + number_width);
        spots.sort_by_key(|spot| {
            let is_other = !ptr::eq(spot.source, file);
            (is_other, is_other.then_some(&spot.source.name), spot.header.offset, spot.range.start, spot.range.end)
        });
        let mut groups: Vec<Vec<Spot<'_>>> = Vec::new();
        for spot in spots {
            match groups.last_mut() {
                Some(group) if group.last().is_some_and(|last| last.admits(group, &spot, max_width)) => {
                    group.push(spot);
                }
                _ => groups.push(vec![spot]),
            }
        }
        // Stable sort: the finding's own place comes first, the others keep their order.
        groups.sort_by_key(|group| group.iter().all(|spot| spot.message.is_some()));
        let mut snippet = Self::default();
        for group in &groups {
            snippet.draw(group, max_width, width.saturating_sub(HEADER_WIDTH + number_width));
        }
        snippet
    }

    fn draw(&mut self, group: &[Spot<'_>], max_width: usize, max_header: usize) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
        let source = first.source;
        let line_count = source.line_count();
        let first_line = first.position.line.saturating_sub(CONTEXT_LINES).max(1);
        let last_line = (last.position.line + CONTEXT_LINES).min(line_count);
        let start = self.text.len();
        for number in first_line..=last_line {
            let line = window::line(source, number);
            let spots = group.iter().filter(|spot| spot.position.line == number);
            let focus = spots.clone().map(|spot| spot.range.clone()).reduce(|all, next| all.start..next.end);
            // A line break at the end of the file begins no line of its own.
            if focus.is_none() && number == line_count && line.is_empty() {
                continue;
            }
            let focus = focus.unwrap_or(line.start..line.start);
            let spots: Vec<_> = spots.collect();
            self.draw_line(source, &line, &focus, &spots, max_width);
        }
        let place_width = group.iter().map(|spot| spot.place_width()).max().unwrap_or_default();
        let file = tail(&visible(&source.name), max_header.saturating_sub(place_width)).into_owned();
        self.blocks.push(Block { file, first_line, text: start..self.text.len() });
    }

    /// Draws a line with its labels, which begin below the middle of their places. A line on which a label has no
    /// room is cut more.
    fn draw_line(
        &mut self,
        source: &SourceFile,
        line: &Range<usize>,
        focus: &Range<usize>,
        spots: &[&Spot<'_>],
        max_width: usize,
    ) {
        let marks_of = |offsets: &OffsetMap| -> Vec<Mark> {
            (1..).zip(spots).map(|(index, spot)| mark(spot, index < spots.len(), offsets)).collect()
        };
        let (text_start, room) = (self.text.len(), label_room(spots, max_width));
        let mut shown = window::cut(&source.text, line, focus, max_width);
        let mut marks = marks_of(&window::draw(source, line, &shown, &mut self.text));
        if marks.iter().any(|mark| self.label_column(mark, text_start) + mark.label_width().min(room) > max_width) {
            self.text.truncate(text_start);
            shown = window::cut(&source.text, line, focus, max_width.saturating_sub(room + LABEL_LEAD));
            marks = marks_of(&window::draw(source, line, &shown, &mut self.text));
        }
        for mark in &mut marks {
            let left = max_width.saturating_sub(self.label_column(mark, text_start)).max(room);
            mark.message = mark.message.as_deref().map(|message| wrap(message, left, ""));
        }
        self.marks.extend(marks);
    }

    /// The column at which the text of a label begins, from 0.
    fn label_column(&self, mark: &Mark, line_start: usize) -> usize {
        let before = |end| self.text.get(line_start..end).map_or(0, columns);
        let (start, end) = (before(mark.range.start), before(mark.range.end));
        usize::midpoint(start, end.max(start + 1)) + LABEL_LEAD
    }

    /// The labels, in their order in the text.
    pub(super) fn labels(&self) -> impl Iterator<Item = LabeledSpan> + '_ {
        self.marks.iter().map(|mark| {
            let (message, range) = (mark.message.clone().filter(|message| !message.is_empty()), mark.range.clone());
            if mark.is_primary {
                LabeledSpan::new_primary_with_span(message, range)
            } else {
                LabeledSpan::new_with_span(message, range)
            }
        })
    }
}

/// The minimum columns for labels, if they have that much text.
fn label_room(spots: &[&Spot<'_>], max_width: usize) -> usize {
    let widest = spots.iter().filter_map(|spot| spot.message).map(|message| columns(&visible(message))).max();
    widest.unwrap_or_default().min(max_width / 2)
}

impl Mark {
    fn label_width(&self) -> usize {
        self.message.as_deref().map_or(0, columns)
    }
}

fn mark(spot: &Spot<'_>, is_followed: bool, offsets: &OffsetMap) -> Mark {
    Mark {
        range: offsets.drawn(spot.range.start)..offsets.drawn(spot.range.end),
        position: spot.header,
        // miette draws a line down from every label that another follows, even if it has no text.
        message: spot.message.or(is_followed.then_some("here")).map(|message| visible(message).into_owned()),
        is_primary: spot.message.is_none(),
    }
}

impl SourceCode for Snippet {
    /// The block around a label, whole. There is none around two labels of different blocks, which
    /// miette therefore draws apart.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        context_lines_before: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        let holds = |block: &&Block| block.text.start <= start && end < block.text.end;
        let block = self.blocks.iter().find(holds).ok_or(MietteError::OutOfBounds)?;
        let text = self.text.get(block.text.clone()).unwrap_or_default();
        // Without context miette asks for a label's place, for the header.
        let mark = self.marks.iter().find(|mark| context_lines_before == 0 && mark.range.start == start);
        let (line, column) = mark.map_or((block.first_line, 1), |mark| (mark.position.line, mark.position.column));
        Ok(Box::new(MietteSpanContents::new_named(
            block.file.clone(),
            text.as_bytes(),
            block.text.clone().into(),
            line as usize - 1,
            column as usize - 1,
            text.lines().count(),
        )))
    }
}
