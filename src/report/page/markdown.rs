//! Markdown for the terminal: what pages of rules use of it.

use std::fmt::Write;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

use super::findings::in_words;
use crate::report::palette::{BOLD, CODE, DIM, Painter};
use crate::text::wrap;

/// Columns between the levels: headings of sections, their text, code.
const INDENT: &str = "  ";

/// Renders a text in at most `width` columns.
pub(super) fn render(text: &str, width: usize, painter: Painter) -> String {
    let mut page = Page { out: String::new(), line: String::new(), lists: Vec::new(), fence: None, width, painter };
    for event in Parser::new(text) {
        page.event(event);
    }
    // Blocks end with an empty line.
    format!("{}\n", page.out.trim_end())
}

struct Page {
    out: String,
    /// The text of the block so far.
    line: String,
    /// The lists around the text: the number of the next item, if items are numbered.
    lists: Vec<Option<u64>>,
    /// The words after the opening of a fence.
    fence: Option<String>,
    width: usize,
    painter: Painter,
}

impl Page {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Code(code) => self.line.push_str(&self.painter.paint(CODE, &format!("`{code}`"))),
            Event::Text(text) | Event::InlineHtml(text) | Event::Html(text) => self.line.push_str(&text),
            Event::SoftBreak => self.line.push(' '),
            Event::HardBreak => self.line.push('\n'),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::List(first) => {
                // The text of an item that holds a list comes before it.
                self.end_block();
                self.lists.push(first);
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => self.fence = Some(info.to_string()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => self.heading(level),
            TagEnd::Paragraph => {
                self.end_block();
                self.out.push('\n');
            }
            TagEnd::Item => {
                self.end_block();
                if let Some(Some(number)) = self.lists.last_mut() {
                    *number += 1;
                }
            }
            TagEnd::List(_) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.out.push('\n');
                }
            }
            TagEnd::CodeBlock => self.code(),
            _ => {}
        }
    }

    /// Sections have no indentation, the examples in them one level.
    fn heading(&mut self, level: HeadingLevel) {
        let indent = if level <= HeadingLevel::H2 { "" } else { INDENT };
        let text = std::mem::take(&mut self.line);
        for line in wrap(&format!("{indent}{text}"), self.width, &format!("{indent}{INDENT}")).lines() {
            let text = line.trim_start();
            let spaces = line.len() - text.len();
            let _ = writeln!(self.out, "{:spaces$}{}", "", self.painter.paint(BOLD, text));
        }
    }

    /// Ends a paragraph or an item of a list.
    fn end_block(&mut self) {
        let text = std::mem::take(&mut self.line);
        if text.trim().is_empty() {
            return;
        }
        let depth = self.lists.len().saturating_sub(1);
        let indent = format!("{INDENT}{}", INDENT.repeat(depth));
        let mark = match self.lists.last() {
            None => String::new(),
            Some(None) => "- ".to_owned(),
            Some(Some(number)) => format!("{number}. "),
        };
        let next = format!("{indent}{:1$}", "", mark.len());
        self.out.push_str(&wrap(&format!("{indent}{mark}{text}"), self.width, &next));
        self.out.push('\n');
    }

    /// Ends a fence. Findings are in words; other code is unchanged, except that long lines are broken.
    fn code(&mut self) {
        let text = std::mem::take(&mut self.line);
        let info = self.fence.take().unwrap_or_default();
        if let Some(title) = title(&info) {
            self.out.push_str(&self.painter.paint(DIM, &wrap(&format!("{INDENT}{INDENT}{title}"), self.width, INDENT)));
            self.out.push('\n');
        }
        let indent = INDENT.repeat(3);
        for line in text.lines() {
            let line = if info == "findings" { in_words(line) } else { line.to_owned() };
            let own = line.len() - line.trim_start().len();
            let next = format!("{indent}{:own$}{INDENT}", "");
            self.out.push_str(wrap(&format!("{indent}{line}"), self.width, &next).trim_end());
            self.out.push('\n');
        }
        self.out.push('\n');
    }
}

/// The title above a fence: the name of the file, and other remarks.
fn title(info: &str) -> Option<String> {
    let words: Vec<&str> = info.split_whitespace().collect();
    match words.as_slice() {
        ["findings"] => Some("Findings:".to_owned()),
        ["json", "fixed"] => Some("After the fix:".to_owned()),
        ["json", "fixed", name] => Some(format!("{name} after the fix:")),
        [_, .., name] => Some(format!("{name}:")),
        _ => None,
    }
}
