//! The answers in short, each with a link to the whole one.

use maud::{Markup, html};

use super::parts::{Section, badge, bar, findings, left_out, name, prose, separated, ways};
use crate::page::model::{Changes, EndView, LawView, Looked, Orders, Scenarios, ServicePage};
use crate::text::diagnostic::Severity;
use crate::text::{count, list};

/// Names that are shown of a long list.
const MAX_SHOWN: usize = 6;
/// Causes of endless orders that are shown.
const MAX_CAUSES: usize = 3;

/// Whether an order can stay open forever.
pub enum Hang<'p> {
    /// Nothing ends it: what leads there, each once, unless an order is like this by itself. It may wait as well.
    Endless(Vec<&'p str>, Option<Waits<'p>>),
    Waits(Waits<'p>),
    No,
    /// What was explored ends.
    NotInPart,
    Unknown(String),
}

/// How an order can wait forever.
pub struct Waits<'p> {
    /// Those who may never act.
    people: Vec<&'p str>,
    /// What leads there where it is nobody, each once.
    causes: Vec<&'p str>,
}

impl<'p> Waits<'p> {
    /// `None` if no order waits.
    fn of(orders: &'p Orders) -> Option<Self> {
        let ends = || orders.ends.iter().filter(|end| end.outcome == "waits");
        let mut people: Vec<&str> = ends().flat_map(|end| &end.waits_for).map(String::as_str).collect();
        people.sort_unstable();
        people.dedup();
        let mut causes: Vec<&str> = Vec::new();
        for end in ends().filter(|end| end.waits_for.is_empty()) {
            if !causes.contains(&end.reason.as_str()) {
                causes.push(&end.reason);
            }
        }
        ends().next().map(|_| Self { people, causes })
    }

    fn short(&self) -> Markup {
        badge("open", if self.people.is_empty() { "can wait forever" } else { "waits for people" })
    }

    fn long(&self, section: &Section<'_>) -> Markup {
        html! {
            @if !self.people.is_empty() { "it waits forever without an answer from " (prose(&list(&self.people, "or"))) }
            @if !self.people.is_empty() && !self.causes.is_empty() { "; " }
            @if !self.causes.is_empty() { "it can wait: " (causes(section, &self.causes)) }
        }
    }
}

/// The first of them, and how many more.
fn causes(section: &Section<'_>, causes: &[&str]) -> Markup {
    html! {
        (or(causes.iter().take(MAX_CAUSES).map(|cause| section.reason(cause))))
        @if causes.len() > MAX_CAUSES { ", or in " (causes.len() - MAX_CAUSES) " more ways" }
    }
}

impl<'p> Hang<'p> {
    pub fn of(orders: &'p Orders) -> Self {
        let ends = |outcome: &'static str| orders.ends.iter().filter(move |end| end.outcome == outcome);
        if ends("endless").next().is_some() {
            return Self::Endless(endless_after(ends("endless")), Waits::of(orders));
        }
        if let Some(waits) = Waits::of(orders) {
            return Self::Waits(waits);
        }
        match &orders.looked {
            Looked::Completely => Self::No,
            Looked::Partly(_) => Self::NotInPart,
            looked => Self::Unknown(left_out(looked).unwrap_or_default()),
        }
    }

    pub const fn is_certain(&self) -> bool {
        matches!(self, Self::Endless(..) | Self::Waits(_))
    }

    /// The worst is the greatest.
    pub const fn rank(&self) -> u8 {
        match self {
            Self::Endless(..) => 4,
            Self::Waits(_) => 3,
            Self::Unknown(_) => 2,
            Self::NotInPart => 1,
            Self::No => 0,
        }
    }

    /// In a badge.
    pub fn short(&self) -> Markup {
        match self {
            Self::Endless(after, waits) => html! {
                (badge("error", if after.is_empty() { "yes, by itself" } else { "yes, in some cases" }))
                @if let Some(waits) = waits { " " (waits.short()) }
            },
            Self::Waits(waits) => waits.short(),
            Self::No => badge("good", "no"),
            Self::NotInPart => badge("plain", "not in the part explored"),
            Self::Unknown(why) => html! { span.soft { (prose(why)) } },
        }
    }

