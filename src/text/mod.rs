//! What messages have in common: quoted names, lists, counts and articles; and lengths of characters.
//!
//! `source` is the text of a file with its lines, `diagnostic` a finding at a place in it. `suggest` finds similar names,
//! `alignment` compares versions of a list; `locale`, `mail`, `personal_id` and `uri` know what is valid.

pub(crate) mod alignment;
pub mod diagnostic;
pub mod locale;
pub mod mail;
pub mod personal_id;
pub mod source;
pub mod suggest;
pub mod uri;

use std::borrow::Cow;
use std::fmt::Display;

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};
use unicode_width::UnicodeWidthStr;

/// Longer names are cut in messages, in characters.
pub const MAX_NAME: usize = 60;

/// A name from a document in backticks, cut when it is very long.
pub fn quote(name: &str) -> String {
    ["`", &truncate(name, MAX_NAME), "`"].concat()
}

/// A string of a document beside names in backticks: its own backticks, which quote nothing, become letters that look like
/// them.
pub fn without_backticks(text: &str) -> Cow<'_, str> {
    const LOOKS_LIKE_ONE: &str = "\u{2cb}";
    if text.contains('`') { Cow::Owned(text.replace('`', LOOKS_LIKE_ONE)) } else { Cow::Borrowed(text) }
}

/// Whether a string matches a pattern, in which `*` stands for any characters.
pub fn is_match(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(start) else { return false };
    let (parts, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    // Leftmost matches leave the most text for the remaining parts.
    for part in parts.split('*').filter(|part| !part.is_empty()) {
        let Some((_, after)) = text.split_once(part) else { return false };
        text = after;
    }
    text.ends_with(end)
}

/// A text as a part of a JSON string.
pub fn json_inside(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default().to_owned()
}

/// At most `max` characters of a text; a longer one is cut and ends with `…`.
pub fn truncate(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        None => Cow::Borrowed(text),
        Some((cut, _)) => Cow::Owned(format!("{}…", text.get(..cut).unwrap_or_default())),
    }
}

/// The columns of a text in a terminal.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The columns of a text in a terminal, without its escape sequences.
pub fn visible_columns(text: &str) -> usize {
    textwrap::core::display_width(text)
}

/// Breaks a line at spaces, or inside a word that is wider than a line, so that no line has more than `width`
/// columns. The lines after the first begin with `indent`. Escape sequences of colors have no width.
pub fn wrap(line: &str, width: usize, indent: &str) -> String {
    let options = Options::new(width)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
        .subsequent_indent(indent);
    textwrap::fill(line, options)
}

/// The end of a text that has at most `width` columns; a longer text is cut and begins with `…`.
pub fn tail(text: &str, width: usize) -> Cow<'_, str> {
    if columns(text) <= width {
        return Cow::Borrowed(text);
    }
    let fitting = text.char_indices().map(|(start, _)| text.get(start..).unwrap_or_default());
    let end = fitting.into_iter().find(|end| columns(end) < width).unwrap_or_default();
    Cow::Owned(format!("…{end}"))
}

/// The start of a text that has at most `width` columns; a longer text is cut and ends with `…`.
pub fn fit(text: &str, width: usize) -> Cow<'_, str> {
    if columns(text) <= width {
        return Cow::Borrowed(text);
    }
    let mut fitting = String::new();
    for character in text.chars() {
        if columns(&fitting) + columns(character.encode_utf8(&mut [0; 4])) >= width {
            break;
        }
        fitting.push(character);
    }
    Cow::Owned(fitting + "…")
}

/// The length in bytes of the character at an offset; 0 at the end of the text, and inside a character.
pub fn character_length(text: &str, offset: usize) -> usize {
    text.get(offset..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
}

/// The escape of a character in a JSON string: `\uXXXX`, or those of a surrogate pair.
pub fn json_escape(character: char) -> String {
    character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

/// `a, b or c`, with `conjunction` before the last item.
pub fn list<S: AsRef<str>>(items: &[S], conjunction: &str) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {conjunction} {last}", rest.join(", ")),
        _ => items.concat(),
    }
}

/// `` `a`, `b` or `c` ``: [`list`] of quoted names.
pub fn quoted_list<S: AsRef<str>>(names: &[S], conjunction: &str) -> String {
    first_of_list(names.iter().map(|name| quote(name.as_ref())), conjunction)
}

/// [`list`] of the first hundred, and how many more there are.
pub fn first_of_list(mut items: impl Iterator<Item = String>, conjunction: &str) -> String {
    const MAX_SHOWN: usize = 100;
    let mut shown: Vec<String> = items.by_ref().take(MAX_SHOWN).collect();
    let more = items.count();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    list(&shown, conjunction)
}

/// "1 file", "3 files".
pub fn count<N: Copy + Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Whether a character could control a terminal, end a line or change the direction of the text
/// around it; or shows nothing, so that two different names look the same. Controls, separators, Unicode's
/// `Default_Ignorable_Code_Point` and `Bidi_Control`, and the noncharacters that XML forbids.
pub const fn is_unsafe(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The indefinite article for a noun, by its first letter.
pub fn article(noun: &str) -> &'static str {
    let starts_with_vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    if starts_with_vowel { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_name_is_cut_at_a_character() {
        assert_eq!(quote("Name"), "`Name`");
        assert_eq!(quote(&"ä".repeat(60)), format!("`{}`", "ä".repeat(60)));
        assert_eq!(quote(&"ä".repeat(61)), format!("`{}…`", "ä".repeat(60)));
    }

    #[test]
    fn conjunction_stands_before_the_last_item() {
        assert_eq!(list::<&str>(&[], "or"), "");
        assert_eq!(list(&["a"], "or"), "a");
        assert_eq!(list(&["a", "b", "c"], "and"), "a, b and c");
        assert_eq!(quoted_list(&["a", "b"], "or"), "`a` or `b`");
    }

    #[test]
    fn only_one_is_singular() {
        assert_eq!(count(0_usize, "file"), "0 files");
        assert_eq!(count(1_u64, "file"), "1 file");
        assert_eq!(count(2_u32, "file"), "2 files");
    }

    #[test]
    fn lines_are_broken_at_spaces_and_long_words_anywhere() {
        assert_eq!(wrap("one two three", 8, "  "), "one two\n  three");
        assert_eq!(wrap("--add-suppressions", 8, ""), "--add-su\nppressio\nns");
        assert_eq!(wrap("\u{1b}[1mone\u{1b}[0m two", 7, ""), "\u{1b}[1mone\u{1b}[0m two");
        assert_eq!(wrap("漢字漢字", 4, ""), "漢字\n漢字");
        assert_eq!(wrap("", 4, ""), "");
    }

    #[test]
    fn long_path_keeps_its_end() {
        assert_eq!(tail("a/order.json", 12), "a/order.json");
        assert_eq!(tail("aa/order.json", 12), "…/order.json");
        assert_eq!(tail("漢字", 3), "…字");
    }

    #[test]
    fn long_name_keeps_its_start() {
        assert_eq!(fit("name", 4), "name");
        assert_eq!(fit("names", 4), "nam…");
        assert_eq!(fit("漢字漢字", 6), "漢字…");
    }

    #[test]
    fn vowel_takes_an() {
        assert_eq!((article("activity"), article("Approval"), article("party")), ("an", "an", "a"));
    }
}
