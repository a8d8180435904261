//! The text inside of a shape, broken into lines.

use super::text::{self, Size};
use crate::diagnostic::Severity;
use crate::draw::block::{Block, Mark, codes};

/// The width of every shape, in pixels.
pub const NODE_WIDTH: i32 = 264;
/// Half of it.
pub const HALF: i32 = NODE_WIDTH / 2;
/// The width of the text inside. It leaves room for the slanted sides of some shapes.
const TEXT_WIDTH: i32 = 224;

pub const WORD: Size = Size(11);
pub const NAME: Size = Size(14);
pub const DETAIL: Size = Size(12);
pub const CODE: Size = Size(11);

pub const WORD_LINE: i32 = 16;
pub const NAME_LINE: i32 = 18;
pub const DETAIL_LINE: i32 = 16;
pub const CODE_LINE: i32 = 24;
pub const CODE_HEIGHT: i32 = 18;
pub const PADDING: i32 = 9;

const MAX_NAME_LINES: usize = 5;
const MAX_DETAIL_LINES: usize = 3;
/// Between two codes in a line.
const CODE_GAP: i32 = 6;

/// The code of a finding, with its place in the line.
pub struct Code {
    pub severity: Severity,
    pub text: String,
    /// From the middle of the line.
    pub x: i32,
    pub width: i32,
}

/// Type, name, details and codes of a block.
pub struct Label {
    pub word: String,
    pub name: Vec<String>,
    pub details: Vec<String>,
    pub codes: Vec<Vec<Code>>,
    pub height: i32,
}

impl Label {
    pub fn new(block: &Block) -> Self {
        let word = text::lines(&block.word, WORD, TEXT_WIDTH, 1).concat();
        let name = text::lines(&block.name, NAME, TEXT_WIDTH, MAX_NAME_LINES);
        let details = block.details.iter();
        let details = details.flat_map(|detail| text::lines(detail, DETAIL, TEXT_WIDTH, MAX_DETAIL_LINES)).collect();
        Self::of(word, name, details, &block.marks)
    }

    /// The label of the start or the end.
    pub fn terminal(word: &str, marks: &[Mark]) -> Self {
        Self::of(String::new(), vec![word.to_owned()], Vec::new(), marks)
    }

    fn of(word: String, name: Vec<String>, details: Vec<String>, marks: &[Mark]) -> Self {
        let codes = code_lines(marks);
        let lines = |number: usize, height: i32| i32::try_from(number).unwrap_or(i32::MAX).saturating_mul(height);
        let height = 2 * PADDING
            + if word.is_empty() { 0 } else { WORD_LINE }
            + lines(name.len(), NAME_LINE)
            + lines(details.len(), DETAIL_LINE)
            + lines(codes.len(), CODE_LINE);
        Self { word, name, details, codes, height }
    }
}

/// Arranges codes in lines, each in the middle.
fn code_lines(marks: &[Mark]) -> Vec<Vec<Code>> {
    let mut lines: Vec<Vec<Code>> = Vec::new();
    let mut used = 0;
    for (severity, text) in codes(marks) {
        let width = text::width(&text, CODE) + 10;
        match lines.last_mut().filter(|_| used + CODE_GAP + width <= TEXT_WIDTH) {
            Some(line) => {
                line.push(Code { severity, text, x: used + CODE_GAP, width });
                used += CODE_GAP + width;
            }
            None => {
                lines.push(vec![Code { severity, text, x: 0, width }]);
                used = width;
            }
        }
    }
    for line in &mut lines {
        let end = line.last().map_or(0, |code| code.x + code.width);
        for code in line {
            code.x -= end / 2;
        }
    }
    lines
}