    /// In a sentence.
    fn long(&self, section: &Section<'_>) -> Markup {
        match self {
            Self::Endless(after, waits) => html! {
                (badge("error", "yes")) " an order never ends"
                @if after.is_empty() { ", whatever people do" } @else { " after this: " (causes(section, after)) }
                @if let Some(waits) = waits { "; and " (waits.long(section)) }
            },
            Self::Waits(waits) => html! { (badge("open", "yes")) " " (waits.long(section)) },
            Self::No => html! { (badge("good", "no")) " every order ends" },
            Self::NotInPart => html! { (badge("plain", "not found")) " in the part that was explored" },
            Self::Unknown(why) => html! { span.soft { (prose(why)) } },
        }
    }
}

/// On which assumptions this answer rests.
fn hang_assumptions(section: &Section<'_>) -> Markup {
    let numbers = &section.page.orders.hang_assumptions;
    let link = |number: &String| html! { a href=(section.link("assumptions")) { (number) } };
    html! { @if !numbers.is_empty() { span.soft.small { " (rests on " (separated(numbers.iter().map(link))) ")" } } }
}

/// What leads to each endless end, each once; nothing if one of them needs no choice.
fn endless_after<'p>(ends: impl Iterator<Item = &'p EndView>) -> Vec<&'p str> {
    let mut causes: Vec<&str> = Vec::new();
    for end in ends {
        if end.reason.starts_with("as usual") {
            return Vec::new();
        }
        if !causes.contains(&end.reason.as_str()) {
            causes.push(&end.reason);
        }
    }
    causes
}

fn or(items: impl Iterator<Item = Markup>) -> Markup {
    html! { @for (index, item) in items.enumerate() { @if index > 0 { "; or " } span dir="auto" { (item) } } }
}

/// The answers in short.
pub fn glance(section: &Section<'_>) -> Markup {
    let page = section.page;
    let severities: Vec<Severity> = page.findings.iter().map(|finding| finding.severity).collect();
    let mut answers = vec![
        ("What does it ask for?", "forms", asks_for(page)),
        ("Who is asked?", "people", people(page)),
        ("How can an order end?", "ends", ends(&page.orders)),
        ("Can it hang?", "ends", html! { (Hang::of(&page.orders).long(section)) (hang_assumptions(section)) }),
        ("What is wrong?", "findings", findings(&severities)),
        ("Is it tested?", "scenarios", tested(&page.scenarios)),
        ("Which personal data?", "data", personal(page)),
        ("Which policies hold?", "laws", laws(&page.laws)),
    ];
    if let Some(changes) = &page.changes {
        answers.push(("What changed?", "changes", html! { (changed(changes)) }));
    }
    html! {
        section data-part="glance" {
            h3.vh id=(section.id("glance")) { "At a glance" }
            dl.glance {
                @for (question, part, answer) in answers {
                    div {
                        dt { a href=(section.link(part)) { (question) } }
                        dd { (answer) }
                    }
                }
            }
        }
    }
}

fn asks_for(page: &ServicePage) -> Markup {
    let forms = page.forms.iter().filter(|form| form.kind == "Order form");
    let labels: Vec<&str> = forms
        .flat_map(|form| &form.sections)
        .flat_map(|section| &section.fields)
        .filter(|field| field.is_asked)
        .map(|field| if field.label.is_empty() { "a field without a label" } else { &field.label })
        .collect();
    if labels.is_empty() {
        return html! { "nothing" };
    }
    some(&labels, |label| html! { span dir="auto" { (label) } })
}

fn people(page: &ServicePage) -> Markup {
    let mut people: Vec<String> = Vec::new();
    for person in &page.people {
        let words = format!("{} {}", person.who, person.does);
        if !people.contains(&words) {
            people.push(words);
        }
    }
    let unknown = page.unknown.len();
    html! {
        (some(&people, |words| html! { span dir="auto" { (prose(words)) } }))
        @match (people.is_empty(), unknown) {
            (_, 0) => @if people.is_empty() { "nobody" },
            (true, _) => { "not known: " (count(unknown, "step")) " may ask somebody" },
            (false, _) => { "; not known: " (count(unknown, "other step")) " may ask somebody" },
        }
    }
}

