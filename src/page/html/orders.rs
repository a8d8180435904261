//! How orders end, and which statuses they show on the way.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::parts::{Section, after, badge, left_out, nothing, outcome, outcome_class, play_host, prose, separated};
use crate::common::collections::{HashMap, IndexMap};
use crate::page::model::{EndView, SeenText, StatusView, TemplatePart};
use crate::text::count;

/// Ends that are shown at once.
const MAX_SHOWN: usize = 50;
/// Ends and activities that are listed at each status. More of them are said in short, as they may be the same at each.
const MAX_LISTED: usize = 12;

/// Each end.
pub fn ends(section: &Section<'_>) -> Markup {
    let orders = &section.page.orders;
    let body = html! {
        @if let Some(why) = left_out(&orders.looked) { p.note dir="auto" { (prose(&sentence(&why))) } }
        @if orders.ends.is_empty() { (nothing("No end is known.")) } @else {
            p.soft {
                "Each end tells the simplest order that comes to it; there may be further ways. People, addresses and values "
                "in these runs are made up."
            }
        }
        ul.cards { @for end in orders.ends.iter().take(MAX_SHOWN) { (end_card(section, end)) } }
        @if orders.ends.len() > MAX_SHOWN {
            details {
                summary { (count(orders.ends.len() - MAX_SHOWN, "further end")) }
                ul.cards { @for end in orders.ends.iter().skip(MAX_SHOWN) { (end_card(section, end)) } }
            }
        }
    };
    section.part("ends", "How an order can end, and what leads there", &body)
}

/// With a capital and a period.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|character| character.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", characters.as_str().trim_end_matches('.'))
}

fn end_card(section: &Section<'_>, end: &EndView) -> Markup {
    let class = match end.outcome {
        "endless" => "marked bad",
        "waits" => "marked stands-out",
        _ => "marked",
    };
    let reason = if class == "marked" { "soft" } else { "" };
    html! {
        li class=(class) data-end data-outcome=(end.outcome) data-id=(end.id) id=(section.id(&end.id)) {
            div.row {
                (outcome(end.outcome))
                div.grow {
                    (last_status(end))
                    p class=(reason) dir="auto" { (section.reason(&end.reason)) }
                    (waiting(end))
                    p.soft.small { (circumstances(section, end)) }
                }
                span.small { (covered(section, end)) }
                (play_host(&end.id))
            }
        }
    }
}

fn last_status(end: &EndView) -> Markup {
    match &end.status {
        Some(status) => html! { p.title { span.vh { "Last status: " } b dir="auto" { (status) } } },
        None => html! { p.title.soft { b { "no status" } } },
    }
}

/// Whom it waits for, unless the reason says so.
fn waiting(end: &EndView) -> Markup {
    let people: Vec<&String> = end.waits_for.iter().filter(|person| !end.reason.contains(person.as_str())).collect();
    html! {
        @if !people.is_empty() {
            p { "It hangs on " b dir="auto" { (separated(people.into_iter().map(|person| prose(person)))) } "." }
        }
    }
}

fn circumstances(section: &Section<'_>, end: &EndView) -> Markup {
    html! {
        @if section.page.orders.ends.len() > MAX_LISTED { (end.id.replace('-', " ")) ", " }
        @if let Some(activity) = &end.activity { "at " (section.activity(activity)) " " }
        (after(&end.elapsed))
        @if !end.open.is_empty() {
            "; still open: " (separated(end.open.iter().map(|open| html! { span dir="auto" { (prose(open)) } })))
        }
    }
}

fn covered(section: &Section<'_>, end: &EndView) -> Markup {
    let Some(files) = &end.covered_by else { return html! {} };
    let listed = |files: &[String]| separated(files.iter().map(|file| scenario(section, file)));
    let word = |files: &[String]| if files.len() == 1 { "scenario " } else { "scenarios " };
    html! {
        @match (files.is_empty(), end.alike.is_empty()) {
            (false, _) => { span.soft { (word(files)) } (listed(files)) },
            (true, true) => (badge("warning", "no scenario")),
            (true, false) => {
                (badge("warning", "no scenario")) span.soft { " such an end, but on another way: " } (listed(&end.alike))
            },
        }
    }
}

