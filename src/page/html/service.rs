//! The section of a service: its parts, in the order in which questions come up.

use maud::{Markup, html};

use super::parts::{Section, sentence};
use super::{drawing, findings, forms, glance, more, orders, people, scenarios};
use crate::draw::outline::{Outline, OutlineStep, Part};

/// The parts of a section, and how they are named in the list of links.
const LINKS: [(&str, &str); 11] = [
    ("words", "In words"),
    ("drawing", "Drawing"),
    ("ends", "Ends"),
    ("statuses", "Statuses"),
    ("findings", "Findings"),
    ("scenarios", "Scenarios"),
    ("laws", "Laws"),
    ("people", "People and mails"),
    ("data", "Data"),
    ("forms", "Forms"),
    ("changes", "Changes"),
];

/// A service in its own section.
pub fn service(section: &Section<'_>) -> Markup {
    let page = section.page;
    html! {
        section.service data-service=(page.name) id=(page.name) aria-labelledby=(section.id("heading")) {
            header {
                h2 id=(section.id("heading")) dir="auto" { (page.name) }
                span.soft.small dir="auto" {
                    (page.file)
                    @if let Some(form) = &page.form { ", " (form) }
                }
            }
            (links(section))
            (glance::glance(section))
            div.story.part {
                (words(section))
                (drawing::drawing(section))
            }
            (drawing::panels(section))
            (orders::ends(section))
            (orders::statuses(section))
            (findings::findings(section))
            (scenarios::scenarios(section))
            (scenarios::laws(section))
            (people::people(section))
            (people::data(section))
            (forms::forms(section))
            (more::changes(section))
            (more::assumptions(section))
        }
    }
}

fn links(section: &Section<'_>) -> Markup {
    html! {
        nav.jump aria-label={ "Parts of " (section.page.name) } {
            @for (part, word) in LINKS {
                @if part != "changes" || section.page.changes.is_some() {
                    a href=(section.link(part)) { (word) }
                }
            }
        }
    }
}

/// What happens, as a numbered outline.
fn words(section: &Section<'_>) -> Markup {
    html! {
        section data-part="words" {
            h3 id=(section.id("words")) { "What happens, step by step" }
            @match &section.page.outline {
                Some(outline) => (told(outline)),
                None => p.soft { "The workflow could not be put in words." },
            }
        }
    }
}

fn told(outline: &Outline) -> Markup {
    html! {
        @for paragraph in &outline.introduction { p { (sentence(paragraph)) } }
        @if outline.steps.is_empty() { p { "The workflow has no steps." } } @else {
            ol.outline { @for step in &outline.steps { (told_step(step)) } }
        }
        @if !outline.conclusion.is_empty() { p { (sentence(&outline.conclusion)) } }
    }
}

/// Recurses with the nesting of activities, which the depth limit of the document bounds.
fn told_step(step: &OutlineStep) -> Markup {
    // A lane without an activity has the pointer of its Approval, which a step has already.
    let pointer = step.activity.is_some().then_some(&step.pointer);
    html! {
        li data-pointer=[pointer] {
            span.step {
                @match step.parts.split_first() {
                    Some((Part::Name(title), rest)) => { b dir="auto" { (title) } (sentence(rest)) },
                    _ => (sentence(&step.parts)),
                }
            }
            @if !step.children.is_empty() { ol { @for child in &step.children { (told_step(child)) } } }
        }
    }
}