/// The first of them, and how many more.
fn some<S: AsRef<str>>(items: &[S], show: impl Fn(&str) -> Markup) -> Markup {
    let more = items.len().saturating_sub(MAX_SHOWN);
    html! {
        (separated(items.iter().take(MAX_SHOWN).map(|item| show(item.as_ref()))))
        @if more > 0 { " and " (more) " more" }
    }
}

fn ends(orders: &Orders) -> Markup {
    if orders.ends.is_empty() {
        let why = left_out(&orders.looked).unwrap_or_else(|| "no end was found".to_owned());
        return html! { span.soft { (prose(&why)) } };
    }
    let number = |outcome: &str| orders.ends.iter().filter(|end: &&EndView| end.outcome == outcome).count();
    let kinds = ["completed", "terminated", "failed", "waits", "endless"].map(|outcome| (outcome, number(outcome)));
    html! {
        "in " (ways(&[orders].into_iter())) ": "
        (separated(kinds.into_iter().filter(|(_, number)| *number > 0).map(|(outcome, number)| {
            html! { (number) " " (outcome) }
        })))
        @if number("completed") + number("terminated") == 0 { " " (badge("error", "none as planned")) }
        @if orders.looked != Looked::Completely { " (only a part was explored)" }
    }
}

/// How much changed.
pub fn changed(changes: &Changes) -> String {
    let effects = format!("{} of what orders can do", count(changes.effects, "change"));
    match (changes.number, changes.effects) {
        (0, 0) => "nothing".to_owned(),
        (number, 0) => count(number, "change"),
        (0, _) => effects,
        (number, _) => format!("{}, and {effects}", count(number, "change")),
    }
}

/// How many pass.
pub fn scenarios(scenarios: &Scenarios) -> Markup {
    let (ran, not_run) = (scenarios.scenarios.len(), scenarios.not_run.len());
    let all = ran + not_run;
    let passed = scenarios.scenarios.iter().filter(|scenario| scenario.passed).count();
    let not_run = if not_run == 0 { String::new() } else { format!(", {not_run} could not be run") };
    match all {
        0 => html! { span.soft { @if scenarios.left_out { "left out" } @else { "none" } } },
        _ if passed == all => badge("good", &format!("{passed} of {all} pass")),
        _ if passed == ran => badge("error", &format!("{passed} of {all} pass{not_run}")),
        _ => badge("error", &format!("{} of {all} fail{not_run}", ran - passed)),
    }
}

fn tested(all: &Scenarios) -> Markup {
    html! {
        (scenarios(all))
        @if let Some(coverage) = &all.coverage {
            " they cover " (coverage.activities.0) " of " (coverage.activities.1) " activities"
            " and " (coverage.branches.0) " of " (coverage.branches.1) " branches "
            (bar((coverage.activities.0 + coverage.branches.0, coverage.activities.1 + coverage.branches.1)))
        }
    }
}

fn personal(page: &ServicePage) -> Markup {
    let personal = page.variables.iter().filter(|it| it.personal.is_some());
    let personal: Vec<&str> = personal.map(|it| it.label.as_deref().unwrap_or(&it.name)).collect();
    if personal.is_empty() {
        html! { "none found" }
    } else {
        some(&personal, name)
    }
}

/// How many hold.
pub fn laws(laws: &[LawView]) -> Markup {
    let number = |holds: &str| laws.iter().filter(|law| law.holds == holds && law.unseen.is_empty()).count();
    let in_part = laws.iter().filter(|law| !law.unseen.is_empty()).count();
    let kinds = [("false", "error", "broken"), ("unknown", "plain", "unknown"), ("accepted", "warning", "accepted")];
    html! {
        @for (holds, class, word) in kinds {
            @if number(holds) > 0 { (badge(class, &format!("{} {word}", number(holds)))) " " }
        }
        @if in_part > 0 { (badge("plain", &format!("{in_part} in part"))) " " }
        @match number("true") {
            0 if laws.is_empty() => span.soft { "none" },
            0 => {},
            1 => (badge("good", "1 holds")),
            many => (badge("good", &format!("{many} hold"))),
        }
    }
}
