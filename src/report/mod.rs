//! Reports: one file a format, all made from the same findings.

mod concise;
mod escape;
mod github;
mod human;
mod json;
mod junit;
mod simulation;

use std::io::{self, Write};

use crate::diagnostic::{Diagnostic, FileId};
use crate::lint::{Outcome, Summary};
use crate::source::{Position, SourceFile, Span};

pub use escape::visible;
pub use human::count;
pub use simulation::{Simulation, SimulationFormat, Summary as SimulationSummary};

/// The name and version that reports carry.
pub const TOOL: (&str, &str) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));

/// A report's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// The document's lines with the exact characters underlined.
    #[default]
    Human,
    /// One line a finding.
    Concise,
    /// One JSON object, described by `wflint schema report`.
    Json,
    /// Workflow commands, shown at the lines of a pull request.
    Github,
    /// `JUnit` XML: one test case a finding, or a scenario.
    Junit,
}

/// How a report for people looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// With colours.
    pub color: bool,
    /// Characters a line, where lines are wrapped.
    pub width: Option<usize>,
    /// Without the line that sums up.
    pub quiet: bool,
}

/// What a report is made from.
#[derive(Debug, Clone, Copy)]
pub struct Report<'r> {
    /// The findings.
    pub outcome: &'r Outcome,
    /// How it looks.
    pub style: Style,
}

impl<'r> Report<'r> {
    /// Writes the report.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Human => human::write(self, out),
            Format::Concise => concise::write(self, out),
            Format::Json => json::write(self, out),
            Format::Github => github::write(self, out),
            Format::Junit => junit::write(self, out),
        }
    }

    /// One line that says how many findings there are.
    pub fn summary_line(&self) -> String {
        human::summary_line(self)
    }

    /// One line that says how many were fixed, if any were.
    pub fn fixed_line(&self) -> Option<String> {
        human::fixed_line(self)
    }

    fn diagnostics(&self) -> &'r [Diagnostic] {
        &self.outcome.diagnostics
    }

    fn summary(&self) -> Summary {
        self.outcome.summary
    }

    fn source(&self, file: FileId) -> Option<&'r SourceFile> {
        self.outcome.sources.get(&file)
    }

    fn file_name(&self, file: FileId) -> &'r str {
        self.source(file).map_or("", |source| &source.name)
    }

    fn range(&self, file: FileId, span: Span) -> (Position, Position) {
        let nowhere = Position { line: 1, column: 1, offset: 0 };
        self.source(file).map_or((nowhere, nowhere), |source| (source.position(span.start), source.position(span.end)))
    }
}
