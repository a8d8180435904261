//! The small parts that all sections are made of.

use maud::{Markup, PreEscaped, html};

use crate::draw::outline::Part;
use crate::page::model::{Looked, Orders, ServicePage, TimelineRow};
use crate::text::count;
use crate::text::diagnostic::Severity;

/// A service, and the ids of its parts.
pub struct Section<'p> {
    pub page: &'p ServicePage,
    /// Without blanks, which would end an id in a list of ids.
    key: String,
}

impl<'p> Section<'p> {
    /// `number` is that of the service in the page.
    pub fn new(page: &'p ServicePage, number: usize) -> Self {
        let is_simple = |character: char| character.is_ascii_alphanumeric() || "-_./".contains(character);
        let key = if page.name.chars().all(is_simple) { page.name.clone() } else { format!("~{number}") };
        Self { page, key }
    }

    /// The id of a part, unique in the page: no name of a service has two slashes in a row, and those of the page begin
    /// with `~`.
    pub fn id(&self, part: &str) -> String {
        format!("{}//{part}", self.key)
    }

    pub fn link(&self, part: &str) -> String {
        format!("#{}", self.id(part))
    }

    /// A name that leads to the panel of its activity.
    pub fn activity(&self, (pointer, name): &(String, String)) -> Markup {
        let name = if name.is_empty() { pointer } else { name };
        html! { a.name dir="auto" href=(self.activity_link(pointer)) data-activity=(pointer) { (name) } }
    }

    pub fn activity_link(&self, pointer: &str) -> String {
        self.link(pointer.trim_start_matches('/'))
    }

    pub fn activity_id(&self, pointer: &str) -> String {
        self.id(pointer.trim_start_matches('/'))
    }

    /// What leads to an end; the assumption that it rests on leads to the list of them.
    pub fn reason(&self, text: &str) -> Markup {
        let Some((before, assumption)) = text.split_once(" (assumes ").filter(|_| self.has_assumptions()) else {
            return prose(text);
        };
        let (number, after) = assumption.split_once(')').unwrap_or((assumption, ""));
        html! {
            (prose(before)) " (" a href=(self.link("assumptions")) { "assumes " (number) } ")" (prose(after))
        }
    }

    fn has_assumptions(&self) -> bool {
        !self.page.orders.assumptions.is_empty()
    }

    /// A part with its heading, which says what is asked.
    pub fn part(&self, part: &str, heading: &str, body: &Markup) -> Markup {
        html! {
            section.part data-part=(part) {
                h3 id=(self.id(part)) { (heading) }
                (body)
            }
        }
    }
}

/// A name of the documents.
pub fn name(text: &str) -> Markup {
    html! { code.name dir="auto" { (text) } }
}

/// Names, with commas.
pub fn names<S: AsRef<str>>(texts: &[S]) -> Markup {
    separated(texts.iter().map(|text| name(text.as_ref())))
}

pub fn separated(items: impl Iterator<Item = Markup>) -> Markup {
    html! { @for (index, item) in items.enumerate() { @if index > 0 { ", " } (item) } }
}

/// A literal of the documents.
pub fn value(text: &str) -> Markup {
    html! { "“" span.value dir="auto" { (text) } "”" }
}

/// A text with names of the documents in backticks.
pub fn prose(text: &str) -> Markup {
    let mut rest = text;
    let mut markup = String::new();
    while let Some((before, quoted, after)) = next_name(rest) {
        markup.push_str(&html! { (before) (name(quoted)) }.0);
        rest = after;
    }
    markup.push_str(&html! { (rest) }.0);
    PreEscaped(markup)
}

fn next_name(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('`')?;
    let (quoted, after) = rest.split_once('`')?;
    Some((before, quoted, after))
}

/// A sentence of an outline.
pub fn sentence(parts: &[Part]) -> Markup {
    html! {
        @for part in parts {
            @match part {
                Part::Text(words) => (words),
                Part::Name(text) => (name(text)),
                Part::Value(text) => (value(text)),
            }
        }
    }
}

/// A shape and a word, in a color.
pub fn badge(class: &str, words: &str) -> Markup {
    html! { span class={ "badge " (class) } { (words) } }
}

/// The class of the badge of an end or a run.
pub fn outcome_class(outcome: &str) -> &'static str {
    match outcome {
        "completed" => "good",
        "terminated" => "plain",
        "waits" => "open",
        _ => "error",
    }
}

pub fn outcome(word: &str) -> Markup {
    badge(outcome_class(word), word)
}

/// "1 error", "2 warnings", or "none".
pub fn findings(severities: &[Severity]) -> Markup {
    let number = |wanted: Severity| severities.iter().filter(|it| **it == wanted).count();
    let words = |severity: Severity, number: usize| match severity {
        Severity::Info => format!("{number} info"),
        _ => count(number, severity.word()),
    };
    let all = [Severity::Error, Severity::Warning, Severity::Info].map(|severity| (severity, number(severity)));
    html! {
        @for (severity, number) in all.iter().filter(|(_, number)| *number > 0) {
            (badge(severity.word(), &words(*severity, *number))) " "
        }
        @if all.iter().all(|(_, number)| *number == 0) { (badge("good", "none")) }
    }
}

/// What keeps a result from being complete.
pub fn left_out(looked: &Looked) -> Option<String> {
    match looked {
        Looked::Completely => None,
        Looked::LeftOut(why) => Some((*why).to_owned()),
        Looked::Failed(why) => Some(format!("not explored: {why}")),
        Looked::Partly(why) => Some(format!("only a part was explored: {why}")),
    }
}

/// In how many ways orders can end, as far as it is known.
pub fn ways<'o>(all: &(impl Iterator<Item = &'o Orders> + Clone)) -> String {
    let number: usize = all.clone().map(|orders| orders.ends.len()).sum();
    let ways = count(number, "way");
    let is_part = |orders: &Orders| matches!(orders.looked, Looked::Partly(_));
    if all.clone().any(|orders| orders.has_more_ends) {
        format!("more than {ways}")
    } else if number > 0 && all.clone().any(is_part) {
        format!("at least {ways}")
    } else {
        ways
    }
}

/// When something happens, from how long after the submission it does.
pub fn after(elapsed: &str) -> String {
    if elapsed.is_empty() || elapsed == "0s" { "at once".to_owned() } else { format!("after {elapsed}") }
}

/// Where the script puts the button that plays a run.
pub fn play_host(run: &str) -> Markup {
    html! { span.play data-play-host=(run) {} }
}

/// When, where and what.
pub fn timeline(rows: &[TimelineRow]) -> Markup {
    html! {
        ol.timeline {
            @for row in rows {
                li {
                    span.at { (row.at) }
                    span {
                        @if !row.activity.is_empty() { b dir="auto" { (row.activity) } ": " }
                        span dir="auto" { (prose(&row.text)) }
                    }
                }
            }
        }
    }
}

/// What stands in the place of an empty list.
pub fn nothing(sentence: &str) -> Markup {
    html! { p.soft { (sentence) } }
}

/// How much of a whole, as a picture of the number beside it.
pub fn bar((part, whole): (usize, usize)) -> Markup {
    let width = (part * 100).checked_div(whole).unwrap_or(0);
    html! {
        svg.bar viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
            rect.bar-all width="100" height="10" {}
            rect.bar-part width=(width) height="10" {}
        }
    }
}
