//! What the parser reports, in the words of the other messages.

use super::position::is_line_terminator;
use super::reworded::{REWORDED, REWORDED_PATTERN};
use crate::script::pattern::lower_first;
use crate::text::columns;

/// Longer reasons are replaced by what the parser found, in characters outside of backticks. With the words
/// before them, a message has at most 80.
const MAX_REASON: usize = 26;

/// Longer source is cut, in characters.
const MAX_FOUND: usize = 20;

const PATTERN: &str = "Invalid regular expression: ";
const INVALID_CHARACTER: &str = "Invalid Character `";
const TYPESCRIPT: &str = "TypeScript";

/// The reason for a message that goes on before it. `after` is the script from where the parser stopped, and `length`
/// the bytes of it that the parser reports; 0 for a place between two.
pub(super) fn reason(message: &str, after: &str, length: usize) -> String {
    let found = &Found { after, part: after.get(..length).unwrap_or_default() };
    let message = message.trim().trim_end_matches('.');
    if let Some((expected, kind)) = message.split_once("` but found `") {
        return format!("{}`, found {}", lower_first(expected), found.instead_of(kind.trim_end_matches('`')));
    }
    if let Some(character) = message.strip_prefix(INVALID_CHARACTER).and_then(|rest| rest.chars().next()) {
        return format!("invalid character {}", shown_character(character));
    }
    if let Some(error) = message.strip_prefix(PATTERN) {
        let reworded = found.reworded(&REWORDED_PATTERN, error);
        return reworded.unwrap_or_else(|| "invalid regex".to_owned());
    }
    if let Some(reworded) = found.reworded(&REWORDED, message) {
        return reworded;
    }
    if message.contains(TYPESCRIPT) {
        return format!("{TYPESCRIPT} syntax");
    }
    let is_clear = message != "Unexpected token" && !message.contains('\'');
    let reason = lower_first(message);
    if is_clear && length_without_names(&reason) <= MAX_REASON { reason } else { found.unexpected() }
}

/// Counts the characters of a reason that are not in backticks.
fn length_without_names(text: &str) -> usize {
    text.split('`').step_by(2).map(|part| part.chars().count()).sum()
}

fn shown_character(character: char) -> String {
    let is_visible = columns(character.encode_utf8(&mut [0; 4])) > 0 && !character.is_whitespace();
    if is_visible && character != '`' { format!("`{character}`") } else { format!("U+{:04X}", u32::from(character)) }
}

/// The source where the parser stopped.
struct Found<'s> {
    after: &'s str,
    part: &'s str,
}

impl Found<'_> {
    /// A message in the words of a table that has it.
    fn reworded(&self, table: &[(&str, &str)], message: &str) -> Option<String> {
        let (part, reworded) = table.iter().find_map(|(known, reworded)| Some((part(known, message)?, reworded)))?;
        let word = self.part.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
        let reworded = reworded.replace("{found}", &self.shown()).replace("{word}", &format!("`{word}`"));
        Some(reworded.replace("{}", part.split(' ').next().unwrap_or_default()))
    }

    fn unexpected(&self) -> String {
        let shown = self.shown();
        format!(
            "unexpected {}",
            ["the ", "a "].iter().find_map(|article| shown.strip_prefix(article)).unwrap_or(&shown)
        )
    }

    /// What was found in place of a token; `kind` is the parser's word for it.
    fn instead_of(&self, kind: &str) -> String {
        if kind == "EOF" || self.after.is_empty() { "the end".to_owned() } else { self.shown() }
    }

    /// The source in backticks, as far as it fits; the contents of strings may be secret.
    fn shown(&self) -> String {
        let next = || self.after.trim_start().chars().next().map(String::from).unwrap_or_default();
        let source = if self.part.trim().is_empty() { next() } else { self.part.trim().to_owned() };
        match source.chars().next() {
            None => return "the end".to_owned(),
            Some('"' | '\'') => return "a string".to_owned(),
            Some('`') => return "a template".to_owned(),
            Some(_) => {}
        }
        let is_end = |letter: char| matches!(letter, '"' | '\'' | '`') || is_line_terminator(letter);
        let end = source.char_indices().enumerate().find(|(count, (_, letter))| *count == MAX_FOUND || is_end(*letter));
        match end {
            Some((_, (end, _))) => format!("`{}…`", source.get(..end).unwrap_or_default()),
            None => format!("`{source}`"),
        }
    }
}

/// The part of a message where a pattern has its `*`; empty if it has none.
fn part<'m>(pattern: &str, message: &'m str) -> Option<&'m str> {
    match pattern.split_once('*') {
        Some((before, after)) => message.strip_prefix(before)?.strip_suffix(after),
        None => (pattern == message).then_some(""),
    }
}

#[cfg(test)]
mod tests;
