//! What is tested, and what must always hold.

use maud::{Markup, html};

use super::parts::{Section, after, badge, bar, nothing, play_host, prose, separated, timeline};
use crate::page::model::{BrokenView, CoverageView, LawView, NotRunView, ScenarioView};
use crate::text::count;

/// Names of what is not covered that are shown at once.
const MAX_SHOWN: usize = 30;

/// The scenarios, and what they leave out.
pub fn scenarios(section: &Section<'_>) -> Markup {
    let all = &section.page.scenarios;
    let body = html! {
        @if all.scenarios.is_empty() {
            @if all.left_out { (nothing("Scenarios were left out, because they run scripts (--no-scripts).")) }
            @else { (nothing("No scenario was run: nothing is tested here.")) }
        }
        @if let Some(coverage) = &all.coverage { (covered(coverage)) }
        ul.cards {
            @for scenario in &all.scenarios { (scenario_card(section, scenario)) }
            @for scenario in &all.not_run { (not_run_card(scenario)) }
        }
    };
    section.part("scenarios", "What the scenarios test, and what they leave out", &body)
}

fn covered(coverage: &CoverageView) -> Markup {
    let CoverageView { activities, branches, percent, missing } = coverage;
    html! {
        p {
            b { (percent) "% covered " } (bar((activities.0 + branches.0, activities.1 + branches.1))) " "
            (activities.0) " of " (activities.1) " activities, " (branches.0) " of " (branches.1) " branches"
        }
        @if !missing.is_empty() {
            p { b.soft { "Never tested: " } (names_of(missing.iter().take(MAX_SHOWN))) }
            @if missing.len() > MAX_SHOWN {
                details {
                    summary { (missing.len() - MAX_SHOWN) " more that are never tested" }
                    p { (names_of(missing.iter().skip(MAX_SHOWN))) }
                }
            }
        }
    }
}

fn names_of<'n>(names: impl Iterator<Item = &'n String>) -> Markup {
    separated(names.map(|name| html! { span dir="auto" { (name) } }))
}

fn scenario_card(section: &Section<'_>, scenario: &ScenarioView) -> Markup {
    let (class, mark) =
        if scenario.passed { ("marked", badge("good", "passed")) } else { ("marked bad", badge("error", "failed")) };
    html! {
        li class=(class) id=(section.id(&scenario.id)) data-scenario data-passed=(scenario.passed) data-id=(scenario.id) {
            div.row {
                (mark)
                div.grow {
                    p.title dir="auto" { b { (scenario.name) } }
                    p.soft.small {
                        "the order ended " (after(&scenario.elapsed)) ": " (scenario.outcome.word()) ", "
                        span dir="auto" { (scenario.file) }
                    }
                    @if let Some(failure) = &scenario.failure { p dir="auto" { (prose(failure)) } }
                    (checks(scenario))
                }
                (play_host(&scenario.id))
            }
            @if !scenario.timeline.is_empty() {
                details {
                    summary { "What happened, in " (count(scenario.timeline.len(), "line")) }
                    (timeline(&scenario.timeline))
                }
            }
        }
    }
}

/// A scenario that tests nothing, since it could not be run.
fn not_run_card(scenario: &NotRunView) -> Markup {
    html! {
        li."marked bad" data-scenario data-passed="false" {
            div.row {
                (badge("error", "not run"))
                div.grow {
                    p.title dir="auto" { b { (scenario.file) } }
                    @for reason in &scenario.reasons { p dir="auto" { "It could not be run: " (prose(reason)) } }
                }
            }
        }
    }
}

/// Those that were not met; the others are folded.
fn checks(scenario: &ScenarioView) -> Markup {
    let of = |wanted: bool| scenario.checks.iter().filter(move |(is_met, _)| *is_met == wanted).map(|(_, words)| words);
    let (unmet, met) = (of(false).count(), of(true).count());
    html! {
        @if unmet > 0 {
            ul.checks { @for words in of(false) { (check(&badge("error", "not met"), words)) } }
        }
        @if met > 0 {
            details {
                summary { (count(met, "expectation")) " met" }
                ul.checks { @for words in of(true) { (check(&badge("good", "met"), words)) } }
            }
        }
    }
}

fn check(mark: &Markup, words: &str) -> Markup {
    html! { li { (mark) " " span dir="auto" { (prose(words)) } } }
}

/// The policies.
pub fn laws(section: &Section<'_>) -> Markup {
    let body = html! {
        @if section.page.laws.is_empty() { (nothing("No law is known to hold or to be broken.")) }
        ul.cards { @for law in &section.page.laws { (law_card(section, law)) } }
    };
    section.part("laws", "Which policies hold (laws)", &body)
}

fn law_card(section: &Section<'_>, law: &LawView) -> Markup {
    let (class, color, word) = match law.holds {
        "true" if !law.unseen.is_empty() => ("marked", "plain", "holds in part"),
        "true" => ("marked", "good", "holds"),
        "false" => ("marked bad", "error", "broken"),
        "accepted" => ("marked", "warning", "accepted"),
        _ => ("marked", "plain", "unknown"),
    };
    html! {
        li class=(class) data-law=(law.name) data-holds=(law.holds) {
            div.row {
                (badge(color, word))
                div.grow {
                    p.title dir="auto" { b { (law.name) } }
                    p dir="auto" { (prose(&law.demand)) }
                    @if !law.unseen.is_empty() { (unseen(&law.unseen)) }
                    @if let Some(note) = &law.note { p.soft.small dir="auto" { (prose(note)) } }
                }
            }
            @for broken in &law.broken { (counterexample(section, broken)) }
        }
    }
}

/// What a law that holds does not say.
fn unseen(parts: &[String]) -> Markup {
    html! {
        p dir="auto" {
            "It holds, but for what was not looked at: "
            @for (index, part) in parts.iter().take(MAX_SHOWN).enumerate() { @if index > 0 { "; " } (prose(part)) }
            @if parts.len() > MAX_SHOWN { "; and " (parts.len() - MAX_SHOWN) " more" }
            "."
        }
    }
}

fn counterexample(section: &Section<'_>, broken: &BrokenView) -> Markup {
    let id = broken.id.as_ref().map(|id| section.id(id));
    html! {
        div.counterexample id=[id] data-id=[broken.id.as_ref()] {
            div.row {
                div.grow {
                    p dir="auto" { (prose(&broken.message)) }
                    @if let Some(activity) = &broken.activity { p.soft.small { "at " (section.activity(activity)) } }
                    @if let Some(reason) = &broken.accepted { p dir="auto" { b.soft { "Accepted: " } (prose(reason)) } }
                }
                @if let Some(id) = &broken.id { (play_host(id)) }
            }
            @if !broken.timeline.is_empty() {
                details { summary { "The order that shows it" } (timeline(&broken.timeline)) }
            }
        }
    }
}
