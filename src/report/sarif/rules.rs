//! The rules of the results, described by their pages.

use std::collections::BTreeSet;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use serde::Serialize;

use crate::report::object::object;
use crate::report::page;
use crate::report::results::Report;
use crate::rules::{Group, PAGES, Rule, find, page_address, page_of};
use crate::text::diagnostic::Severity;
use crate::text::truncate;

/// Characters of a description that GitHub accepts.
const MAX_DESCRIPTION: usize = 1_024;
/// Columns of a page as plain text.
const WIDTH: usize = 80;

/// The rules that a report is about, each with its index.
pub(super) struct RuleIndex(Vec<&'static Rule>);

impl RuleIndex {
    pub fn of(report: &Report<'_>) -> Self {
        let listed = report.diagnostics().iter().map(|finding| (finding.code, finding.name));
        let omitted = report.outcome.omitted.iter().map(|omitted| (omitted.code, omitted.name));
        let rules: BTreeSet<(&str, &str)> = listed.chain(omitted).collect();
        Self(rules.into_iter().filter_map(|(code, name)| find(code, name)).collect())
    }

    pub fn index(&self, code: &str) -> usize {
        self.0.iter().position(|rule| rule.code == code).unwrap_or_default()
    }

    pub fn descriptors(&self) -> Vec<impl Serialize + use<>> {
        self.0.iter().map(|rule| descriptor(rule)).collect()
    }
}

pub(super) const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn descriptor(rule: &'static Rule) -> impl Serialize + use<> {
    let text = page_of(rule);
    let Descriptions { short, full } = Descriptions::of(&text);
    let help = page::page(rule, &page::without_findings(&text), WIDTH, false);
    object()
        .with("id", rule.code)
        .with("name", rule.name)
        .with("shortDescription", object().with("text", short))
        .with("fullDescription", object().with("text", full))
        .with("defaultConfiguration", object().with("level", level(rule.severity)))
        .with("help", object().with("text", help).with("markdown", with_absolute_links(&text)))
        .with_some("helpUri", page_address(rule.code, rule.name))
        .with("properties", properties(rule))
}

/// What GitHub reads of a rule.
fn properties(rule: &'static Rule) -> impl Serialize + use<> {
    let is_security = Group::of(rule.code) == Some(Group::Security);
    // By severity: of how many findings a reviewer would say that they are right; GitHub's word for an info; and the
    // middle of its ranges `high`, `medium` and `low`.
    let (precision, problem_severity, security_severity) = match rule.severity {
        Severity::Error => ("very-high", "error", "8.0"),
        Severity::Warning => ("high", "warning", "5.5"),
        Severity::Info => ("medium", "recommendation", "2.0"),
    };
    let tags = if is_security { vec!["security"] } else { vec!["correctness", rule.group_name()] };
    object()
        .with("precision", precision)
        .with("problem.severity", problem_severity)
        .with_some("security-severity", is_security.then_some(security_severity))
        .with("tags", tags)
}

/// Pages link to each other by file name.
fn with_absolute_links(page: &str) -> String {
    page.replace("](WF", &format!("]({PAGES}/WF")).replace("](../", &format!("]({PAGES}/../"))
}

/// What the beginning of a page says.
struct Descriptions {
    /// One sentence.
    short: String,
    full: String,
}

impl Descriptions {
    /// The full description is the text before the second heading of a section: what the rule reports, and why.
    fn of(page: &str) -> Self {
        let mut paragraphs: Vec<String> = Vec::new();
        let mut headings = 0;
        let mut is_paragraph = false;
        for event in Parser::new(page) {
            let text = match event {
                Event::Start(Tag::Heading { .. }) => {
                    headings += 1;
                    continue;
                }
                Event::Start(Tag::Paragraph) => {
                    is_paragraph = true;
                    paragraphs.push(String::new());
                    continue;
                }
                Event::End(TagEnd::Paragraph) => {
                    is_paragraph = false;
                    continue;
                }
                Event::Text(text) => text.to_string(),
                Event::Code(code) => format!("`{code}`"),
                Event::SoftBreak | Event::HardBreak => " ".to_owned(),
                _ => continue,
            };
            // The title and `Why`.
            if headings > 2 {
                break;
            }
            if let Some(paragraph) = paragraphs.last_mut().filter(|_| is_paragraph) {
                paragraph.push_str(&text);
            }
        }
        paragraphs.retain(|paragraph| !paragraph.starts_with("Preset"));
        let first = paragraphs.first().map_or("", String::as_str);
        let short = first.split_once(". ").map_or(first.to_owned(), |(sentence, _)| format!("{sentence}."));
        let cut = |text: &str| truncate(text, MAX_DESCRIPTION - 1).into_owned();
        Self { short: cut(&short), full: cut(&paragraphs.join(" ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::REGISTRY;

    #[test]
    fn every_page_has_descriptions_within_the_limits() {
        for rule in REGISTRY {
            let Descriptions { short, full } = Descriptions::of(rule.page);
            assert!(short.starts_with("Reports ") && short.ends_with('.'), "{}: {short}", rule.code);
            assert!(full.starts_with(short.trim_end_matches('.')), "{}: {full}", rule.code);
            assert!(full.chars().count() <= MAX_DESCRIPTION && full.len() > short.len(), "{}: {full}", rule.code);
        }
    }

    #[test]
    fn links_of_a_page_are_absolute() {
        let page = with_absolute_links("[WF403](WF403-endless-loop.md) [limits](../docs/limits.md)");
        let version = env!("CARGO_PKG_VERSION");
        assert!(page.contains(&format!("/v{version}/rules/WF403-endless-loop.md)")), "{page}");
        assert!(page.contains("/rules/../docs/limits.md)"), "{page}");
    }
}
