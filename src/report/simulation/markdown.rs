//! `--format markdown`: a summary of the runs, for the page of a CI job or a comment.

use std::io::{self, Write};

use super::coverage::numbers;
use super::failures::{self, Failure};
use super::mutants::{self, mutants_summary_line};
use super::run_text::{MAX_BRIEF_VALUE_LEN, RunText};
use super::sink::SimulationSink;
use super::summary::summary_line;
use crate::mutants::Mutants;
use crate::report::findings::Report;
use crate::report::markup::{Table, code, message};
use crate::simulate::{FinishedScenario, ScenarioSink, SessionSummary};

/// Holds the table until the end: it comes after the totals.
pub(super) struct MarkdownSink<'w> {
    report: Report<'w>,
    out: &'w mut dyn Write,
    table: Table,
    /// The line about changes of the workflows.
    mutants: Option<String>,
}

impl<'w> MarkdownSink<'w> {
    pub fn new(report: Report<'w>, out: &'w mut dyn Write) -> Self {
        Self { report, out, table: Table::new(&["Scenario", "Place", "Failure"]), mutants: None }
    }

    fn add(&mut self, failures: &[Failure<'_>], scenario: &str) {
        for failure in failures {
            let place = format!("{}:{}:{}", failure.file, failure.start.line, failure.start.column);
            self.table.add(&[message(scenario), code(&place), message(&failure.message)]);
        }
    }
}

impl ScenarioSink for MarkdownSink<'_> {
    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        let text = RunText::new(finished, MAX_BRIEF_VALUE_LEN);
        let failures = failures::of_run(&self.report, &text);
        let name = finished.plan.scenario.name.as_deref().unwrap_or_default();
        self.add(&failures, &text.mask(name));
        Ok(())
    }

    fn end(&mut self, summary: &SessionSummary<'_>) -> io::Result<()> {
        let problems = failures::of_problems(&self.report);
        self.add(&problems, "invalid scenario");
        writeln!(self.out, "## wflint\n\n{}\n", message(&summary_line(summary)))?;
        if let Some(line) = self.mutants.take() {
            writeln!(self.out, "{}\n", message(&line))?;
        }
        self.table.write(self.out)?;
        for workflow in &summary.coverage {
            writeln!(self.out, "{}: {}.\n", code(self.report.file_name(workflow.file)), numbers(workflow))?;
        }
        Ok(())
    }
}

impl SimulationSink for MarkdownSink<'_> {
    fn mutants(&mut self, mutants: Option<&Mutants>) -> io::Result<()> {
        let failures = mutants::failures(&self.report, mutants);
        self.add(&failures, "surviving mutant");
        self.mutants = Some(mutants_summary_line(mutants));
        Ok(())
    }
}
