//! The ends of a service as a table, for terminals and for Markdown.

use std::fmt::Write;

use anstyle::Style;

use super::status::shown_status;
use super::words::Words;
use crate::collections::HashMap;
use crate::explore::{Ending, ExploredEnd, ExploredService};
use crate::report::escape::{visible, wrap_guarded};
use crate::report::palette::{BAD, BOLD, GOOD, Painter, WARNING};
use crate::text::{columns, count, quote};

/// Ends of a service that are listed. More of them would hide those of other services.
const MAX_SHOWN: usize = 100;
/// Columns of an outcome with the spaces around it.
const OUTCOME_WIDTH: usize = 15;
/// Columns of a status at least, in a terminal that is wide enough for it.
const MIN_STATUS: usize = 29;
const GAP: usize = 3;
/// Minimum width of a terminal at which the reason has its own column.
const MIN_WIDTH: usize = 72;

/// An end in words. Nothing is escaped, and no value of a masked variable is in it.
pub(super) struct Row {
    pub ending: Ending,
    pub is_assumed: bool,
    pub status: Option<String>,
    pub reason: String,
}

/// All ends of a service. Ends that would read the same also show their activity.
pub(super) fn rows(service: &ExploredService) -> Vec<Row> {
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
            row.reason = format!("{} (at {})", row.reason, quote(&activity.name));
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
        is_assumed: end.is_assumed,
        status: end.status.as_deref().map(|status| service.masker.apply(status).into_owned()),
        reason: words.reason(end),
    }
}

/// The table for a terminal, each line with its end.
pub(super) fn table(service: &ExploredService, painter: Painter, width: usize) -> String {
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
