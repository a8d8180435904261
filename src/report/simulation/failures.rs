//! The failures of runs, with their places in the scenario files.

use super::run_text::RunText;
use crate::diagnostic::{FileId, Severity};
use crate::report::findings::Report;
use crate::simulate::Check;
use crate::source::{Position, Span};
use crate::text::truncate;

/// Characters of a message: a run may publish very many statuses.
const MAX_MESSAGE_LEN: usize = 1_000;

/// The code of an expectation that was not met, which belongs to no rule.
const CODE: &str = "expectation";

/// An expectation that was not met, a problem of a scenario that could not be run, or a change that no scenario notices.
pub(super) struct Failure<'r> {
    pub file: &'r str,
    pub start: Position,
    pub end: Position,
    pub code: &'static str,
    pub severity: Severity,
    /// Not escaped.
    pub message: String,
}

/// The expectations of a run that were not met.
pub(super) fn of_run<'r>(report: &Report<'r>, text: &RunText<'_>) -> Vec<Failure<'r>> {
    let file = text.run.plan.scenario_file;
    let failed = text.run.checks.iter().filter(|check| !check.passed);
    let failures = failed.map(|check| {
        let mut message = check_line(text, check);
        if let Some(failure) = text.run.ended.failure().filter(|_| check.what == "outcome") {
            message = format!("{message}: {}", text.failure(&failure.message));
        }
        let message = truncate(&message, MAX_MESSAGE_LEN).into_owned();
        // Implicit expectations are reported at the beginning of the file.
        failure(report, file, check.span.unwrap_or_default(), CODE, message)
    });
    failures.collect()
}

/// The problems of the scenarios that could not be run.
pub(super) fn of_problems<'r>(report: &Report<'r>) -> Vec<Failure<'r>> {
    let of = |problem: &crate::diagnostic::Diagnostic| {
        let help = problem.help.as_deref().map_or_else(String::new, |help| format!("; {help}"));
        let message = format!("{}{help}", problem.message);
        failure(report, problem.location.file, problem.location.span, problem.code, message)
    };
    report.diagnostics().iter().map(|problem| of(problem)).collect()
}

fn failure<'r>(report: &Report<'r>, file: FileId, span: Span, code: &'static str, message: String) -> Failure<'r> {
    let (start, end) = report.range(file, span);
    Failure { file: report.file_name(file), start, end, code, severity: Severity::Error, message }
}

/// An expectation that was not met, in one line that is not escaped.
pub(super) fn check_line(text: &RunText<'_>, check: &Check) -> String {
    let (expected, actual) = (text.checked(check, &check.expected), text.checked(check, &check.actual));
    let hidden = if text.differs_where_hidden(check) { ", which differs where it is hidden" } else { "" };
    format!("{}: expected {expected}, found {actual}{hidden}", text.mask(&check.what))
}
