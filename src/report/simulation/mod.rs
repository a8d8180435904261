//! The reports of `wflint --simulate`. `human` and `json` are written scenario by scenario, since all traces together may
//! be larger than memory; the other formats after the last one, from `results`.
//!
//! `run_text` has the words for what happened in a run, `timeline` shows it, `coverage` what all runs left out, and
//! `mutants` the changes of workflows that they did not notice.

mod coverage;
mod human;
mod json;
mod mutants;
mod results;
mod run_text;
mod timeline;

use std::io::{self, Write};

use super::results::Report;
use super::{RunFormat, Style, concise, github, junit, markdown};
use crate::mutants::Mutants;
use crate::simulate::{FinishedScenario, ScenarioSink, SessionSummary};
use results::{Kept, SimulationResults};
use run_text::{MAX_BRIEF_VALUE_LEN, MAX_VALUE_LEN};

pub use coverage::percent as shown_percent;
pub use mutants::mutants_summary_line;
pub use results::simulation_summary_line;
pub use run_text::RunText;

/// Where a report goes, and how.
pub struct SimulationOutput<'w> {
    pub format: RunFormat,
    pub style: Style,
    pub out: &'w mut dyn Write,
}

/// Reports of the same runs.
pub struct SimulationReports<'w> {
    /// The files, and the scenarios that cannot be run.
    report: Report<'w>,
    outputs: Vec<SimulationOutput<'w>>,
    /// Scenarios that were finished.
    finished: usize,
    kept: Kept,
    mutants: Option<Option<Mutants>>,
    /// Whether the timeline of a scenario that passed is shown, too.
    shows_passed: bool,
    /// Whether the last scenario has one line.
    is_after_line: bool,
}

impl<'w> SimulationReports<'w> {
    pub fn new(report: Report<'w>, outputs: Vec<SimulationOutput<'w>>) -> Self {
        Self {
            report,
            outputs,
            finished: 0,
            kept: Kept::default(),
            mutants: None,
            shows_passed: true,
            is_after_line: false,
        }
    }

    /// Sets whether the timeline of a scenario that passed is shown, too; otherwise it has one line.
    #[must_use]
    pub fn showing_passed(self, shows_passed: bool) -> Self {
        Self { shows_passed, ..self }
    }

    /// Sets the changes of workflows that were tried, before the end; `None` if a scenario failed.
    pub fn set_mutants(&mut self, mutants: Option<Mutants>) {
        self.mutants = Some(mutants);
    }
}

impl ScenarioSink for SimulationReports<'_> {
    fn begin(&mut self) -> io::Result<()> {
        let mut json = self.outputs.iter_mut().filter(|output| output.format == RunFormat::Json);
        json.try_for_each(|output| json::begin(output.out))
    }

    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        let brief = RunText::new(finished, MAX_BRIEF_VALUE_LEN);
        let mut keeps = false;
        let is_line = finished.passed() && !self.shows_passed;
        let is_after_line = std::mem::replace(&mut self.is_after_line, is_line);
        for SimulationOutput { format, style, out } in &mut self.outputs {
            let report = Report { style: *style, ..self.report };
            match format {
                RunFormat::Human => {
                    if is_after_line && !is_line && !style.quiet {
                        writeln!(out)?;
                    }
                    out.write_all(human::scenario(&report, &brief, is_line).as_bytes())?;
                }
                RunFormat::Json => {
                    json::scenario(&report, &RunText::new(finished, MAX_VALUE_LEN), self.finished == 0, *out)?;
                }
                _ => keeps = true,
            }
        }
        if keeps {
            self.kept.add(&self.report, &brief);
        }
        self.finished += 1;
        Ok(())
    }

    fn end(&mut self, summary: &SessionSummary<'_>) -> io::Result<()> {
        for SimulationOutput { format, style, out } in &mut self.outputs {
            let report = Report { style: *style, ..self.report };
            let mutants = self.mutants.as_ref().map(Option::as_ref);
            let results = SimulationResults { report, kept: &self.kept, summary, mutants };
            match format {
                RunFormat::Human => {
                    if self.is_after_line && !style.quiet {
                        writeln!(out)?;
                    }
                    human::end(&results, *out)?;
                }
                RunFormat::Json => json::end(&results, self.finished == 0, *out)?,
                RunFormat::Concise => concise::write(&results, *out)?,
                RunFormat::Github => github::write(&results, *out)?,
                RunFormat::Junit => junit::write(&results, *out)?,
                RunFormat::Markdown => markdown::write(&results, *out)?,
            }
        }
        Ok(())
    }
}
