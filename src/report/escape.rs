//! Escapes for strings from documents, which could otherwise control a terminal or forge lines of a log.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use serde_json::ser::{Formatter, PrettyFormatter};

/// Whether a character could control a terminal, end a line or change the direction of the text
/// around it; or is invisible, so that two different names look the same.
pub const fn is_unsafe(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A string with every unsafe character written as an escape, `\n` or `\u{1b}`.
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

/// Indented JSON in which every unsafe character is escaped, since it is shown on terminals too.
#[derive(Debug, Default)]
pub struct Printable<'a>(PrettyFormatter<'a>);

impl Formatter for Printable<'_> {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        // serde_json has escaped quotes, backslashes and C0 controls already; a fragment holds the rest.
        // All unsafe characters are in the Basic Multilingual Plane, so four digits suffice.
        while let Some((at, character)) = rest.char_indices().find(|(_, character)| is_unsafe(*character)) {
            let (plain, after) = rest.split_at(at);
            write!(writer, "{plain}\\u{:04x}", u32::from(character))?;
            rest = after.strip_prefix(character).unwrap_or_default();
        }
        writer.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_characters_are_escaped() {
        assert_eq!(visible("plain é 😀"), "plain é 😀");
        assert_eq!(visible("Na\u{200b}me"), "Na\\u{200b}me");
        assert_eq!(visible("a\u{1b}[31m\nb\u{202e}c\u{9b}"), "a\\u{1b}[31m\\nb\\u{202e}c\\u{9b}");
    }
}
