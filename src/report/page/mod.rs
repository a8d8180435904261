//! A rule's page for the terminal: its severities and fixes, then the Markdown without its syntax.

mod findings;
mod markdown;

use super::palette::{BOLD, Painter};
use crate::rules::Rule;
use crate::text::{list, wrap};

/// The page without the findings that the tests expect in its examples.
pub fn without_findings(page: &str) -> String {
    let mut parts = page.split("\n```findings\n");
    let first = parts.next().unwrap_or_default();
    let rest = parts.filter_map(|part| part.split_once("\n```\n")).map(|(_, rest)| rest);
    std::iter::once(first).chain(rest).collect()
}

/// A rule's page, or part of it, in at most `width` columns.
pub fn page(rule: &Rule, text: &str, width: usize, color: bool) -> String {
    let painter = Painter { color };
    let title = format!("{} {}", rule.code, rule.name);
    let facts = [("Severity:", severities(rule)), ("Fixes:", rule.fixes.word().to_owned()), ("Group:", group(rule))];
    let facts = facts.map(|(label, value)| wrap(&format!("  {label:<10} {value}"), width, "             ") + "\n");
    let title = wrap(&title, width, "  ").lines().map(|line| painter.paint(BOLD, line) + "\n").collect::<String>();
    // The page begins with the same title.
    let body = text.trim_start().split_once('\n').map_or("", |(_, body)| body);
    format!("{title}\n{}\n{}", facts.concat(), markdown::render(body, width, painter))
}

fn severities(rule: &Rule) -> String {
    let others: Vec<&str> = rule.other_severities.iter().map(|severity| severity.word()).collect();
    let own = rule.severity.word();
    if others.is_empty() { own.to_owned() } else { format!("{own}, in some cases {}", list(&others, "or")) }
}

fn group(rule: &Rule) -> String {
    rule.group().name().to_owned()
}
