//! The report for terminals: a timeline of what changed, was published and mailed, then how the run
//! ended and which expectations failed.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::palette::{BAD, BOLD, GOOD, Painter, WARNING};
use super::run_text::{MAX_BRIEF_VALUE_LEN, RunText};
use super::summary::summary_line;
use super::{coverage, timeline};
use crate::diagnostic::{Diagnostic, Location, Severity};
use crate::report::escape::visible;
use crate::report::findings::Report;
use crate::report::human::draw_place;
use crate::simulate::{Check, FinishedScenario, ScenarioSink, SessionSummary, Stop, show_duration};
use crate::text::count;

pub(super) struct HumanSink<'w> {
    report: Report<'w>,
    out: &'w mut dyn Write,
}

impl<'w> HumanSink<'w> {
    pub fn new(report: Report<'w>, out: &'w mut dyn Write) -> Self {
        Self { report, out }
    }
}

impl ScenarioSink for HumanSink<'_> {
    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        let text = RunText::new(finished, MAX_BRIEF_VALUE_LEN);
        self.out.write_all(scenario(&self.report, &text).as_bytes())
    }

    fn end(&mut self, summary: &SessionSummary<'_>) -> io::Result<()> {
        if self.report.style.quiet {
            return Ok(());
        }
        coverage::write(&self.report, &summary.coverage, self.out)?;
        writeln!(self.out, "{}", summary_line(summary))
    }
}

/// One run; nothing for one that passed when only failures are wanted.
fn scenario(report: &Report<'_>, text: &RunText<'_>) -> String {
    let run = text.run;
    let passed = run.passed();
    if passed && report.style.quiet {
        return String::new();
    }
    let painter = Painter { color: report.style.color };
    let mut out = String::new();
    let file = visible(report.file_name(run.plan.scenario_file));
    let mark = if passed { painter.paint(GOOD, "✓") } else { painter.paint(BAD, "✗") };
    let name = run.plan.scenario.name.as_deref().map(|name| text.mask(name));
    let name = name.as_deref().map_or_else(String::new, |name| format!(": {}", painter.paint(BOLD, &visible(name))));
    let _ = writeln!(out, "{mark} {file}{name}");
    timeline::write(text, painter, &mut out);
    write_ending(report, text, painter, &mut out);
    for check in &run.checks {
        write_check(text, painter, check, &mut out);
    }
    for warning in &run.ended.record.unused {
        let _ = writeln!(out, "  {} {}", painter.paint(WARNING, "warning:"), visible(&text.mask(warning)));
    }
    out.push('\n');
    out
}

/// How the run ended, and where it failed.
fn write_ending(report: &Report<'_>, text: &RunText<'_>, painter: Painter, out: &mut String) {
    let ended = &text.run.ended;
    let style = match ended.stop {
        None | Some(Stop::Terminated) => BOLD,
        Some(_) => BAD,
    };
    let outcome = painter.paint(style, ended.outcome().word());
    let elapsed = show_duration(ended.elapsed);
    let steps = count(ended.steps, "step");
    let _ = writeln!(out, "  {outcome} after {elapsed}, in {steps}");
    let Some(failure) = ended.failure() else { return };
    let message = text.failure(&failure.message);
    match &failure.location {
        None => {
            let _ = writeln!(out, "  {}", visible(&message));
        }
        Some(location) if may_show_masked_value(report, text, location) => {
            let (start, _) = report.range(location.file, location.span);
            let file = visible(report.file_name(location.file));
            let _ = writeln!(out, "    × {}", visible(&message));
            let _ = writeln!(out, "      at {file}:{}:{}", start.line, start.column);
        }
        Some(location) => write_excerpt(report, text, message, location.clone(), out),
    }
}

/// Whether an excerpt could show a masked value. The document may hold one in escapes that no search
/// finds, so a preset value of a masked variable is enough.
fn may_show_masked_value(report: &Report<'_>, text: &RunText<'_>, location: &Location) -> bool {
    report.source(location.file).is_none_or(|source| text.run.masker.finds(&source.text))
        || text.run.plan.presets_masked_variable()
}

fn write_excerpt(report: &Report<'_>, text: &RunText<'_>, message: String, location: Location, out: &mut String) {
    let diagnostic = Diagnostic {
        code: text.run.ended.outcome().word(),
        name: "",
        severity: Severity::Error,
        message,
        location,
        also: None,
        activity: None,
        help: None,
        related: Vec::new(),
        fix: None,
    };
    let drawn = draw_place(report, &diagnostic).unwrap_or_else(|_| diagnostic.message.clone());
    for line in drawn.lines() {
        let _ = writeln!(out, "{}", format!("  {line}").trim_end());
    }
}

fn write_check(text: &RunText<'_>, painter: Painter, check: &Check, out: &mut String) {
    let shown = |value: &str| visible(&text.checked(check, value)).into_owned();
    let what = visible(&text.mask(&check.what)).into_owned();
    if check.passed {
        let _ = writeln!(out, "  {} {what}: {}", painter.paint(GOOD, "✓"), shown(&check.expected));
        return;
    }
    let _ = writeln!(out, "  {} {what}: expected {}", painter.paint(BAD, "✗"), shown(&check.expected));
    // Aligned with the expected value.
    let indent = what.chars().count();
    let _ = writeln!(out, "    {:indent$}  found    {}", "", shown(&check.actual));
}