fn scenario(section: &Section<'_>, file: &str) -> Markup {
    let is_it = |other: &str| other == file || other.strip_suffix(file).is_some_and(|folder| folder.ends_with('/'));
    match section.page.scenarios.scenarios.iter().find(|scenario| is_it(&scenario.file)) {
        Some(scenario) => html! {
            a dir="auto" href=(section.link(&scenario.id)) { (scenario.name) }
            @if !scenario.passed { " " (badge("error", "failed")) }
        },
        None => html! { span dir="auto" { (file) } },
    }
}

/// Each text that an order can show.
pub fn statuses(section: &Section<'_>) -> Markup {
    let id = section.id("status-search");
    let body = html! {
        @if section.page.orders.statuses.is_empty() { (nothing("Orders show no status.")) } @else {
            div.tools.scripted {
                div {
                    label.field-label for=(id) { "The status that the order shows" }
                    input type="search" id=(id) data-search="status" autocomplete="off" spellcheck="false";
                }
            }
            ul.cards { (status_cards(section)) }
            p.soft data-search-empty="status" hidden { "No status of this service has this text." }
        }
    };
    section.part("statuses", "Where does my order stand, and how can it go on?", &body)
}

fn status_cards(section: &Section<'_>) -> Markup {
    let statuses = &section.page.orders.statuses;
    // The first status of those that the same many activities publish.
    let mut firsts: HashMap<&[(String, String)], usize> = HashMap::default();
    let many = statuses.iter().enumerate().filter(|(_, status)| status.published_by.len() > MAX_LISTED);
    for (index, status) in many {
        firsts.entry(&status.published_by).or_insert(index);
    }
    html! {
        @for (index, status) in statuses.iter().enumerate() {
            @let first = firsts.get(status.published_by.as_slice()).copied();
            @let id = first.map(|first| format!("status-{}", first + 1));
            @let same = first.filter(|first| *first != index).and_then(|first| statuses.get(first));
            (status_card(section, status, id.as_deref(), same))
        }
    }
}

/// `same` is the status `id` that the same activities publish; without one, this is `id`.
fn status_card(section: &Section<'_>, status: &StatusView, id: Option<&str>, same: Option<&StatusView>) -> Markup {
    html! {
        li data-status id=[id.filter(|_| same.is_none()).map(|id| section.id(id))] {
            p.title { b.template dir="auto" { (template(&status.template)) } }
            p.soft.small {
                "published at "
                @if let (Some(same), Some(id)) = (same, id) {
                    "the same " (count(same.published_by.len(), "step")) " as "
                    a dir="auto" href=(section.link(id)) { (template(&same.template)) }
                } @else {
                    (separated(status.published_by.iter().map(|activity| publisher(section, activity))))
                }
            }
            @if is_open(status) { (seen_texts(section, status)) }
            @if !texts_say_all(status) { (following(section, status)) }
        }
    }
}

/// With its place, if it is not the only activity with its name.
fn publisher(section: &Section<'_>, activity: &(String, String)) -> Markup {
    let activities = &section.page.activities;
    let is_only = activities.iter().filter(|it| it.name == activity.1).count() < 2;
    let place = activities.iter().find(|it| !is_only && it.pointer == activity.0).map(|it| &it.place);
    html! {
        (section.activity(activity))
        @if let Some(place) = place { " (" span dir="auto" { (place) } ")" }
    }
}

/// Whether all ends that can follow are said with the single texts, since they depend on them.
fn texts_say_all(status: &StatusView) -> bool {
    let differ = status.seen.iter().any(|seen| seen.ends != status.ends);
    let union: BTreeSet<usize> = status.seen.iter().flat_map(|seen| &seen.ends).copied().collect();
    is_open(status) && differ && union == status.ends
}

