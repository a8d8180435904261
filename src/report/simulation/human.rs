//! The report for terminals: a timeline of what changed, was published and mailed, then how the run
//! ended and which expectations failed.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::results::SimulationResults;
use super::run_text::RunText;
use super::{coverage, mutants, timeline};
use crate::report::escape::{visible, wrap_guarded};
use crate::report::human::draw_place;
use crate::report::results::{Report, Results};
use crate::report::style::{BAD, BOLD, GOOD, Painter, Style, WARNING};
use crate::simulate::{Check, Stop, show_duration};
use crate::text::diagnostic::{Diagnostic, Location, Severity};
use crate::text::{columns, count};

/// What comes after all runs.
pub(super) fn end(results: &SimulationResults<'_>, out: &mut dyn Write) -> io::Result<()> {
    let report = &results.report;
    if let Some(mutants) = results.mutants.flatten() {
        mutants::write_human(report, mutants, out)?;
    }
    if report.style.quiet {
        return Ok(());
    }
    coverage::write(report, &results.summary.coverage, out)?;
    results.summary().iter().try_for_each(|line| writeln!(out, "{}", wrap_guarded(line, report.style.width, "")))
}

/// One run, maybe in one line; nothing for one that passed when only failures are wanted.
pub(super) fn scenario(report: &Report<'_>, text: &RunText<'_>, is_line: bool) -> String {
    let run = text.run;
    let passed = run.passed();
    if passed && report.style.quiet {
        return String::new();
    }
    let painter = report.style.painter();
    let mut out = String::new();
    let file = visible(report.file_name(run.plan.scenario_file));
    let mark = if passed { painter.paint(GOOD, "✓") } else { painter.paint(BAD, "✗") };
    let name = run.plan.scenario.name.as_deref().map(|name| text.mask(name));
    let name = name.as_deref().map_or_else(String::new, |name| format!(": {}", painter.paint(BOLD, &visible(name))));
    let width = report.style.width;
    let mut line = format!("{mark} {file}{name}");
    if is_line {
        let whole = format!("{line}, {}", ending(text, painter));
        line = if wrap_guarded(&whole, width, "").contains('\n') { line } else { whole };
    }
    write_line(&mut out, &line, width, "    ");
    if !is_line {
        timeline::write(text, painter, width, &mut out);
        write_ending(report, text, painter, &mut out);
        for check in &run.checks {
            write_check(text, painter, check, width, &mut out);
        }
    }
    for warning in &run.ended.record.unused {
        let line = format!("  {} {}", painter.paint(WARNING, "warning:"), visible(&text.mask(warning)));
        write_line(&mut out, &line, width, "    ");
    }
    if !is_line {
        out.push('\n');
    }
    out
}

/// "completed after 1d2h".
fn ending(text: &RunText<'_>, painter: Painter) -> String {
    let ended = &text.run.ended;
    let style = match ended.stop {
        None | Some(Stop::Terminated) => BOLD,
        Some(_) => BAD,
    };
    format!("{} after {}", painter.paint(style, ended.outcome().word()), show_duration(ended.elapsed))
}

/// Writes a line, broken to the width; the lines after the first begin with `indent`.
fn write_line(out: &mut String, line: &str, width: usize, indent: &str) {
    let _ = writeln!(out, "{}", wrap_guarded(line, width, indent));
}

/// How the run ended, and where it failed.
fn write_ending(report: &Report<'_>, text: &RunText<'_>, painter: Painter, out: &mut String) {
    let ended = &text.run.ended;
    let steps = count(ended.steps, "step");
    let width = report.style.width;
    write_line(out, &format!("  {}, in {steps}", ending(text, painter)), width, "    ");
    let assumptions: Vec<String> = ended.record.assumptions.iter().map(|assumption| assumption.to_string()).collect();
    if let Some(first) = assumptions.first() {
        let line = format!("  assumes {} (wflint explain {first})", assumptions.join(", "));
        write_line(out, &line, width, "    ");
    }
    let Some(failure) = ended.failure() else { return };
    let message = text.failure(&failure.message);
    match &failure.location {
        None => {
            write_line(out, &format!("  {}", visible(&message)), width, "    ");
        }
        Some(location) if may_show_masked_value(report, text, location) => {
            write_line(out, &format!("    × {}", visible(&message)), width, "      ");
            write_line(out, &format!("      at {}", visible(&report.place(location))), width, "      ");
        }
        Some(location) => write_excerpt(report, text, message, location.clone(), out),
    }
}

/// Whether an excerpt could show a secret or a masked value. The document may hold one in escapes that no search
/// finds, so a preset value of a masked variable is enough.
fn may_show_masked_value(report: &Report<'_>, text: &RunText<'_>, location: &Location) -> bool {
    report.source(location.file).is_none_or(|source| text.run.masker.finds(&source.text))
        || text.run.plan.presets_masked_variable()
        || !text.run.plan.secrets.is_empty()
}

fn write_excerpt(report: &Report<'_>, text: &RunText<'_>, message: String, location: Location, out: &mut String) {
    let diagnostic = Diagnostic::new(text.run.ended.outcome().word(), "", Severity::Error, message, location);
    let style = Style { width: report.style.width.saturating_sub(2), ..report.style };
    let drawn = draw_place(&Report { style, ..*report }, &diagnostic).unwrap_or_else(|_| diagnostic.message.clone());
    for line in drawn.lines() {
        let _ = writeln!(out, "{}", format!("  {line}").trim_end());
    }
}

fn write_check(text: &RunText<'_>, painter: Painter, check: &Check, width: usize, out: &mut String) {
    let shown = |value: &str| {
        if value.is_empty() { "(empty)".to_owned() } else { visible(&text.checked(check, value)).into_owned() }
    };
    let what = visible(&text.mask(&check.what)).into_owned();
    if check.passed {
        write_line(out, &format!("  {} {what}: {}", painter.paint(GOOD, "✓"), shown(&check.expected)), width, "    ");
        return;
    }
    let line = format!("  {} {what}: expected {}", painter.paint(BAD, "✗"), shown(&check.expected));
    write_line(out, &line, width, "      ");
    // Aligned with the expected value, as far as there is room.
    let indent = columns(&what).min(width / 2);
    write_line(out, &format!("    {:indent$}  found    {}", "", shown(&check.actual)), width, "      ");
    if text.differs_where_hidden(check) {
        let note = "both differ only in the part that is hidden";
        write_line(out, &format!("    {:indent$}  {note}", ""), width, "      ");
    }
}
