//! What failed in runs, for the formats that do not know more of them than findings.

use std::borrow::Cow;

use super::coverage::numbers;
use super::mutants::{mutants_summary_line, survivors};
use super::run_text::RunText;
use crate::mutants::Mutants;
use crate::report::markup::{Table, code, message};
use crate::report::results::{Case, Finding, Report, Results, Suite, Verdict};
use crate::simulate::SessionSummary;
use crate::text::diagnostic::{Diagnostic, Location, Severity};
use crate::text::{count, truncate};

/// Characters of a message: a run may publish very many statuses.
const MAX_MESSAGE_LEN: usize = 1_000;

/// An expectation that was not met, and the name of its scenario.
type Unmet = (Diagnostic, Option<String>);

/// What is kept of runs until the last one.
#[derive(Default)]
pub(super) struct Kept {
    unmet: Vec<Unmet>,
    /// One for each scenario.
    cases: Vec<Case>,
}

impl Kept {
    pub fn add(&mut self, report: &Report<'_>, text: &RunText<'_>) {
        let scenario = text.run.plan.scenario.name.as_deref();
        let unmet = unmet(text).into_iter().map(|it| (it, scenario.map(|name| text.mask(name).into_owned())));
        self.unmet.extend(unmet);
        self.cases.push(case(report, text));
    }
}

/// The results of all scenarios.
pub(super) struct SimulationResults<'r> {
    /// The files, and the scenarios that could not be run.
    pub report: Report<'r>,
    pub kept: &'r Kept,
    pub summary: &'r SessionSummary<'r>,
    /// The changes that were tried.
    pub mutants: Option<Option<&'r Mutants>>,
}

impl SimulationResults<'_> {
    fn survivors(&self) -> impl Iterator<Item = Diagnostic> {
        self.mutants.flatten().into_iter().flat_map(survivors)
    }
}

impl Results for SimulationResults<'_> {
    fn report(&self) -> &Report<'_> {
        &self.report
    }

    /// Expectations in the order of the scenarios, then changes that no scenario notices, then scenarios that could not
    /// be run.
    fn findings(&self) -> Vec<Finding<'_>> {
        let unmet = self.kept.unmet.iter().map(|(unmet, scenario)| {
            let name = scenario.as_deref().map_or_else(String::new, |name| format!(": {name}"));
            Finding { diagnostic: Cow::Borrowed(unmet), title: Some(format!("scenario failed{name}")) }
        });
        let survivors = self
            .survivors()
            .map(|survivor| Finding { diagnostic: Cow::Owned(survivor), title: Some("surviving mutant".to_owned()) });
        let problems = self.report.diagnostics().iter().map(|problem| {
            let diagnostic = Diagnostic { message: problem.message_with_help(), help: None, ..(**problem).clone() };
            Finding { diagnostic: Cow::Owned(diagnostic), title: Some("invalid scenario".to_owned()) }
        });
        unmet.chain(survivors).chain(problems).collect()
    }

    fn summary(&self) -> Vec<String> {
        let mutants = self.mutants.map(mutants_summary_line);
        [simulation_summary_line(self.summary)].into_iter().chain(mutants).collect()
    }

    /// One test case for each scenario. Those that could not be run follow as test cases with an error.
    fn suites(&self) -> Vec<Suite> {
        let problems = self.report.diagnostics().iter().map(|problem| {
            let file = self.report.file_name(problem.location.file);
            let reason = format!("{}: {}", self.report.place(&problem.location), problem.message);
            Case::of_run(file, file, Verdict::Undecided(reason))
        });
        let scenarios = self.kept.cases.iter().cloned().chain(problems).collect();
        let survivors = self.survivors().map(|survivor| {
            let name = format!("{} at {}", survivor.code, self.report.place(&survivor.location));
            let verdict = Verdict::Failed { message: survivor.message, kind: None, details: Vec::new() };
            Case::of_run(name, self.report.file_name(survivor.location.file), verdict)
        });
        let mutants = Suite { name: "wflint mutants".to_owned(), cases: survivors.collect() };
        let scenarios = Suite { name: "wflint scenarios".to_owned(), cases: scenarios };
        let mutants = Some(mutants).filter(|mutants| !mutants.cases.is_empty());
        [scenarios].into_iter().chain(mutants).collect()
    }

    fn tables(&self) -> Vec<Table> {
        let mut table = Table::new(&["Scenario", "Place", "Failure"]);
        let mut scenarios = self.kept.unmet.iter().map(|(_, name)| name.as_deref().unwrap_or_default());
        for Finding { diagnostic, title } in self.findings() {
            // What is not about a scenario comes last.
            let scenario = scenarios.next().map_or_else(|| title.unwrap_or_default(), str::to_owned);
            let place = self.report.place(&diagnostic.location);
            table.add(&[message(&scenario), code(&place), message(&diagnostic.message)]);
        }
        vec![table]
    }

    fn notes(&self) -> Vec<String> {
        let coverage = self.summary.coverage.iter();
        coverage.map(|it| format!("{}: {}.", code(self.report.file_name(it.file)), numbers(it))).collect()
    }
}

/// The summary in one line, without its end.
pub fn simulation_summary_line(summary: &SessionSummary<'_>) -> String {
    let scenarios = count(summary.scenarios, "scenario");
    match summary.failed {
        0 => format!("{scenarios} passed."),
        failed => format!("{scenarios}: {} passed, {failed} failed.", summary.passed),
    }
}

/// The expectations of a run that were not met.
fn unmet(text: &RunText<'_>) -> Vec<Diagnostic> {
    let file = text.run.plan.scenario_file;
    let failed = text.run.checks.iter().filter(|check| !check.passed);
    let diagnostics = failed.map(|check| {
        let mut message = text.check(check);
        if let Some(failure) = text.run.ended.failure().filter(|_| check.what == "outcome") {
            message = format!("{message}: {}", text.failure(&failure.message));
        }
        let message = truncate(&message, MAX_MESSAGE_LEN).into_owned();
        // Implicit expectations are reported at the beginning of the file.
        let location = Location { file, pointer: String::new(), span: check.span.unwrap_or_default() };
        Diagnostic::new("expectation", "unmet-expectation", Severity::Error, message, location)
    });
    diagnostics.collect()
}

/// A run as a test case.
fn case(report: &Report<'_>, text: &RunText<'_>) -> Case {
    let run = text.run;
    let file = report.file_name(run.plan.scenario_file);
    let name = text.mask(run.plan.scenario.name.as_deref().unwrap_or(file));
    if run.passed() {
        return Case::of_run(name, file, Verdict::Passed);
    }
    let failed = run.checks.iter().filter(|check| !check.passed);
    let mut details: Vec<String> = failed.map(|check| text.check(check)).collect();
    let message = details.first().cloned().unwrap_or_default();
    let failure = run.ended.failure();
    details.extend(failure.map(|it| format!("{}: {}", run.ended.outcome().word(), text.failure(&it.message))));
    Case::of_run(name, file, Verdict::Failed { message, kind: None, details })
}
