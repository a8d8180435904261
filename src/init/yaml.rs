//! Scalars of YAML: plain where that is safe, otherwise in double quotes.

use std::fmt::Write;

use crate::report::is_visible_at;

/// Bytes of a key that may stand before its `:` (YAML 1.2.2, 7.4.2 allows 1024 characters).
const MAX_IMPLICIT_KEY: usize = 1000;

/// A string as a scalar of one line.
pub fn scalar(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// A key of a block mapping, with its `:`, at this indentation.
pub fn key(text: &str, indent: usize) -> String {
    let scalar = scalar(text);
    if scalar.len() <= MAX_IMPLICIT_KEY { format!("{scalar}:") } else { format!("? {scalar}\n{:indent$}:", "") }
}

/// Whether a plain scalar reads as this string, in any version of YAML: it begins and ends with a letter or digit,
/// nothing in it has a meaning, and it is not a number, boolean or null.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 11] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n", "inf", "nan"];
    let is_inside = |one: char| one.is_ascii_alphanumeric() || " _-./@+".contains(one);
    text.starts_with(|one: char| one.is_ascii_alphabetic())
        && text.ends_with(|one: char| one.is_ascii_alphanumeric())
        && text.chars().all(is_inside)
        && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for (at, one) in text.char_indices() {
        match one {
            '"' | '\\' => quoted.extend(['\\', one]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            other if !is_visible_at(text, at, other) => {
                let code = u32::from(other);
                let _ = if code > 0xffff { write!(quoted, "\\U{code:08x}") } else { write!(quoted, "\\u{code:04x}") };
            }
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::scenario::{Input, ScenarioSyntax, read};

    /// Strings that YAML may read as something else.
    const HARD: &[&str] = &[
        "Name",
        "a b",
        "- a",
        "a: b",
        "a #b",
        "a:",
        "'",
        "\"",
        "\\",
        "",
        " ",
        "~",
        "null",
        "yes",
        "0101901234",
        "1.10",
        "{a}",
        "[a]",
        "*a",
        "&a",
        "!a",
        "%a",
        "@a",
        "`a",
        "?",
        "? a",
        "-",
        "...",
        "---",
        "<<",
        "=",
        ">",
        "|",
        "a,b",
        "\n",
        "a\nb",
        "\r\n",
        "\t",
        "\u{0}\u{1b}\u{7f}\u{85}",
        "\u{2028}\u{feff}\u{202e}",
        "é漢😀",
        "##[error]a ##vso[b]",
        "::error::a\n::error::b",
        "\u{e0001}",
        "a ",
    ];

    #[test]
    fn any_string_reads_back_as_key_and_as_value() {
        let long = "\u{1}".repeat(512);
        for text in HARD.iter().copied().chain([long.as_str()]) {
            for indent in [0, 2] {
                let space = " ".repeat(indent);
                let entry = format!("{} {}", key(text, indent), scalar(text));
                let scenario = if indent == 0 {
                    format!("workflow: w\nsubmit:\n  {}\n", entry.replace("\n:", "\n  :"))
                } else {
                    format!("workflow: w\nsubmit:\n{space}{entry}\n")
                };
                let read =
                    read(&scenario, ScenarioSyntax::Yaml).unwrap_or_else(|error| panic!("{scenario}: {error:?}"));
                let submit = read.submit.unwrap();
                assert_eq!(submit[0].name.value, text);
                assert_eq!(submit[0].input.value, Input::Text(text.into()), "{scenario}");
            }
        }
    }

    #[test]
    fn usual_strings_are_plain() {
        for text in ["Anna Example", "anna@example.com", "order.workflow.json", "New-Mailbox"] {
            assert_eq!(scalar(text), text);
        }
        assert_eq!(scalar("19900101-2385"), "\"19900101-2385\"");
    }
}
