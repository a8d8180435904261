//! What changed, and what the results assume.

use maud::{Markup, html};

use super::glance::changed;
use super::parts::{Section, name, prose};
use crate::page::model::ChangeView;

/// What is not the same as in the revision that the page compares with.
pub fn changes(section: &Section<'_>) -> Markup {
    let Some(changes) = &section.page.changes else { return html! {} };
    let body = html! {
        p.soft dir="auto" { "Since " (name(&changes.since)) ": " (changed(changes)) "." }
        @if !changes.lines.is_empty() { div.changes { (nested(&changes.lines)) } }
    };
    section.part("changes", "What changed", &body)
}

/// A list of the first and those of its depth, each with the deeper ones that follow it. Recurses with the depth.
fn nested(changes: &[ChangeView]) -> Markup {
    let Some(depth) = changes.iter().map(|change| change.depth).min() else { return html! {} };
    let mut items: Vec<&[ChangeView]> = Vec::new();
    let mut rest = changes;
    while let Some((_, after)) = rest.split_first() {
        let end = after.iter().position(|change| change.depth <= depth).map_or(rest.len(), |index| index + 1);
        let (item, others) = rest.split_at(end);
        items.push(item);
        rest = others;
    }
    html! {
        ul {
            @for item in items {
                @if let Some((first, children)) = item.split_first() {
                    li {
                        @if !first.word.is_empty() { span.soft { (first.word) ": " } }
                        span dir="auto" { (prose(&first.text)) }
                        (nested(children))
                    }
                }
            }
        }
    }
}

/// On what the ends, statuses and laws rely.
pub fn assumptions(section: &Section<'_>) -> Markup {
    let assumptions = &section.page.orders.assumptions;
    if assumptions.is_empty() {
        return html! {};
    }
    let body = html! {
        p.soft { "Ends, statuses and laws are found by running the documents, not on the platform. They assume:" }
        ul { @for assumption in assumptions { li dir="auto" { (prose(assumption)) } } }
    };
    section.part("assumptions", "What these results assume", &body)
}