/// The texts that explored orders show, with the ends of each if they differ.
fn seen_texts(section: &Section<'_>, status: &StatusView) -> Markup {
    if status.seen.is_empty() {
        return html! {};
    }
    if status.seen.iter().all(|seen| seen.ends == status.ends) {
        return html! { p.small { "Orders show " (separated(status.seen.iter().map(|it| seen(&it.text)))) } };
    }
    html! {
        ul.checks {
            @for it in &status.seen {
                li.small data-seen { "shows " (seen(&it.text)) ": then " (short_ends(section, it)) }
            }
        }
    }
}

/// The ends that can follow a text, each status once.
fn short_ends(section: &Section<'_>, seen: &SeenText) -> Markup {
    let mut ends: IndexMap<(&str, Option<&str>), &EndView> = IndexMap::default();
    for end in seen.ends.iter().filter_map(|index| section.page.orders.ends.get(*index)) {
        ends.entry((end.outcome, end.status.as_deref())).or_insert(end);
    }
    if ends.len() > MAX_LISTED {
        return ranges(section, &seen.ends);
    }
    html! {
        @if ends.is_empty() { "no explored end" }
        (separated(ends.values().map(|end| short_end(section, end))))
    }
}

/// Many ends, by their numbers.
fn ranges(section: &Section<'_>, ends: &BTreeSet<usize>) -> Markup {
    let mut ranges: Vec<(&EndView, usize, usize)> = Vec::new();
    for (number, end) in ends.iter().filter_map(|&index| Some((index + 1, section.page.orders.ends.get(index)?))) {
        match ranges.last_mut() {
            Some((first, _, last)) if *last + 1 == number && first.outcome == end.outcome => *last = number,
            _ => ranges.push((end, number, number)),
        }
    }
    let more = ranges.len().saturating_sub(MAX_SHOWN);
    let range = |(end, first, last): &(&EndView, usize, usize)| {
        html! {
            a class={ "badge " (outcome_class(end.outcome)) } href=(section.link(&end.id)) { (end.outcome) }
            " end " (first) @if last > first { " to " (last) }
        }
    };
    html! {
        (separated(ranges.iter().take(MAX_SHOWN).map(range)))
        @if more > 0 { " and others" }
    }
}

fn short_end(section: &Section<'_>, end: &EndView) -> Markup {
    html! {
        a class={ "badge " (outcome_class(end.outcome)) } href=(section.link(&end.id)) { (end.outcome) }
        " " span dir="auto" { (end.status.as_deref().unwrap_or("no status")) }
    }
}

fn seen(text: &str) -> Markup {
    html! { "“" span.seen dir="auto" { (text) } "”" }
}

/// Whether it has a gap.
fn is_open(status: &StatusView) -> bool {
    status.template.iter().any(|part| matches!(part, TemplatePart::Gap(_)))
}

fn template(parts: &[TemplatePart]) -> Markup {
    let is_empty = parts.iter().all(|part| matches!(part, TemplatePart::Text(text) if text.is_empty()));
    html! {
        @for part in parts {
            @match part {
                TemplatePart::Text(text) => (text),
                TemplatePart::Gap(variable) => span.gap dir="auto" title="the value of this variable" { (variable) },
            }
        }
        @if is_empty { span.gap { "empty" } }
    }
}

fn following(section: &Section<'_>, status: &StatusView) -> Markup {
    let ends: Vec<&EndView> = status.ends.iter().filter_map(|index| section.page.orders.ends.get(*index)).collect();
    if ends.is_empty() {
        return html! { p.soft.small { "No explored order shows it." } };
    }
    if ends.len() > MAX_LISTED {
        return html! { p.small { "From here, an order can end in " (ends.len()) " ways: " (ranges(section, &status.ends)) } };
    }
    html! {
        p.small { "From here, an order can end:" }
        ul.following {
            @for end in &ends {
                li {
                    a class={ "badge " (outcome_class(end.outcome)) } href=(section.link(&end.id)) { (end.outcome) }
                    " " span.small {
                        @match &end.status {
                            Some(text) => span dir="auto" { (text) },
                            None => "no status",
                        }
                        span.soft dir="auto" { ", " (section.reason(&end.reason)) }
                    }
                }
            }
        }
    }
}
