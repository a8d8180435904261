//! Escapes for strings from documents, which could otherwise control a terminal or forge lines of a log.

use std::borrow::Cow;
use std::io::{self, Write};

pub use crate::text::is_unsafe;
use crate::text::{json_escape, wrap};

/// Letters between `##` and `[` of a logging command; `teamcity` has eight.
const MAX_COMMAND_LEN: usize = 16;

/// Columns by which a line grows if it has to be kept from being a workflow command: `:` becomes `\u{3a}`.
const GUARD_WIDTH: usize = 5;

/// A string with every unsafe character written as an escape, `\n` or `\u{1b}`, and the commands of
/// build servers broken up by one: `##[…]` and `##name[…]` anywhere, `::` at its beginning.
pub fn visible(text: &str) -> Cow<'_, str> {
    let leading_colon = leading_colon(text);
    let is_printable = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let is_plain = leading_colon.is_none() && (is_printable || !text.contains(is_unsafe)) && !text.contains("##");
    if is_plain {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for (at, character) in text.char_indices() {
        match replacement(text, at, character) {
            Some(escape) => safe.push_str(&escape),
            None if leading_colon == Some(at) => safe.push_str(&code_point(character)),
            None => safe.push(character),
        }
    }
    Cow::Owned(safe)
}

/// The escape of the character at a byte offset; `None` if the character is shown itself.
pub fn replacement(text: &str, at: usize, character: char) -> Option<Cow<'static, str>> {
    match character {
        // Nearly all.
        ' '..='"' | '$'..='~' => None,
        '\n' => Some(Cow::Borrowed("\\n")),
        '\r' => Some(Cow::Borrowed("\\r")),
        '\t' => Some(Cow::Borrowed("\\t")),
        '#' => begins_command(text, at).then(|| Cow::Owned(code_point(character))),
        other => is_unsafe(other).then(|| Cow::Owned(code_point(other))),
    }
}

/// Whether the character at a byte of a string stands for itself in what [`visible`] returns, the colons at its beginning
/// aside.
pub fn is_visible_at(text: &str, at: usize, character: char) -> bool {
    replacement(text, at, character).is_none()
}

/// Breaks up each line of a drawn text that would be a workflow command, such as one that begins where a
/// message was wrapped.
pub fn guard_lines(text: &str) -> Cow<'_, str> {
    if text.split('\n').all(|line| leading_colon(line).is_none()) {
        return Cow::Borrowed(text);
    }
    let guarded = text.split('\n').map(|line| match leading_colon(line) {
        Some(at) => {
            let (before, after) = line.split_at(at);
            Cow::Owned(format!("{before}{}{}", code_point(':'), after.strip_prefix(':').unwrap_or(after)))
        }
        None => Cow::Borrowed(line),
    });
    Cow::Owned(guarded.collect::<Vec<_>>().join("\n"))
}

/// A line that is broken to the width, as [`wrap`] does, and where no line is a workflow command.
pub fn wrap_guarded(line: &str, width: usize, indent: &str) -> String {
    let wrapped = wrap(line, width, indent);
    match guard_lines(&wrapped) {
        Cow::Borrowed(_) => wrapped,
        // Breaking up a command takes columns.
        Cow::Owned(_) => guard_lines(&wrap(line, width.saturating_sub(GUARD_WIDTH), indent)).into_owned(),
    }
}

/// Where a text begins with two colons, blanks aside: GitHub takes such a line for a command. The second
/// may be a separator that a report adds.
fn leading_colon(text: &str) -> Option<usize> {
    let content = text.trim_start();
    (content.starts_with("::") || content == ":").then_some(text.len() - content.len())
}

/// Whether the `#` at a byte is the second of `##[` or `##name[`, which Azure Pipelines, `TeamCity` and
/// older runners of GitHub take for a command anywhere in a line.
fn begins_command(text: &str, at: usize) -> bool {
    let is_second = text.get(..at).is_some_and(|before| before.ends_with('#'));
    let mut rest = text.get(at + 1..).unwrap_or_default().chars().take(MAX_COMMAND_LEN + 1);
    is_second && rest.find(|character| !character.is_ascii_alphanumeric()) == Some('[')
}

fn code_point(character: char) -> String {
    format!("\\u{{{:x}}}", u32::from(character))
}

/// Writes JSON in which every unsafe character is escaped, since it is shown on terminals too. Each part of a string comes
/// in one piece, with quotes, backslashes and controls escaped already; anything else is ASCII.
pub struct Printable<'w>(pub &'w mut dyn Write);

impl Write for Printable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fragment = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        let mut rest = fragment;
        let is_escaped =
            |&(at, character): &(usize, char)| character != '\n' && replacement(fragment, at, character).is_some();
        for (at, character) in fragment.char_indices().filter(is_escaped) {
            let (plain, after) = rest.split_at(at - (fragment.len() - rest.len()));
            self.0.write_all(plain.as_bytes())?;
            self.0.write_all(json_escape(character).as_bytes())?;
            rest = after.strip_prefix(character).unwrap_or_default();
        }
        self.0.write_all(rest.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
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
        for hidden in "\u{115f}\u{3164}\u{180e}\u{34f}\u{fff9}\u{206a}\u{fe0f}\u{17b4}\u{ffa0}\u{e0041}\u{fffe}".chars()
        {
            assert_eq!(visible(&format!("a{hidden}b")), format!("a\\u{{{:x}}}b", u32::from(hidden)));
        }
    }

    #[test]
    fn commands_of_build_servers_are_broken_up() {
        assert_eq!(visible("a ##[error]b"), "a #\\u{23}[error]b");
        assert_eq!(visible("###[a]##VSO[task.x]##teamcity[y"), "##\\u{23}[a]#\\u{23}VSO[task.x]#\\u{23}teamcity[y");
        assert_eq!(visible("## Heading # [1] ##a b["), "## Heading # [1] ##a b[");
        assert_eq!(visible("::error::a::b"), "\\u{3a}:error::a::b");
        assert_eq!(visible(" \u{3000}::x"), " \u{3000}\\u{3a}:x");
        assert_eq!((visible("a::b"), visible(": a"), visible(":")), ("a::b".into(), ": a".into(), "\\u{3a}".into()));
        assert_eq!(guard_lines("a\n  ::error::x\nb:\n"), "a\n  \\u{3a}:error::x\nb:\n");
    }

    #[test]
    fn broken_up_line_is_no_wider() {
        assert_eq!(wrap_guarded("0123 ::error::x", 10, ""), "0123\n\\u{3a}:err\nor::x");
        assert_eq!(wrap_guarded("0123 ::x", 10, ""), "0123 ::x");
    }

    #[test]
    fn json_spells_the_same_string() {
        let text = "##[a] \u{e0041}\u{7f}##x::\u{2028}";
        let mut bytes = Vec::new();
        serde_json::to_writer(Printable(&mut bytes), text).unwrap();
        let written = String::from_utf8(bytes).unwrap();
        assert_eq!(written, r##""#\u0023[a] \udb40\udc41\u007f##x::\u2028""##);
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    }
}
