//! What is wrong, how bad, where, and what to do.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::parts::{Section, badge, nothing, prose};
use crate::page::model::FindingView;
use crate::text::diagnostic::Severity;

/// Those of a service.
pub fn findings(section: &Section<'_>) -> Markup {
    let findings = &section.page.findings;
    let body = html! {
        @if findings.is_empty() { p { (badge("good", "nothing wrong was found")) } } @else {
            div.tools data-finding-tools hidden {}
            ul.cards {
                @for (finding, number) in findings.iter().zip(1..) {
                    @let activity = finding.activity.as_ref().map(|activity| section.activity(activity));
                    (card(finding, &section.id(&format!("finding-{number}")), &section.id(&rule(finding)), activity))
                }
            }
            (rules(findings, "h4", |finding| section.id(&rule(finding))))
        }
    };
    section.part("findings", "What is wrong, and what to do", &body)
}

/// Those in files that belong to no workflow.
pub fn other(findings: &[FindingView]) -> Markup {
    html! {
        section.service aria-labelledby="~//other" {
            h2 id="~//other" { "Findings in other files" }
            @if findings.is_empty() { (nothing("None.")) }
            ul.cards {
                @for (finding, number) in findings.iter().zip(1..) {
                    (card(finding, &format!("~//finding-{number}"), &format!("~//{}", rule(finding)), None))
                }
            }
            (rules(findings, "h3", |finding| format!("~//{}", rule(finding))))
        }
    }
}

/// The name of the part about a finding's rule.
fn rule(finding: &FindingView) -> String {
    format!("rule-{}", finding.code)
}

fn card(finding: &FindingView, id: &str, rule: &str, activity: Option<Markup>) -> Markup {
    let class = match finding.severity {
        Severity::Error => "marked bad",
        Severity::Warning => "marked stands-out",
        Severity::Info => "marked",
    };
    html! {
        li class=(class) id=(id) data-finding data-code=(finding.code) data-severity=(finding.severity.word())
            data-pointer=(finding.pointer)
        {
            div.row {
                (badge(finding.severity.word(), finding.severity.word()))
                div.grow {
                    p.title dir="auto" { b { (prose(&finding.message)) } }
                    @if let Some(help) = &finding.help { p dir="auto" { b.soft { (help_words(help)) ": " } (prose(help)) } }
                    @for (title, applicability) in &finding.repairs {
                        p dir="auto" { b.soft { (fix_words(applicability)) ": " } (prose(title)) }
                    }
                    p.soft.small {
                        @if let Some(activity) = activity { "in " (activity) ", " }
                        span dir="auto" { (finding.place) } ", rule "
                        a href={ "#" (rule) } { (finding.code) " " (finding.name) }
                    }
                }
                span data-show-host=(finding.pointer) {}
            }
            @if !finding.excerpt.is_empty() {
                pre tabindex="0" role="group" aria-label={ "Excerpt of " (finding.place) } { (finding.excerpt) }
            }
        }
    }
}

/// Who reads only the page cannot change the configuration.
fn help_words(help: &str) -> &'static str {
    if help.contains("wflint.toml") { "For the author" } else { "What to do" }
}

fn fix_words(applicability: &str) -> &'static str {
    if applicability == "safe" { "A safe fix" } else { "A possible fix, to be looked at" }
}

/// The pages of the rules in short, each once.
fn rules(findings: &[FindingView], heading: &str, id: impl Fn(&FindingView) -> String) -> Markup {
    let rules: BTreeMap<&str, &FindingView> =
        findings.iter().rev().filter(|finding| !finding.about.is_empty()).map(|it| (it.code.as_str(), it)).collect();
    html! {
        @for finding in rules.values() {
            @let title = format!("{} {}", finding.code, finding.name);
            details.rule {
                summary { "Why " (title) " matters" }
                div id=(id(finding)) {
                    @if heading == "h3" { h3 { (title) } } @else { h4 { (title) } }
                    @for paragraph in &finding.about { p { (prose(paragraph)) } }
                }
            }
        }
    }
}
