//! Texts from documents, made safe for a terminal or a log.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character could steer a terminal, end a line, or turn the direction of the text
/// around it.
pub const fn is_unsafe(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A text with every unsafe character written as an escape, `\n` or `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\n' => safe.push_str("\\n"),
            '\r' => safe.push_str("\\r"),
            '\t' => safe.push_str("\\t"),
            other if is_unsafe(other) => {
                let _ = write!(safe, "\\u{{{:x}}}", u32::from(other));
            }
            other => safe.push(other),
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_written_out() {
        assert_eq!(visible("plain é 😀"), "plain é 😀");
        assert_eq!(visible("a\u{1b}[31m\nb\u{202e}c\u{9b}"), "a\\u{1b}[31m\\nb\\u{202e}c\\u{9b}");
    }
}
