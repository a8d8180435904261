//! Who is asked, who gets mail, and where data go.

use maud::{Markup, html};

use super::parts::{Section, badge, name, nothing, prose, separated};
use crate::page::model::{UnknownView, VariableView};
use crate::text::list as list_words;

/// Approvers, signers and mails.
pub fn people(section: &Section<'_>) -> Markup {
    let body = html! {
        h4 { "Who approves or signs" }
        (asked(section))
        h4 { "Who gets which mail, and when" }
        (mails(section))
        (unknown(section))
    };
    section.part("people", "Who is asked, and who gets mail", &body)
}

fn asked(section: &Section<'_>) -> Markup {
    if section.page.people.is_empty() {
        return none(section, "Nobody is asked.", "No step is known to ask somebody.");
    }
    let rows = section.page.people.iter().map(|person| {
        [
            html! { span dir="auto" { (prose(&person.who)) } },
            html! { (person.does) },
            html! { span dir="auto" { (prose(&person.when)) } },
            section.activity(&person.activity),
        ]
    });
    table("People who are asked", ["Who", "Does what", "When", "Asked by"], rows)
}

/// That there are none, or that it is not known.
fn none(section: &Section<'_>, certain: &str, known: &str) -> Markup {
    nothing(if section.page.unknown.is_empty() { certain } else { known })
}

/// The activities that may do either.
fn unknown(section: &Section<'_>) -> Markup {
    let given = |item: &UnknownView| {
        if item.given.is_empty() { String::new() } else { format!("; it is given {}", list_words(&item.given, "and")) }
    };
    html! {
        @if !section.page.unknown.is_empty() {
            h4 { "Not known" }
            ul data-unknown {
                @for item in &section.page.unknown {
                    li {
                        "Not known: " (section.activity(&item.activity)) " (" span dir="auto" { (item.word) } ")"
                        " may send a mail or ask somebody" (prose(&given(item)))
                    }
                }
            }
        }
    }
}

fn mails(section: &Section<'_>) -> Markup {
    if section.page.mails.is_empty() {
        return none(section, "Nobody gets a mail.", "No step is known to send a mail.");
    }
    let rows = section.page.mails.iter().map(|mail| {
        [
            html! { span dir="auto" { (prose(&mail.to)) } },
            html! { span dir="auto" { (prose(&mail.subject)) } },
            html! { span dir="auto" { (prose(&mail.when)) } },
            section.activity(&mail.activity),
        ]
    });
    table("Mails", ["To", "Subject", "When", "Sent by"], rows)
}

fn table<const N: usize>(caption: &str, columns: [&'static str; N], rows: impl Iterator<Item = [Markup; N]>) -> Markup {
    html! {
        table.stack {
            caption.vh { (caption) }
            thead { tr { @for column in columns { th scope="col" { (column) } } } }
            tbody {
                @for row in rows {
                    tr { @for (column, cell) in columns.iter().zip(row) { td data-label=(column) { (cell) } } }
                }
            }
        }
    }
}

/// Variables, those with personal data first.
pub fn data(section: &Section<'_>) -> Markup {
    let (personal, other): (Vec<_>, Vec<_>) = section.page.variables.iter().partition(|it| it.personal.is_some());
    let body = html! {
        h4 { "Personal data" }
        @if personal.is_empty() { (nothing("No variable is known to hold personal data.")) }
        (variables("Variables with personal data", &personal))
        h4 { "Other data" }
        @if other.is_empty() { (nothing("There are no other variables.")) }
        (variables("Other variables", &other))
    };
    section.part("data", "Which data it takes, where they go, and who sees them", &body)
}

fn variables(caption: &str, variables: &[&VariableView]) -> Markup {
    if variables.is_empty() {
        return html! {};
    }
    let columns = ["Variable", "Filled by", "Read by", "Sent to", "Seen by"];
    html! {
        table.stack {
            caption.vh { (caption) }
            thead { tr { @for column in columns { th scope="col" { (column) } } } }
            tbody { @for variable in variables { (variable_row(variable)) } }
        }
    }
}

fn variable_row(variable: &VariableView) -> Markup {
    html! {
        tr data-variable=(variable.name) {
            th scope="row" {
                (name(&variable.name)) " "
                span.soft.small { (variable.type_name) }
                @if let Some(why) = variable.personal { " " (badge("warning", why)) }
                @if variable.is_masked { " " (badge("plain", "masked")) }
            }
            td data-label="Filled by" { (list(&variable.filled_by, "nothing")) }
            td data-label="Read by" { (list(&variable.read_by, "nothing")) }
            td data-label="Sent to" { (list(&variable.sent_to, "nothing")) }
            td data-label="Seen by" { (list(&variable.seen_by, "nobody known")) }
        }
    }
}

fn list(items: &[String], none: &str) -> Markup {
    html! {
        @if items.is_empty() { span.soft { (none) } }
        (separated(items.iter().map(|item| html! { span dir="auto" { (prose(item)) } })))
    }
}
