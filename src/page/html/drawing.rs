//! The drawing, and a panel for each activity, which the script shows beside it.

use maud::{Markup, PreEscaped, html};

use super::parts::{Section, badge, name, names, prose};
use crate::page::model::ActivityView;
use crate::text::count;

/// Activities of a drawing whose strips for paper are read with the page.
const MAX_READ_AT_ONCE: usize = 200;

/// The drawing in a box of its own, which scrolls.
pub fn drawing(section: &Section<'_>) -> Markup {
    html! {
        section.stage data-part="drawing" {
            h3 id=(section.id("drawing")) { "Drawing" }
            @match &section.page.drawing {
                Ok(drawing) => {
                    @let (svg, strips) = drawing.svg_in_page(&section.id("wf-"));
                    div.tools data-drawing-tools hidden {}
                    div.canvas tabindex="0" role="group" aria-label="Drawing of the workflow, scrolls" {
                        // Escaped where it is written.
                        (PreEscaped(svg))
                    }
                    (on_paper(&strips, section.page.activities.len()))
                    div data-player-host hidden {}
                    div data-try-host hidden {}
                },
                Err(why) => p.soft { "There is no drawing: " (prose(why)) "." },
            }
        }
    }
}

/// The drawing as strips, between which a page of paper can end. A browser that runs the script reads those of a large
/// drawing only when it prints: they take as long as the rest of the page.
fn on_paper(strips: &str, activities: usize) -> Markup {
    let strips = html! { div.paper-only aria-hidden="true" { (PreEscaped(strips)) } };
    html! {
        @if activities > MAX_READ_AT_ONCE { noscript { (strips) } } @else { (strips) }
    }
}

/// Everything about each activity.
pub fn panels(section: &Section<'_>) -> Markup {
    let activities = &section.page.activities;
    if activities.is_empty() {
        return html! {};
    }
    let number =
        if activities.len() == 1 { "1 activity".to_owned() } else { format!("{} activities", activities.len()) };
    html! {
        section.panels data-part="panels" {
            h3.vh id=(section.id("panels")) { "Each step in detail" }
            details {
                summary { "Each step in detail: what it reads, writes and sends (" (number) ")" }
                @for activity in activities { (panel(section, activity)) }
            }
        }
    }
}

fn panel(section: &Section<'_>, activity: &ActivityView) -> Markup {
    html! {
        details.panel data-panel=(activity.pointer) {
            summary {
                b dir="auto" { @if activity.name.is_empty() { (activity.pointer) } @else { (activity.name) } }
                " " span.soft { (activity.word) }
                @for (severity, code) in &activity.findings { " " (badge(severity.word(), code)) }
            }
            // In here, so that a link to it opens the panel.
            div.panel-body id=(section.activity_id(&activity.pointer)) { (details(section, activity)) }
        }
    }
}

fn details(section: &Section<'_>, activity: &ActivityView) -> Markup {
    html! {
        dl.facts {
            @if !activity.reads.is_empty() { dt { "Reads" } dd { (names(&activity.reads)) } }
            @if !activity.writes.is_empty() { dt { "Writes" } dd { (names(&activity.writes)) } }
            @for (parameter, value) in &activity.parameters {
                dt { (name(parameter)) }
                dd dir="auto" { (prose(value)) }
            }
            @if !activity.findings.is_empty() {
                dt { "Findings" }
                dd { (findings(section, activity)) }
            }
            @if let Some(begun) = activity.begun {
                dt { "Scenarios" }
                dd {
                    @if begun == 0 { (badge("warning", "never begun")) } @else { "began it " (count(begun, "time")) }
                    @for (branch, taken) in &activity.branches {
                        ", took " (branch) " "
                        @if *taken == 0 { b { "never" } } @else { (count(*taken, "time")) }
                    }
                }
            }
            dt { "In the file" }
            dd dir="auto" { (activity.place) }
        }
    }
}

fn findings(section: &Section<'_>, activity: &ActivityView) -> Markup {
    let place = |code: &str| {
        section.page.findings.iter().position(|finding| {
            finding.code == code && finding.activity.as_ref().is_some_and(|(pointer, _)| *pointer == activity.pointer)
        })
    };
    html! {
        @for (severity, code) in &activity.findings {
            @let part = place(code).map_or_else(|| "findings".to_owned(), |index| format!("finding-{}", index + 1));
            a href=(section.link(&part)) { (severity.word()) " " (code) } " "
        }
    }
}
