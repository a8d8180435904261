//! The report for people: a timeline of what changed, was published and mailed, then how the order
//! ended and what was expected instead.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style as Paint};

use super::timeline;
use super::words::Told;
use crate::diagnostic::{Diagnostic, Severity};
use crate::report::{Report, human, visible};
use crate::simulate::{Check, Stop, show_duration};

/// Colours, or none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink(pub bool);

impl Ink {
    pub const GOOD: Paint = Paint::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Green)));
    pub const BAD: Paint = Paint::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red)));
    pub const WARN: Paint = Paint::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));
    pub const DIM: Paint = Paint::new().dimmed();
    pub const BOLD: Paint = Paint::new().bold();

    /// A text in a colour.
    pub fn paint(self, paint: Paint, text: &str) -> String {
        if self.0 { format!("{paint}{text}{paint:#}") } else { text.to_owned() }
    }
}

/// One run.
pub(super) fn scenario(report: &Report<'_>, told: &Told<'_, '_>, checks: &[Check]) -> String {
    let ink = Ink(report.style.color);
    let passed = checks.iter().all(|check| check.passed);
    let mut out = String::new();
    let file = visible(report.file_name(told.plan.scenario_file));
    let mark = if passed { ink.paint(Ink::GOOD, "✓") } else { ink.paint(Ink::BAD, "✗") };
    let name = told.plan.scenario.name.as_deref().map(|name| told.mask(name));
    let name = name.as_deref().map_or_else(String::new, |name| format!(": {}", ink.paint(Ink::BOLD, &visible(name))));
    let _ = writeln!(out, "{mark} {file}{name}");
    if passed && report.style.quiet {
        return String::new();
    }
    timeline::write(told, ink, &mut out);
    ending(report, told, ink, &mut out);
    for check in checks {
        expectation(told, ink, check, &mut out);
    }
    for warning in &told.ended.record.unused {
        let _ = writeln!(out, "  {} {}", ink.paint(Ink::WARN, "warning:"), visible(&told.mask(warning)));
    }
    out.push('\n');
    out
}

/// How it ended, and where it failed.
fn ending(report: &Report<'_>, told: &Told<'_, '_>, ink: Ink, out: &mut String) {
    let ended = told.ended;
    let paint = match ended.stop {
        None | Some(Stop::Terminated) => Ink::BOLD,
        Some(_) => Ink::BAD,
    };
    let word = ink.paint(paint, ended.outcome().word());
    let after =
        if ended.elapsed.is_zero() { "at once".to_owned() } else { format!("after {}", show_duration(ended.elapsed)) };
    let steps = human::count(usize::try_from(ended.steps).unwrap_or(usize::MAX), "step");
    let _ = writeln!(out, "  {word} {after}, in {steps}");
    let Some(failure) = ended.failure() else { return };
    let Some(location) = &failure.location else {
        let _ = writeln!(out, "  {}", visible(&told.failure(&failure.message)));
        return;
    };
    // The document itself may hold a masked value, in whatever escapes, and the excerpt part of it.
    let holds_secrets = report.source(location.file).is_none_or(|source| told.masker.finds(&source.text))
        || told.plan.presets_masked_variable();
    if holds_secrets {
        let (start, _) = report.range(location.file, location.span);
        let file = visible(report.file_name(location.file)).into_owned();
        let _ = writeln!(out, "    × {}", visible(&told.failure(&failure.message)));
        let _ = writeln!(out, "      at {file}:{}:{}", start.line, start.column);
        return;
    }
    let diagnostic = Diagnostic {
        code: ended.outcome().word(),
        name: "",
        severity: Severity::Error,
        message: told.failure(&failure.message),
        location: location.clone(),
        activity: None,
        help: None,
        related: Vec::new(),
        fix: None,
    };
    let drawn = human::draw_place(report, &diagnostic).unwrap_or_else(|_| diagnostic.message.clone());
    for line in drawn.lines() {
        let _ = writeln!(out, "{}", format!("  {line}").trim_end());
    }
}

fn expectation(told: &Told<'_, '_>, ink: Ink, check: &Check, out: &mut String) {
    let shown = |text: &str| visible(&told.checked(check, text)).into_owned();
    let what = visible(&told.mask(&check.what)).into_owned();
    if check.passed {
        let _ = writeln!(out, "  {} {what}: {}", ink.paint(Ink::GOOD, "✓"), shown(&check.expected));
        return;
    }
    let _ = writeln!(out, "  {} {what}: expected {}", ink.paint(Ink::BAD, "✗"), shown(&check.expected));
    let _ = writeln!(out, "    {:>width$} but saw {}", "", shown(&check.actual), width = what.chars().count());
}
