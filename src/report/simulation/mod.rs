//! The reports of `wflint --simulate`: one sink for each format.

mod coverage;
mod human;
mod json;
mod junit;
mod rounds;
mod run_json;
mod run_text;
mod summary;
mod timeline;

use std::io::Write;

use super::findings::Report;
use crate::simulate::ScenarioSink;

pub use summary::summary_line as simulation_summary_line;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimulationFormat {
    /// A timeline, and the expectations.
    Human,
    /// One object.
    Json,
    /// One test case for each scenario.
    Junit,
}

/// A sink that writes a report. `report` has the files, the errors in scenarios and the style.
pub fn simulation_sink<'w>(
    format: SimulationFormat,
    report: Report<'w>,
    out: &'w mut dyn Write,
) -> Box<dyn ScenarioSink + 'w> {
    match format {
        SimulationFormat::Human => Box::new(human::HumanSink::new(report, out)),
        SimulationFormat::Json => Box::new(json::JsonSink::new(report, out)),
        SimulationFormat::Junit => Box::new(junit::JunitSink::new(report, out)),
    }
}
