//! The problems of an exploration, with their places: broken laws, and services that were not explored completely.

use std::borrow::Cow;

use super::input::ExplorationReport;
use crate::diagnostic::{FileId, Severity};
use crate::explore::{BrokenLaw, ExploredLaw};
use crate::source::{Position, Span};
use crate::text::{MAX_NAME, count, truncate};

/// Characters of a message.
const MAX_MESSAGE: usize = 1_000;

/// A broken law, a service that was not explored completely, an unused suppression, or a law without a run.
pub(super) struct Problem<'r> {
    pub file: &'r str,
    pub start: Position,
    pub end: Position,
    /// `law`, `explore`, or the code of a rule.
    pub code: &'static str,
    pub severity: Severity,
    /// Not escaped, and without values of masked variables.
    pub message: String,
    /// The name of the law that it is about.
    pub law: Option<Cow<'r, str>>,
}

/// Broken laws in their order, then services that were not explored, or not completely, then unused suppressions, then
/// laws whose `when` no run meets.
pub(super) fn all<'r>(exploration: &ExplorationReport<'r>) -> Vec<Problem<'r>> {
    let explored = exploration.explored;
    let mut problems = Vec::new();
    for law in &explored.laws {
        problems.extend(law.broken().map(|broken| of_broken(exploration, law, broken)));
        problems
            .extend(law.unlisted.iter().map(|(workflow, number)| of_unlisted(exploration, law, *workflow, *number)));
    }
    for (workflow, reason) in &explored.unexplored {
        let message = format!("cannot explore the service: {reason}");
        problems.push(problem(exploration, *workflow, Span::default(), "explore", &message));
    }
    for (service, cut) in explored.services.iter().filter_map(|service| Some((service, service.cut?))) {
        let message = format!("not explored completely: {}", cut.reason(service.states));
        problems.push(problem(exploration, service.workflow, Span::default(), "explore", &message));
    }
    for warning in &explored.warnings {
        let (file, span) = (warning.location.file, warning.location.span);
        let problem = problem(exploration, file, span, warning.code, &warning.message);
        problems.push(Problem { severity: warning.severity, ..problem });
    }
    for law in explored.laws.iter().filter(|law| law.is_unmet()) {
        let Some(place) = &law.declared else { continue };
        let name = truncate(&law.name, 2 * MAX_NAME);
        let message = format!("{name}: no run meets `when`");
        let problem = problem(exploration, place.file, place.span, "law", &message);
        problems.push(Problem { severity: Severity::Warning, law: Some(name), ..problem });
    }
    problems
}

fn of_broken<'r>(exploration: &ExplorationReport<'r>, law: &'r ExploredLaw, broken: &'r BrokenLaw) -> Problem<'r> {
    let name = truncate(&law.name, 2 * MAX_NAME);
    let message = format!("{name}: {}", exploration.mask(broken.workflow, &broken.message));
    let location = &broken.location;
    let problem = problem(exploration, location.file, location.span, "law", &message);
    Problem { law: Some(name), ..problem }
}

fn of_unlisted<'r>(
    exploration: &ExplorationReport<'r>,
    law: &'r ExploredLaw,
    workflow: FileId,
    number: usize,
) -> Problem<'r> {
    let name = truncate(&law.name, 2 * MAX_NAME);
    let message = format!("{name}: {} not listed", count(number, "more run"));
    Problem { law: Some(name), ..problem(exploration, workflow, Span::default(), "law", &message) }
}

fn problem<'r>(
    exploration: &ExplorationReport<'r>,
    file: FileId,
    span: Span,
    code: &'static str,
    message: &str,
) -> Problem<'r> {
    let (start, end) = exploration.report.range(file, span);
    let message = truncate(message, MAX_MESSAGE).into_owned();
    let file_name = exploration.report.file_name(file);
    let severity = Severity::Error;
    Problem { file: file_name, start, end, code, severity, message, law: None }
}
