//! `--format junit`: one test case for each scenario.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite, XmlString};

use super::failures::{Failure, check_line};
use super::mutants;
use super::run_text::{MAX_VALUE_LEN, RunText};
use super::sink::SimulationSink;
use crate::diagnostic::Diagnostic;
use crate::mutants::Mutants;
use crate::report::escape::visible;
use crate::report::findings::Report;
use crate::simulate::{FinishedScenario, ScenarioSink, SessionSummary};

/// Holds all test cases until the end: the suite's element begins with their number.
pub(super) struct JunitSink<'w> {
    report: Report<'w>,
    out: &'w mut dyn Write,
    cases: Vec<TestCase>,
    /// The changes that no scenario notices.
    survivors: Vec<TestCase>,
}

impl<'w> JunitSink<'w> {
    pub fn new(report: Report<'w>, out: &'w mut dyn Write) -> Self {
        Self { report, out, cases: Vec::new(), survivors: Vec::new() }
    }
}

impl ScenarioSink for JunitSink<'_> {
    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        self.cases.push(run_case(&self.report, &RunText::new(finished, MAX_VALUE_LEN)));
        Ok(())
    }

    /// Scenarios that could not be run follow as test cases with an error.
    fn end(&mut self, _: &SessionSummary<'_>) -> io::Result<()> {
        let mut suite = TestSuite::new("wflint scenarios");
        suite.add_test_cases(self.cases.drain(..));
        suite.add_test_cases(self.report.diagnostics().iter().map(|problem| problem_case(&self.report, problem)));
        let mut whole = quick_junit::Report::new("wflint");
        whole.add_test_suite(suite);
        if !self.survivors.is_empty() {
            let mut suite = TestSuite::new("wflint mutants");
            suite.add_test_cases(self.survivors.drain(..));
            whole.add_test_suite(suite);
        }
        whole.serialize(&mut *self.out).map_err(io::Error::other)
    }
}

impl SimulationSink for JunitSink<'_> {
    fn mutants(&mut self, mutants: Option<&Mutants>) -> io::Result<()> {
        self.survivors = mutants::failures(&self.report, mutants).iter().map(survivor_case).collect();
        Ok(())
    }
}

fn survivor_case(failure: &Failure<'_>) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(visible(&failure.message).into_owned());
    let Failure { file, start, code, .. } = failure;
    let mut case = test_case(&format!("{code} at {file}:{}:{}", start.line, start.column), file);
    case.status = status;
    case
}

/// A run, without the times of the real clock: the same run gives the same bytes.
fn run_case(report: &Report<'_>, text: &RunText<'_>) -> TestCase {
    let run = text.run;
    let file = report.file_name(run.plan.scenario_file);
    let mut case = test_case(&text.mask(run.plan.scenario.name.as_deref().unwrap_or(file)), file);
    if run.passed() {
        return case;
    }
    let failed = run.checks.iter().filter(|check| !check.passed);
    let lines: Vec<String> = failed.map(|check| visible(&check_line(text, check)).into_owned()).collect();
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(lines.first().cloned().unwrap_or_default());
    let mut description = lines.join("\n");
    if let Some(failure) = run.ended.failure() {
        let message = visible(&text.failure(&failure.message)).into_owned();
        description = format!("{description}\n{}: {message}", run.ended.outcome().word());
    }
    status.set_description(description);
    case.status = status;
    case
}

fn problem_case(report: &Report<'_>, problem: &Diagnostic) -> TestCase {
    let file = report.file_name(problem.location.file);
    let (start, _) = report.range(problem.location.file, problem.location.span);
    let message = format!("{file}:{}:{}: {}", start.line, start.column, problem.message);
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(visible(&message).into_owned());
    let mut case = test_case(file, file);
    case.status = status;
    case
}

fn test_case(name: &str, file: &str) -> TestCase {
    let mut case = TestCase::new(visible(name).into_owned(), TestCaseStatus::success());
    case.set_classname(visible(file).into_owned());
    case.extra.insert(XmlString::new("file"), XmlString::new(visible(file)));
    case
}
