//! Text in Markdown that GitHub and GitLab render: strings of documents stay text, whatever they contain.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::escape::visible;
use crate::text::count;

/// Rows of a table that are written.
const MAX_ROWS: usize = 1_000;
/// Bytes of a table. GitHub refuses a summary of more than 1 MiB.
const MAX_BYTES: usize = 512 * 1024;

/// A table that is short enough for the page of a CI job.
pub(super) struct Table {
    text: String,
    /// Rows that are in the text, and those that are not.
    rows: usize,
    left_out: usize,
}

impl Table {
    pub fn new(columns: &[&str]) -> Self {
        let text = format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
        Self { text, rows: 0, left_out: 0 }
    }

    /// Adds a row of cells in Markdown, or counts it once the table is full.
    pub fn add(&mut self, cells: &[String]) {
        let row = format!("| {} |\n", cells.join(" | "));
        let is_full = self.left_out > 0 || self.rows == MAX_ROWS || self.text.len() + row.len() > MAX_BYTES;
        if is_full {
            self.left_out += 1;
        } else {
            self.rows += 1;
            self.text.push_str(&row);
        }
    }

    /// Writes the table, and how many rows it lacks; nothing if it has no row.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.rows > 0 {
            writeln!(out, "{}", self.text)?;
        }
        if self.left_out > 0 {
            writeln!(out, "{} not listed here.\n", count(self.left_out, "more row"))?;
        }
        Ok(())
    }
}

/// A message; text in backticks becomes code.
pub(super) fn message(text: &str) -> String {
    let text = visible(text);
    let mut markup = String::with_capacity(text.len() + 16);
    let parts: Vec<&str> = text.split('`').collect();
    let last = parts.len() - 1;
    for (index, part) in parts.into_iter().enumerate() {
        match (index % 2, index == last) {
            // The last backtick has no partner.
            (1, true) => push_text(&mut markup, &format!("`{part}")),
            (1, false) => push_code(&mut markup, part),
            _ => push_text(&mut markup, part),
        }
    }
    markup
}

/// A string in a fixed-width font.
pub(super) fn code(text: &str) -> String {
    let mut markup = String::new();
    push_code(&mut markup, &visible(text));
    markup
}

fn push_code(markup: &mut String, text: &str) {
    markup.push_str("<code>");
    push_escaped(markup, text, |next| next == '/');
    markup.push_str("</code>");
}

fn push_text(markup: &mut String, text: &str) {
    push_escaped(markup, text, |next| !next.is_whitespace());
}

/// Characters that Markdown or HTML gives a meaning become character references; also those that begin links, mentions
/// and emoji where a service adds them. `begins_word` says of which next characters a colon does.
fn push_escaped(markup: &mut String, text: &str, begins_word: impl Fn(char) -> bool) {
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let is_special = match character {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '!' | '@' | '$' | '^'
            | '"' | '#' => true,
            // `https://…`, and `:emoji:` outside of code.
            ':' => begins_word(characters.peek().map_or(' ', |&(_, next)| next)),
            // `www.…`.
            '.' => text.get(..at).is_some_and(|before| before.to_ascii_lowercase().ends_with("www")),
            _ => false,
        };
        if is_special {
            // GitHub makes links of mail addresses, also in HTML's `<code>`; an element in one prevents it.
            let before = if character == '@' { "<wbr>" } else { "" };
            let _ = write!(markup, "{before}&#{};", u32::from(character));
        } else {
            markup.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    use super::*;

    /// What a reader of the rendered Markdown sees; fails if it is anything but text.
    fn rendered(markdown: &str) -> String {
        let options = Options::all() - Options::ENABLE_SMART_PUNCTUATION;
        let shown = Parser::new_ext(markdown, options).filter_map(|event| match event {
            Event::Text(text) => Some(text.to_string()),
            Event::InlineHtml(element) if &*element == "<wbr>" => None,
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => None,
            other => panic!("{markdown}: {other:?}"),
        });
        shown.collect()
    }

    #[test]
    fn strings_stay_text() {
        for hostile in [
            "a|b",
            "**bold** _x_ ~~y~~",
            "<script>alert(1)</script>",
            "]]> & <b>",
            "[x](https://example.com) ![y](z)",
            "https://example.com www.example.com @team #1 :100:",
            "$x$ ^1 {y} # z",
            "\"quoted\" 'x' -- ... --",
            "anna@example.com",
        ] {
            assert_eq!(rendered(&message(hostile)), hostile);
        }
    }

    #[test]
    fn quoted_names_become_code() {
        assert_eq!(message("undefined `A|B`"), "undefined <code>A&#124;B</code>");
        assert_eq!(message("odd `x"), "odd &#96;x");
        assert_eq!(message("``"), "<code></code>");
        assert_eq!(code("a@b.com"), "<code>a<wbr>&#64;b.com</code>");
        assert_eq!(code("a`b\u{202e}"), "<code>a&#96;b&#92;u&#123;202e&#125;</code>");
    }
}
