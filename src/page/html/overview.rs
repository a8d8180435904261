//! A row for each service, and the totals.

use maud::{Markup, html};

use super::glance::{Hang, changed, laws, scenarios};
use super::parts::{badge, bar, findings, left_out, prose, ways};
use crate::page::model::{CoverageView, Page, ServicePage};
use crate::text::diagnostic::Severity;
use crate::text::{count, list};

const COLUMNS: [&str; 7] =
    ["Service", "Findings", "How an order ends", "Can it hang?", "Scenarios", "Coverage", "Laws"];

/// The page in a sentence.
pub fn summary(page: &Page) -> String {
    let all = Totals::of(page);
    let number = |severity: Severity| all.severities.iter().filter(|it| **it == severity).count();
    let serious: Vec<String> = [Severity::Error, Severity::Warning]
        .into_iter()
        .filter(|severity| number(*severity) > 0)
        .map(|severity| count(number(severity), severity.word()))
        .collect();
    let mut parts = vec![match serious.is_empty() {
        true if all.severities.is_empty() => "no findings".to_owned(),
        true => "no errors or warnings".to_owned(),
        false => list(&serious, "and"),
    }];
    if all.ends > 0 {
        parts.push(format!("{} in which an order can end", all.ways));
    }
    if all.scenarios.1 > 0 {
        parts.push(format!("{} of {} pass", all.scenarios.0, count(all.scenarios.1, "scenario")));
    }
    format!("{}: {}.", count(page.services.len(), "service"), parts.join(", "))
}

struct Totals {
    severities: Vec<Severity>,
    ends: usize,
    /// How many ends, in words.
    ways: String,
    /// Services in which an order can hang.
    hanging: usize,
    /// Passed, and all.
    scenarios: (usize, usize),
    /// Covered activities and branches, and all.
    coverage: (usize, usize),
    broken_laws: usize,
}

impl Totals {
    fn of(page: &Page) -> Self {
        let services = &page.services;
        let scenarios = || services.iter().flat_map(|service| &service.scenarios.scenarios);
        let coverages = || services.iter().filter_map(|service| service.scenarios.coverage.as_ref()).map(covered);
        Self {
            severities: services
                .iter()
                .flat_map(|service| &service.findings)
                .chain(&page.other_findings)
                .map(|finding| finding.severity)
                .collect(),
            ends: services.iter().map(|service| service.orders.ends.len()).sum(),
            ways: ways(&services.iter().map(|service| &service.orders)),
            hanging: services.iter().filter(|service| Hang::of(&service.orders).is_certain()).count(),
            scenarios: (
                scenarios().filter(|scenario| scenario.passed).count(),
                scenarios().count() + services.iter().map(|service| service.scenarios.not_run.len()).sum::<usize>(),
            ),
            coverage: (coverages().map(|it| it.0).sum(), coverages().map(|it| it.1).sum()),
            broken_laws: services.iter().flat_map(|service| &service.laws).filter(|law| law.holds == "false").count(),
        }
    }
}

fn covered(coverage: &CoverageView) -> (usize, usize) {
    (coverage.activities.0 + coverage.branches.0, coverage.activities.1 + coverage.branches.1)
}

pub fn overview(page: &Page) -> Markup {
    html! {
        section.overview aria-labelledby="~//overview" {
            h2.vh id="~//overview" tabindex="-1" { "Overview" }
            @if page.services.is_empty() {
                p { "No service: no folder has a workflow." }
            } @else {
                (table(page))
            }
        }
    }
}

fn table(page: &Page) -> Markup {
    html! {
        @if page.services.len() > 1 {
            div.tools.scripted {
                div {
                    label.field-label for="~//search" { "Find a service" }
                    input type="search" id="~//search" data-search="service" autocomplete="off" spellcheck="false";
                }
            }
        }
        div.scroll tabindex="0" role="group" aria-label="Overview of the services" {
            table.stack.wide {
                caption.vh { "The services, those with errors first" }
                thead {
                    tr {
                        @for column in COLUMNS { th scope="col" { (column) } }
                        @if let Some(since) = since(page) { th scope="col" dir="auto" { "Changes since " (since) } }
                    }
                }
                tbody { @for service in &page.services { (row(service)) } }
                @if page.services.len() > 1 { tfoot { (total(page)) } }
            }
        }
    }
}

fn row(service: &ServicePage) -> Markup {
    let severities: Vec<Severity> = service.findings.iter().map(|finding| finding.severity).collect();
    let hang = Hang::of(&service.orders);
    html! {
        tr data-row=(service.name) {
            th scope="row" { a dir="auto" href={ "#" (service.name) } { (service.name) } }
            td data-label="Findings" data-value=(weight(&severities)) { (findings(&severities)) }
            td data-label="How an order ends" data-value=(service.orders.ends.len()) {
                @match (left_out(&service.orders.looked), service.orders.ends.len()) {
                    (Some(why), 0) => span.soft { (prose(&why)) },
                    _ => (ways(&[&service.orders].into_iter())),
                }
            }
            td data-label="Can it hang?" data-value=(hang.rank()) { (hang.short()) }
            td data-label="Scenarios" data-value=(service.scenarios.scenarios.len() + service.scenarios.not_run.len()) { (scenarios(&service.scenarios)) }
            td data-label="Coverage" data-value=(service.scenarios.coverage.as_ref().map_or("-1", |it| &it.percent)) {
                @match &service.scenarios.coverage {
                    Some(coverage) => { (bar(covered(coverage))) " " (coverage.percent) "%" },
                    None => span.soft { "none" },
                }
            }
            td data-label="Laws" data-value=(service.laws.iter().filter(|law| law.holds == "false").count()) {
                (laws(&service.laws))
            }
            @if let Some(changes) = &service.changes {
                td data-label="Changes" data-value=(changes.number + changes.effects) { (changed(changes)) }
            }
        }
    }
}

fn total(page: &Page) -> Markup {
    let all = Totals::of(page);
    html! {
        tr {
            th scope="row" { "Total" }
            td data-label="Findings" { (findings(&all.severities)) }
            td data-label="How an order ends" { (all.ways) }
            td data-label="Can it hang?" { (all.hanging) " of " (page.services.len()) }
            td data-label="Scenarios" {
                @if all.scenarios.1 == 0 { "none" } @else { (all.scenarios.0) " of " (all.scenarios.1) " pass" }
            }
            td data-label="Coverage" {
                @if all.coverage.1 > 0 { (bar(all.coverage)) " " (all.coverage.0 * 100 / all.coverage.1) "%" }
            }
            td data-label="Laws" {
                @match all.broken_laws {
                    0 => "none broken",
                    broken => (badge("error", &format!("{broken} broken"))),
                }
            }
            @if since(page).is_some() {
                @let services = page.services.iter().filter(|it| it.changes.as_ref().is_some_and(|it| !it.lines.is_empty()));
                td data-label="Changes" { "in " (count(services.count(), "service")) }
            }
        }
    }
}

/// The revision that the page compares with.
fn since(page: &Page) -> Option<&str> {
    page.services.iter().find_map(|service| Some(service.changes.as_ref()?.since.as_str()))
}

/// Orders by the number of errors, then of warnings, then of the rest.
fn weight(severities: &[Severity]) -> usize {
    severities
        .iter()
        .map(|severity| match severity {
            Severity::Error => 1_000_000,
            Severity::Warning => 1_000,
            Severity::Info => 1,
        })
        .sum()
}
