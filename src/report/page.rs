//! A rule's page for the terminal: its severities and fixes, then the Markdown without its syntax.

use std::fmt::Write;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

use super::style::{BOLD, CODE, DIM, Painter};
use crate::rules::{Preset, REGISTRY, Rule};
use crate::text::{list, wrap};

/// Columns between the levels: headings of sections, their text, code.
const INDENT: &str = "  ";

const SEVERITIES: [&str; 3] = ["error", "warning", "info"];

/// The page without the findings that the tests expect in its examples.
pub fn without_findings(page: &str) -> String {
    let mut parts = page.split("\n```findings\n");
    let first = parts.next().unwrap_or_default();
    // One that is empty ends at once.
    let rest = parts
        .filter_map(|part| part.strip_prefix("```\n").or_else(|| part.split_once("\n```\n").map(|(_, rest)| rest)));
    std::iter::once(first).chain(rest).collect()
}

/// A rule's page, or part of it, in at most `width` columns.
pub fn page(rule: &Rule, text: &str, width: usize, color: bool) -> String {
    let painter = Painter { color };
    let title = format!("{} {}", rule.code, rule.name);
    // The page begins with the same title.
    let body = text.trim_start().split_once('\n').map_or("", |(_, body)| body);
    // What it says of presets is among the facts.
    let presets = body.lines().find(|line| line.starts_with("Preset"));
    let body = presets.map_or_else(|| body.to_owned(), |line| body.replacen(&format!("{line}\n\n"), "", 1));
    let names = |line: &str| line.split_once(": ").map(|(_, names)| names.trim_end_matches('.').replace('`', ""));
    let of_rule = || rule.presets().map(Preset::name).collect::<Vec<_>>().join(", ");
    let presets = presets.and_then(names).unwrap_or_else(of_rule);
    let facts = [
        ("Severity:", severities(rule)),
        ("Fixes:", rule.fixes.word().to_owned()),
        ("Group:", rule.group_name().to_owned()),
        ("Presets:", presets),
    ];
    let facts = facts.map(|(label, value)| wrap(&format!("  {label:<10} {value}"), width, "             ") + "\n");
    let title = wrap(&title, width, "  ").lines().map(|line| painter.paint(BOLD, line) + "\n").collect::<String>();
    format!("{title}\n{}\n{}", facts.concat(), render(&body, width, painter))
}

fn severities(rule: &Rule) -> String {
    let others: Vec<&str> = rule.other_severities.iter().map(|severity| severity.word()).collect();
    let own = rule.severity.word();
    // A report of a rule of the user's own may have any.
    if others.is_empty() || rule.is_own() {
        own.to_owned()
    } else {
        format!("{own}, in some cases {}", list(&others, "or"))
    }
}

/// Renders a text in at most `width` columns.
fn render(text: &str, width: usize, painter: Painter) -> String {
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
        ["json" | "toml", "fixed", name] => Some(format!("{name} after the fix:")),
        [_, .., name] => Some(format!("{name}:")),
        _ => None,
    }
}

/// A line of a `findings` fence, `CODE [severity] [file] pointer [covered text]` in words: `WF101 error at /activities/0: "Stat"`.
fn in_words(line: &str) -> String {
    let mut words = line.trim().split(' ').peekable();
    let code = words.next().unwrap_or_default();
    let severity = words.next_if(|word| SEVERITIES.contains(word)).or_else(|| {
        let rule = REGISTRY.iter().find(|rule| rule.code == code)?;
        Some(rule.severity.word())
    });
    let file = words.next_if(|word| !word.starts_with(['/', '(']));
    let pointer = words.next().unwrap_or_default();
    let covered: Vec<&str> = words.collect();
    let severity = severity.unwrap_or_default();
    let file = file.map_or_else(String::new, |file| format!(" in {file}"));
    let place = if pointer == "(root)" { " at the root".to_owned() } else { format!(" at {pointer}") };
    let covered = if covered.is_empty() { String::new() } else { format!(": {}", covered.join(" ")) };
    format!("{code} {severity}{file}{place}{covered}")
}

#[cfg(test)]
mod tests {
    use super::{in_words, without_findings};

    #[test]
    fn findings_are_left_out_also_where_there_are_none() {
        let page = "a\n\n```findings\n```\n\nb\n\n```findings\nWF101 /a\n```\n\nc\n";
        assert_eq!(without_findings(page), "a\n\nb\n\nc\n");
    }

    #[test]
    fn finding_has_its_severity_file_place_and_characters() {
        assert_eq!(in_words("WF101 /a/0 \"O S\""), "WF101 error at /a/0: \"O S\"");
        assert_eq!(in_words("WF101 info (root) {"), "WF101 info at the root: {");
        assert_eq!(
            in_words("WF000 wflint.toml (root) [[suppress]]"),
            "WF000 warning in wflint.toml at the root: [[suppress]]"
        );
        assert_eq!(in_words("WF414 order.json /activities/0"), "WF414 warning in order.json at /activities/0");
    }
}
