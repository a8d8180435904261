//! The page as HTML: readable and complete without its script, which only adds what moves.
//!
//! Every text of a document is escaped by the templates, which have no other way to insert it. What the script finds
//! its way by, besides the attributes that programs may rely on: `data-part` on the parts of a service,
//! `data-player-host`, `data-try-host`, `data-drawing-tools` and `data-finding-tools` where it puts its controls,
//! `data-play-host` where it puts the button that plays the run of that id, `data-panel` on the panel of an activity,
//! `data-activity` on a link to one, and `data-row` on the rows of the overview.

mod drawing;
mod findings;
mod forms;
mod glance;
mod more;
mod orders;
mod overview;
mod parts;
mod people;
mod scenarios;
mod service;
#[cfg(test)]
mod tests;

use data_encoding::BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::model::Page;
use crate::draw::DRAWING_STYLE;
use crate::report::visible;
use crate::text::{count, is_unsafe};
use parts::{Section, prose};

const STYLE: &str = concat!(include_str!("../../../frontend/parts.css"), include_str!("../../../frontend/page.css"));
const SCRIPT: &str = include_str!("../../../frontend/dist/page.js");

/// The whole page; `data` is the JSON of its script.
pub fn page(page: &Page, data: &str) -> String {
    let style = [STYLE, DRAWING_STYLE].concat();
    let sections: Vec<Section<'_>> =
        page.services.iter().zip(1..).map(|(service, number)| Section::new(service, number)).collect();
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(&page.title, &style))
            body {
                (visible_markup(content(page, &sections)))
                // Without `<`, nothing in it can end the element.
                script type="application/json" id="wflint-data" { (PreEscaped(data.replace('<', "\\u003c"))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
    .into_string()
}

fn content(page: &Page, sections: &[Section<'_>]) -> Markup {
    html! {
        a.skip href="#~//overview" { "Skip to the overview" }
        header.top {
            h1 dir="auto" { (page.title) }
            p { (overview::summary(page)) }
        }
        main {
            (overview::overview(page))
            @for section in sections { (service::service(section)) }
            @if !page.other_findings.is_empty() { (findings::other(&page.other_findings)) }
            @if !page.notes.is_empty() { (notes(&page.notes)) }
        }
        footer.foot {
            p {
                "Made by wflint from the documents of " (count(page.services.len(), "service"))
                ". This file needs no network and sends nothing."
            }
        }
    }
}

/// Shows characters that nothing shows, or that turn the text after them, as escapes.
fn visible_markup(markup: Markup) -> Markup {
    let is_hidden = |one: char| one != '\n' && is_unsafe(one);
    if !markup.0.contains(is_hidden) {
        return markup;
    }
    let mut shown = String::with_capacity(markup.0.len() + 64);
    for one in markup.0.chars() {
        if is_hidden(one) { shown.extend(one.escape_unicode()) } else { shown.push(one) }
    }
    PreEscaped(shown)
}

fn head(title: &str, style: &str) -> Markup {
    let policy = format!(
        "default-src 'none'; style-src {}; script-src {}; img-src 'none'; base-uri 'none'; form-action 'none'",
        hash(style),
        hash(SCRIPT)
    );
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width,initial-scale=1";
            meta name="referrer" content="no-referrer";
            title { (visible(title)) }
            style { (PreEscaped(style)) }
        }
    }
}

/// The source of a Content-Security-Policy that allows exactly this text.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text.as_bytes())))
}

fn notes(notes: &[String]) -> Markup {
    html! {
        section.part aria-labelledby="~//notes" {
            h2 id="~//notes" { "What this page leaves out" }
            ul { @for note in notes { li dir="auto" { (prose(note)) } } }
        }
    }
}
