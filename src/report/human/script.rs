//! The script inside a string of a document, as a text of its own, so that an excerpt shows its lines
//! and not the string with its escapes.

use std::ops::Range;
use std::sync::Arc;

use super::window::OffsetMap;
use crate::text::diagnostic::Location;
use crate::text::source::{SourceFile, Span};

/// A longer script is shown as the string that it is in: each finding would need memory for where its characters are.
const MAX_BYTES: usize = 256 << 10;

/// The keys of the strings that hold scripts.
const SCRIPT_KEYS: [&str; 4] = ["script", "onLoad", "onChange", "onSubmit"];

/// A script, and where its characters are in the file.
#[derive(Debug)]
pub(super) struct Script {
    /// The script. Its line terminators are LF, whatever they are in the file; it has no path.
    pub source: SourceFile,
    /// The content of the string in the file.
    pub content: Range<usize>,
    offsets: OffsetMap,
}

impl Script {
    /// The script around a place; `None` if the place is in no script, in a very long one, or in one without escapes on one
    /// line, which needs no other form.
    pub fn around(source: &SourceFile, place: &Location) -> Option<Self> {
        let (_, key) = place.pointer.rsplit_once('/')?;
        if !SCRIPT_KEYS.contains(&key) {
            return None;
        }
        let content = content(&source.text, place.span)?;
        let text = source.text.get(content.clone()).filter(|text| is_shown(text))?;
        let mut script = String::with_capacity(text.len());
        let mut offsets = OffsetMap::default();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            offsets.add(content.start + text.len() - rest.len(), script.len());
            let (character, after) =
                if first == '\\' { unescape(rest) } else { (first, rest.get(first.len_utf8()..)?) };
            match character {
                // The first of CR LF is left out.
                '\r' if starts_with_line_feed(after) => {}
                '\r' | '\u{2028}' | '\u{2029}' => script.push('\n'),
                other => script.push(other),
            }
            rest = after;
        }
        offsets.add(content.end, script.len());
        let mut inner = SourceFile::new(source.path.clone(), source.name.clone(), Arc::from(script));
        inner.hidden = hidden(source, &content, &offsets);
        Some(Self { source: inner, content, offsets })
    }

    /// The span in the script of a span of the file.
    pub fn span(&self, span: Span) -> Span {
        span_of(&self.offsets, span)
    }
}

/// Whether the content of a string is shown as a script.
fn is_shown(text: &str) -> bool {
    text.len() <= MAX_BYTES && text.contains('\\')
}

fn span_of(offsets: &OffsetMap, span: Span) -> Span {
    let at = |offset: u32| u32::try_from(offsets.drawn(offset as usize)).unwrap_or(u32::MAX);
    Span::new(at(span.start), at(span.end))
}

/// The sensitive values of the file, as spans of the script.
fn hidden(source: &SourceFile, content: &Range<usize>, offsets: &OffsetMap) -> Vec<Span> {
    let is_inside = |span: &&Span| (span.end as usize) > content.start && (span.start as usize) < content.end;
    source.hidden.iter().filter(is_inside).map(|span| span_of(offsets, *span)).collect()
}

/// The content of the string around a place, which is the whole string or a part of its content.
fn content(text: &str, place: Span) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let start = place.start as usize;
    let is_whole = bytes.get(start) == Some(&b'"') && !is_escaped(bytes, start) && place.end > place.start + 1;
    let first = if is_whole {
        start + 1
    } else {
        let quotes = text.get(..start)?.rmatch_indices('"');
        quotes.map(|(at, _)| at).find(|at| !is_escaped(bytes, *at))? + 1
    };
    let mut quotes = text.get(first..)?.match_indices('"').map(|(at, _)| first + at);
    let end = quotes.find(|at| !is_escaped(bytes, *at))?;
    (place.end as usize <= end + 1).then_some(first..end)
}

/// Whether an odd number of backslashes precedes a byte.
fn is_escaped(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// The character that an escape stands for, and what follows it. Anything that is not an escape stands for itself.
fn unescape(text: &str) -> (char, &str) {
    let kind = text.as_bytes().get(1).copied().unwrap_or_default();
    let character = match kind {
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'"' | b'/' | b'\\' => char::from(kind),
        b'u' => return unescape_unicode(text).unwrap_or(('\\', text.get(1..).unwrap_or_default())),
        _ => return ('\\', text.get(1..).unwrap_or_default()),
    };
    (character, text.get(2..).unwrap_or_default())
}

fn unescape_unicode(text: &str) -> Option<(char, &str)> {
    let unit = |text: &str| u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok();
    let after = text.get(6..)?;
    let first = unit(text)?;
    let both = [first, unit(after).unwrap_or_default()];
    match char::decode_utf16(both).next()? {
        Ok(character) if character.len_utf16() == 2 => Some((character, after.get(6..)?)),
        Ok(character) => Some((character, after)),
        Err(_) => Some((char::REPLACEMENT_CHARACTER, after)),
    }
}

fn starts_with_line_feed(text: &str) -> bool {
    text.starts_with('\\') && unescape(text).0 == '\n'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::diagnostic::FileId;

    fn script(text: &str, span: Range<usize>) -> Option<Script> {
        let source = SourceFile::new("f".into(), "f".into(), text.into());
        let span = Span::new(span.start.try_into().unwrap(), span.end.try_into().unwrap());
        Script::around(&source, &Location { file: FileId(0), pointer: "/a/script".to_owned(), span })
    }

    #[test]
    fn escapes_are_resolved_and_lines_end_with_lf() {
        let text = r#"{"script": "a\r\nb\rc\n\u2028\"\\\u00e9\ud83d\ude00\t\/\ud83d."}"#;
        let found = script(text, 11..text.len() - 1).unwrap();
        assert_eq!(&*found.source.text, "a\nb\nc\n\n\"\\é😀\t/\u{fffd}.");
        assert_eq!(found.span(Span::new(17, 18)), Span::new(2, 3));
        assert_eq!(found.content, 12..text.len() - 2);
    }

    #[test]
    fn string_is_found_around_its_parts() {
        let text = r#"{"x": "\"", "script": "\"a\\", "y": "\""}"#;
        for span in [22..29, 23..25, 25..26, 26..28, 28..28] {
            assert_eq!(&*script(text, span).unwrap().source.text, "\"a\\");
        }
        assert!(script(text, 6..40).is_none());
        assert!(script(r#"{"script": "plain"}"#, 12..13).is_none());
    }

    #[test]
    fn very_long_script_is_shown_as_a_string() {
        let of_length = |length: usize| script(&format!(r#"{{"script": "{}\n"}}"#, "a".repeat(length - 2)), 12..13);
        assert!(of_length(MAX_BYTES).is_some());
        assert!(of_length(MAX_BYTES + 1).is_none());
    }
}
