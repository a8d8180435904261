//! The coverage of scenarios in the formats that other tools show.

mod cobertura;
mod lcov;

use std::io::{self, Write};

use super::escape::visible;
use super::results::Report;
use crate::simulate::Coverage;
use lcov::FileCoverage;

/// A format for coverage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverageFormat {
    /// A tracefile of LCOV.
    Lcov,
    /// The XML of Cobertura.
    Cobertura,
}

/// Writes the coverage of workflows, which are sorted by name; `report` has their sources.
///
/// # Errors
/// When it cannot be written.
pub fn write_coverage(
    format: CoverageFormat,
    report: &Report<'_>,
    coverage: &[Coverage<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    let files = coverage.iter().map(|workflow| {
        let name = visible(report.file_name(workflow.file)).into_owned();
        FileCoverage::new(name, workflow, |span| report.range(workflow.file, span).0.line)
    });
    let files: Vec<FileCoverage> = files.collect();
    match format {
        CoverageFormat::Lcov => lcov::write(&files, out),
        CoverageFormat::Cobertura => cobertura::write(&files, out),
    }
}
