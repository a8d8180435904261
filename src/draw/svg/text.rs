//! Estimates the width of text without a font. It overestimates rather than underestimates, so that lines stay inside
//! their shapes.

use crate::text::columns;

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
