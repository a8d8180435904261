//! A service in words: numbers, and its ends as a table, for terminals and for Markdown.

use std::fmt::Write;

use anstyle::Style;

use super::words::Words;
use crate::common::collections::HashMap;
use crate::explore::{Ending, ExploredEnd, ExploredService, Reached};
use crate::report::escape::{visible, wrap_guarded};
use crate::report::style::{BAD, BOLD, GOOD, Painter, WARNING};
use crate::text::{columns, count, fit, quote};

/// Ends of a service that are listed. More of them would hide those of other services.
const MAX_SHOWN: usize = 100;
/// Columns of an outcome with the spaces around it.
const OUTCOME_WIDTH: usize = 15;
/// Columns of a status at least, in a terminal that is wide enough for it.
const MIN_STATUS: usize = 29;
const GAP: usize = 3;
/// Minimum width of a terminal at which the reason has its own column.
const MIN_WIDTH: usize = 72;

/// Columns of a word that is cut, at least: names of methods are longer, and words of sentences shorter.
const LONG_WORD: usize = 12;
/// Columns that it keeps at least.
const MIN_WORD: usize = 6;

/// "6 ends, explored completely (41 states)".
pub fn heading(service: &ExploredService) -> String {
    let how = if service.is_complete() { "explored completely" } else { "not explored completely" };
    format!("{}, {how} ({})", count(service.ends.len(), "end"), count(service.states, "state"))
}

/// "13 of 13 activities and 6 of 6 branches can be reached".
pub fn totals(service: &ExploredService) -> String {
    let Reached { activities, activities_of, branches, branches_of, .. } = &service.reached;
    let noun = if *activities_of == 1 { "activity" } else { "activities" };
    let mut line = format!("{activities} of {activities_of} {noun}");
    if *branches_of > 0 {
        let noun = if *branches_of == 1 { "branch" } else { "branches" };
        let _ = write!(line, " and {branches} of {branches_of} {noun}");
    }
    format!("{line} {}", if service.is_complete() { "can be reached" } else { "were reached" })
}

/// An end in words. Nothing is escaped, and no secret or value of a masked variable is in it.
pub struct Row {
    pub ending: Ending,
    pub is_assumed: bool,
    pub status: Option<String>,
    pub reason: String,
}

/// All ends of a service. Ends that would read the same also show their activity.
pub fn rows(service: &ExploredService) -> Vec<Row> {
    let words = Words::of(service);
    let mut seen: HashMap<(Ending, Option<String>, String), usize> = HashMap::default();
    let mut rows: Vec<Row> = service.ends.iter().map(|end| row(service, end, &words)).collect();
    for row in &rows {
        *seen.entry(key(row)).or_default() += 1;
    }
    for (row, end) in rows.iter_mut().zip(&service.ends) {
        if seen.get(&key(row)).is_some_and(|number| *number > 1)
            && let Some(activity) = &end.activity
        {
            row.reason = format!("{} (at {})", row.reason, quote(&service.masker.apply(&activity.name)));
        }
    }
    rows
}

fn key(row: &Row) -> (Ending, Option<String>, String) {
    (row.ending, row.status.clone(), row.reason.clone())
}

fn row(service: &ExploredService, end: &ExploredEnd, words: &Words<'_>) -> Row {
    Row {
        ending: end.ending,
        is_assumed: end.assumed.is_some(),
        status: end.status.as_deref().map(|status| service.masker.apply(status).into_owned()),
        reason: words.reason(end),
    }
}

/// The table for a terminal, each line with its end.
pub fn table(service: &ExploredService, painter: Painter, width: usize) -> String {
    let mut out = String::new();
    let rows = rows(service);
    for row in rows.iter().take(MAX_SHOWN) {
        let name = row.ending.word();
        let space = OUTCOME_WIDTH - 2 - name.len();
        let _ = write!(out, "  {}{:space$}", painter.paint(style(row), name), "");
        if width < MIN_WIDTH {
            push_stacked(&mut out, row, width);
        } else {
            push_columns(&mut out, row, width);
        }
    }
    if let Some(more) = rows.len().checked_sub(MAX_SHOWN).filter(|more| *more > 0) {
        let line = format!("  … {} not shown", count(more, "more end"));
        out.push_str(&(wrap_guarded(&line, width, "    ") + "\n"));
    }
    out
}

