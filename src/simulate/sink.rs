//! The interface between a session and what shows its runs, such as a report.

use std::io;

use super::coverage::Coverage;
use super::expect::Check;
use super::plan::Plan;
use super::run::Ended;
use crate::redaction::Masker;

pub struct FinishedScenario<'p> {
    pub plan: &'p Plan<'p>,
    pub ended: Ended<'p>,
    pub checks: Vec<Check>,
    /// Hides the values that masked variables had in this run.
    pub masker: Masker,
}

impl FinishedScenario<'_> {
    /// Whether every expectation was met.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|check| check.passed)
    }
}

/// The totals of a session, in scenarios.
#[derive(Debug)]
pub struct SessionSummary<'p> {
    /// Scenarios that ran: those that passed and those that failed.
    pub scenarios: usize,
    pub passed: usize,
    pub failed: usize,
    /// One entry for each workflow that was found or that a scenario names, sorted by the files' names.
    pub coverage: Vec<Coverage<'p>>,
}

impl<'p> SessionSummary<'p> {
    pub(super) const fn new(coverage: Vec<Coverage<'p>>) -> Self {
        Self { scenarios: 0, passed: 0, failed: 0, coverage }
    }

    pub(super) fn add(&mut self, finished: &FinishedScenario<'_>) {
        self.scenarios += 1;
        *(if finished.passed() { &mut self.passed } else { &mut self.failed }) += 1;
        if let Some(workflow) = self.coverage.iter_mut().find(|workflow| workflow.file == finished.plan.file) {
            workflow.add(&finished.ended.record);
        }
    }
}

/// Receives the finished scenarios of a session, one at a time and in the order of their files'
/// names, whatever the number of threads. An error ends the session.
pub trait ScenarioSink {
    /// Called once, before the first scenario.
    ///
    /// # Errors
    /// When nothing can be written.
    fn begin(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Called once for each scenario.
    ///
    /// # Errors
    /// When nothing more can be written.
    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()>;

    /// Called once, after the last scenario.
    ///
    /// # Errors
    /// When nothing more can be written.
    fn end(&mut self, summary: &SessionSummary<'_>) -> io::Result<()>;
}
