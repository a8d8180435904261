//! `--format github`: a workflow command for each expectation that failed, at its line of the scenario file.

use std::io::{self, Write};

use super::failures::{self, Failure};
use super::mutants;
use super::run_text::{MAX_BRIEF_VALUE_LEN, RunText};
use super::sink::SimulationSink;
use crate::mutants::Mutants;
use crate::report::findings::Report;
use crate::report::github::{data, property};
use crate::simulate::{FinishedScenario, ScenarioSink, SessionSummary};

pub(super) struct GithubSink<'w> {
    report: Report<'w>,
    out: &'w mut dyn Write,
}

impl<'w> GithubSink<'w> {
    pub fn new(report: Report<'w>, out: &'w mut dyn Write) -> Self {
        Self { report, out }
    }

    fn write(&mut self, failures: &[Failure<'_>], title: &str) -> io::Result<()> {
        for Failure { file, start, end, severity, message, .. } in failures {
            writeln!(
                self.out,
                "::{} file={},line={},endLine={},col={},endColumn={},title={}::{}",
                severity.word(),
                property(file),
                start.line,
                end.line,
                start.column,
                end.column,
                property(title),
                data(message),
            )?;
        }
        Ok(())
    }
}

impl ScenarioSink for GithubSink<'_> {
    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        let text = RunText::new(finished, MAX_BRIEF_VALUE_LEN);
        let name = finished.plan.scenario.name.as_deref().map_or_else(String::new, |name| format!(": {name}"));
        let title = format!("scenario failed{}", text.mask(&name));
        let failures = failures::of_run(&self.report, &text);
        self.write(&failures, &title)
    }

    fn end(&mut self, _: &SessionSummary<'_>) -> io::Result<()> {
        let problems = failures::of_problems(&self.report);
        self.write(&problems, "invalid scenario")
    }
}

impl SimulationSink for GithubSink<'_> {
    fn mutants(&mut self, mutants: Option<&Mutants>) -> io::Result<()> {
        let failures = mutants::failures(&self.report, mutants);
        self.write(&failures, "surviving mutant")
    }
}
