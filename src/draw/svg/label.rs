//! The text inside of a shape, broken into lines. Widths are estimated without a font, rather too large than too small, so
//! that lines stay inside their shapes.

use crate::draw::block::{Block, Mark, codes, describe_marks};
use crate::text::columns;
use crate::text::diagnostic::Severity;

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
/// Beside the text of a code.
const CODE_PADDING: i32 = 10;
/// Between two codes in a line.
const CODE_GAP: i32 = 6;

/// The code of a finding, with its place in the line.
pub struct Code {
    pub severity: Severity,
    pub text: String,
    /// The whole messages, which pointing at it shows.
    pub title: String,
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
        let word = lines(&block.word, WORD, TEXT_WIDTH, 1).concat();
        let name = lines(&block.name, NAME, TEXT_WIDTH, MAX_NAME_LINES);
        let details = block.details.iter();
        let details = details.flat_map(|detail| lines(detail, DETAIL, TEXT_WIDTH, MAX_DETAIL_LINES)).collect();
        Self::of(word, name, details, &block.marks)
    }

    /// The label of the start or the end.
    pub fn terminal(word: &str, marks: &[Mark]) -> Self {
        Self::of(String::new(), vec![word.to_owned()], Vec::new(), marks)
    }

    fn of(word: String, name: Vec<String>, details: Vec<String>, marks: &[Mark]) -> Self {
        let codes = code_lines(marks);
        let rows = |number: usize, height: i32| i32::try_from(number).unwrap_or(i32::MAX).saturating_mul(height);
        let height = 2 * PADDING
            + if word.is_empty() { 0 } else { WORD_LINE }
            + rows(name.len(), NAME_LINE)
            + rows(details.len(), DETAIL_LINE)
            + rows(codes.len(), CODE_LINE);
        Self { word, name, details, codes, height }
    }
}

/// The findings with a code that is shown with the first words of one; of those that are only counted, all.
fn whole_messages(marks: &[Mark], shown: &str) -> String {
    let is_it = |mark: &&Mark| shown.starts_with(&format!("{} {}: ", mark.severity.word(), mark.code));
    let of_code: Vec<Mark> = marks.iter().filter(is_it).cloned().collect();
    describe_marks(if of_code.is_empty() { marks } else { &of_code }).join("\n")
}

/// Arranges codes in lines, each in the middle.
fn code_lines(marks: &[Mark]) -> Vec<Vec<Code>> {
    let mut lines: Vec<Vec<Code>> = Vec::new();
    let mut used = 0;
    for (severity, text) in codes(marks) {
        let title = whole_messages(marks, &text);
        let text = self::lines(&text, CODE, TEXT_WIDTH - CODE_PADDING, 1).concat();
        let width = width(&text, CODE) + CODE_PADDING;
        match lines.last_mut().filter(|_| used + CODE_GAP + width <= TEXT_WIDTH) {
            Some(line) => {
                line.push(Code { severity, text, title, x: used + CODE_GAP, width });
                used += CODE_GAP + width;
            }
            None => {
                lines.push(vec![Code { severity, text, title, x: 0, width }]);
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

/// A size of letters, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub i32);

/// Hundredths of the size of the letters.
fn advance(character: char) -> i32 {
    match character {
        ' ' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | 'i' | 'j' | 'l' | 'I' => 40,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '/' | '\\' | '-' | '"' => 48,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 104,
        'A'..='Z' | '0'..='9' | '_' | '#' | '&' | '+' | '=' | '<' | '>' | '~' | '≠' => 80,
        other if other.is_ascii() => 67,
        other => 88 * i32::try_from(columns(other.encode_utf8(&mut [0; 4]))).unwrap_or(2).clamp(1, 2),
    }
}

/// The width of a line, in pixels.
pub fn width(text: &str, Size(size): Size) -> i32 {
    let hundredths = text.chars().fold(0i32, |sum, character| sum.saturating_add(advance(character)));
    hundredths.saturating_mul(size) / 100
}

/// Breaks a text at spaces, or inside of words that are wider than a line. Of a text with more than `max_lines` lines
/// the end is left out.
pub fn lines(text: &str, size: Size, max_width: i32, max_lines: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let with_word = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if width(&with_word, size) <= max_width {
            line = with_word;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        let mut rest = word;
        while width(rest, size) > max_width {
            let (part, after) = rest.split_at(break_in(rest, size, max_width));
            lines.push(part.to_owned());
            rest = after;
            if lines.len() > max_lines {
                break;
            }
        }
        rest.clone_into(&mut line);
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    if lines.len() > max_lines {
        lines.truncate(max_lines);
        if let Some(last) = lines.last_mut() {
            while width(last, size) + width("…", size) > max_width && last.pop().is_some() {}
            last.push('…');
        }
    }
    lines
}

/// Where to break a word that is too wide: between its parts, such as those of `Get-ADGroupMember`, or where the line is
/// full; after one character at least.
fn break_in(word: &str, size: Size, max_width: i32) -> usize {
    let mut used = 0i32;
    let (mut full, mut between, mut before) = (0, 0, ' ');
    for (at, character) in word.char_indices() {
        let is_between = matches!(before, '-' | '_' | '.' | '/') || before.is_lowercase() && character.is_uppercase();
        if is_between && at > 0 {
            between = at;
        }
        used = used.saturating_add(advance(character));
        if used.saturating_mul(size.0) / 100 > max_width && at > 0 {
            full = at;
            break;
        }
        before = character;
    }
    // A part that is much shorter than the line would waste space.
    let full = if full == 0 { word.len() } else { full };
    if between * 3 > full && between < full { between } else { full }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size(10);

    #[test]
    fn lines_are_broken_at_spaces_and_in_long_words() {
        assert_eq!(lines("ab cd ef", SIZE, 40, 9), ["ab cd", "ef"]);
        assert_eq!(lines("abcdefghij kl", SIZE, 30, 9), ["abcd", "efghi", "j kl"]);
        assert_eq!(lines("Get-ADGroupMember", SIZE, 70, 9), ["Get-", "ADGroup", "Member"]);
        assert_eq!(lines("", SIZE, 30, 9), [""]);
        assert_eq!(lines("漢漢", SIZE, 5, 9), ["漢", "漢"], "a character is never broken");
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        assert_eq!(lines("ab cd ef gh", SIZE, 40, 1), ["ab cd…"]);
        assert!(lines(&"m".repeat(300), SIZE, 100, 3).iter().all(|line| width(line, SIZE) <= 100));
    }
}
