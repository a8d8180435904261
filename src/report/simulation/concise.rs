//! `--format concise`: one line for each expectation that failed, as for a finding.

use std::io::{self, Write};

use super::failures::{self, Failure};
use super::mutants;
use super::run_text::{MAX_BRIEF_VALUE_LEN, RunText};
use super::sink::SimulationSink;
use crate::mutants::Mutants;
use crate::report::escape::visible;
use crate::report::findings::Report;
use crate::simulate::{FinishedScenario, ScenarioSink, SessionSummary};

pub(super) struct ConciseSink<'w> {
    report: Report<'w>,
    out: &'w mut dyn Write,
}

impl<'w> ConciseSink<'w> {
    pub fn new(report: Report<'w>, out: &'w mut dyn Write) -> Self {
        Self { report, out }
    }

    fn write(&mut self, failures: &[Failure<'_>]) -> io::Result<()> {
        for Failure { file, start, code, severity, message, .. } in failures {
            let (file, message) = (visible(file), visible(message));
            writeln!(self.out, "{file}:{}:{}: {code} {} {message}", start.line, start.column, severity.word())?;
        }
        Ok(())
    }
}

impl ScenarioSink for ConciseSink<'_> {
    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        let failures = failures::of_run(&self.report, &RunText::new(finished, MAX_BRIEF_VALUE_LEN));
        self.write(&failures)
    }

    fn end(&mut self, _: &SessionSummary<'_>) -> io::Result<()> {
        let problems = failures::of_problems(&self.report);
        self.write(&problems)
    }
}

impl SimulationSink for ConciseSink<'_> {
    fn mutants(&mut self, mutants: Option<&Mutants>) -> io::Result<()> {
        let failures = mutants::failures(&self.report, mutants);
        self.write(&failures)
    }
}
