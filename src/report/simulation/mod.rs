//! The reports of `wflint --simulate`: one sink for each format.

mod concise;
mod coverage;
mod failures;
mod github;
mod human;
mod json;
mod junit;
mod markdown;
mod mutants;
mod run_json;
mod run_text;
mod sink;
mod summary;
mod timeline;

use std::io::{self, Write};

use super::RunFormat;
use super::findings::Report;
use crate::mutants::Mutants;
use crate::simulate::{FinishedScenario, ScenarioSink, SessionSummary};

pub use coverage::percent as shown_percent;
pub use mutants::mutants_summary_line;
pub use sink::SimulationSink;
pub use summary::summary_line as simulation_summary_line;

/// A sink that writes a report. `report` has the files, the errors in scenarios and the style.
pub fn simulation_sink<'w>(
    format: RunFormat,
    report: Report<'w>,
    out: &'w mut dyn Write,
) -> Box<dyn SimulationSink + 'w> {
    match format {
        RunFormat::Human => Box::new(human::HumanSink::new(report, out)),
        RunFormat::Concise => Box::new(concise::ConciseSink::new(report, out)),
        RunFormat::Json => Box::new(json::JsonSink::new(report, out)),
        RunFormat::Github => Box::new(github::GithubSink::new(report, out)),
        RunFormat::Junit => Box::new(junit::JunitSink::new(report, out)),
        RunFormat::Markdown => Box::new(markdown::MarkdownSink::new(report, out)),
    }
}

/// Several reports of the same runs.
pub struct SimulationSinks<'w>(pub Vec<Box<dyn SimulationSink + 'w>>);

impl ScenarioSink for SimulationSinks<'_> {
    fn begin(&mut self) -> io::Result<()> {
        self.0.iter_mut().try_for_each(|sink| sink.begin())
    }

    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        self.0.iter_mut().try_for_each(|sink| sink.scenario(finished))
    }

    fn end(&mut self, summary: &SessionSummary<'_>) -> io::Result<()> {
        self.0.iter_mut().try_for_each(|sink| sink.end(summary))
    }
}

impl SimulationSink for SimulationSinks<'_> {
    fn mutants(&mut self, mutants: Option<&Mutants>) -> io::Result<()> {
        self.0.iter_mut().try_for_each(|sink| sink.mutants(mutants))
    }
}