/// Status and reason beside each other.
fn push_columns(out: &mut String, row: &Row, width: usize) {
    let status_width = MIN_STATUS.max((width - OUTCOME_WIDTH) / 3);
    let status = shown_status(row.status.as_deref(), status_width);
    let space = status_width + GAP - columns(&status);
    let indent = OUTCOME_WIDTH + status_width + GAP;
    let reason = wrap_guarded(&visible(&row.reason), width - indent, "");
    let _ = write!(out, "{status}{:space$}", "");
    push_indented(out, &reason, indent);
}

/// The reason below the status.
fn push_stacked(out: &mut String, row: &Row, width: usize) {
    let room = width - OUTCOME_WIDTH;
    out.push_str(&(shown_status(row.status.as_deref(), room) + "\n"));
    out.push_str(&" ".repeat(OUTCOME_WIDTH));
    push_indented(out, &wrap_guarded(&visible(&row.reason), room, ""), OUTCOME_WIDTH);
}

fn push_indented(out: &mut String, text: &str, indent: usize) {
    for (index, line) in text.lines().enumerate() {
        let spaces = if index == 0 { 0 } else { indent };
        let _ = writeln!(out, "{:spaces$}{line}", "");
    }
}

const fn style(row: &Row) -> Style {
    match row.ending {
        Ending::Completed => GOOD,
        Ending::Terminated | Ending::Failed => BOLD,
        Ending::Endless if !row.is_assumed => BAD,
        Ending::Endless | Ending::Waits => WARNING,
    }
}

/// The last published status, escaped, in at most `width` columns. Long statuses contain the name of a method, so the
/// longest word is cut.
fn shown_status(status: Option<&str>, width: usize) -> String {
    match status {
        None => "(nothing)".to_owned(),
        Some("") => "(empty)".to_owned(),
        Some(text) => shorten(&visible(text), width),
    }
}

fn shorten(text: &str, width: usize) -> String {
    let total = columns(text);
    if total <= width {
        return text.to_owned();
    }
    let is_inside = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_');
    let words = text.split(|character| !is_inside(character));
    // `max_by_key` takes the last of equals.
    let longest = words.rev().max_by_key(|word| columns(word)).unwrap_or_default();
    let room = (width + columns(longest)).saturating_sub(total);
    if room < MIN_WORD || columns(longest) < LONG_WORD {
        return fit(text, width).into_owned();
    }
    text.replacen(longest, &cut_word(longest, room), 1)
}

/// A word in at most `width` columns, cut where a part of it begins with a capital letter if there is one in the second
/// half.
fn cut_word(word: &str, width: usize) -> String {
    let cut = fit(word, width);
    let kept = cut.trim_end_matches('…');
    let mut last = ' ';
    let mut end = kept.len();
    let following = word.get(kept.len()..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
    for (at, character) in kept.char_indices().chain([(kept.len(), following)]) {
        if character.is_uppercase() && last.is_lowercase() && at * 2 >= kept.len() {
            end = at;
        }
        last = character;
    }
    format!("{}…", kept.get(..end).unwrap_or(kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_word_is_cut_before_a_capital_letter() {
        let status = "Request-ZPESignDocumentSignature: completed";
        for (width, shown) in [
            (43, status),
            (35, "Request-ZPESignDocument…: completed"),
            (29, "Request-ZPESign…: completed"),
            (27, "Request-ZPESign…: completed"),
            (26, "Request-ZPESig…: completed"),
            (10, "Request-Z…"),
        ] {
            assert_eq!(shown_status(Some(status), width), shown);
        }
        assert_eq!(shown_status(Some("Document status - Finished"), 25), "Document status - Finish…");
    }

    #[test]
    fn any_status_fits() {
        let long = "漢字".repeat(40);
        for text in ["", "one two three four five six seven eight", "x\u{1b}\u{202e}\n y", "ÅÄÖåäö-ÅÄÖåäöÅÄÖ ", &long]
        {
            for width in 8..40 {
                let shown = shown_status(Some(text), width);
                assert!(columns(&shown) <= width, "{shown}");
            }
        }
        assert_eq!(shown_status(None, 9), "(nothing)");
        assert_eq!(shown_status(Some(""), 9), "(empty)");
    }
}
