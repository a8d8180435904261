//! Reports: one file for each format, written from what every command ends in (`results`).
//!
//! `lint`, `simulation` and `exploration` make these results. `human` and `json` show a lint; of runs, explorations and
//! comparisons (`diff`) these two formats are in their folders. `escape` and `markup` keep strings of documents from
//! being interpreted.

mod azure;
mod checkstyle;
mod concise;
mod coverage;
mod diff;
mod escape;
mod exploration;
mod fingerprints;
mod github;
mod gitlab;
mod human;
mod json;
mod junit;
mod lint;
mod markdown;
mod markup;
mod object;
mod page;
mod rdjson;
mod results;
mod sarif;
mod simulation;
pub(crate) mod style;
mod timeline;

use std::io::{self, Write};

use rayon::ThreadPool;

pub use coverage::{CoverageFormat, write_coverage};
pub use diff::{Counts, DiffReport, change_lines};
pub use escape::{is_unsafe, is_visible_at, visible, wrap_guarded};
pub use exploration::{ExplorationReport, end_reasons};
pub use human::draw_excerpt as excerpt;
pub use object::write_json;
pub use page::{page, without_findings};
pub use results::Report;
pub use simulation::{
    RunText, SimulationOutput, SimulationReports, mutants_summary_line, shown_percent, simulation_summary_line,
};
pub use style::{DEFAULT_WIDTH, Style};

/// A report's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// Findings with the source lines, and the exact characters underlined.
    #[default]
    Human,
    /// One line per finding.
    Concise,
    /// One JSON object; `wflint schema report` prints its schema.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// GitHub Actions annotations, shown in pull requests.
    Github,
    #[value(help = "GitLab Code Quality report, shown in merge requests")]
    Gitlab,
    #[value(help = "JUnit XML, one test case per finding or scenario")]
    Junit,
    /// Reviewdog Diagnostic Format.
    Rdjson,
    /// Checkstyle XML.
    Checkstyle,
    /// Azure Pipelines logging commands.
    Azure,
    /// A summary with a table, for the page of a CI job.
    Markdown,
}

/// A format for runs of workflows: simulations, and explorations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum RunFormat {
    /// What happened, and what failed.
    Human,
    /// One line per failure.
    Concise,
    /// One JSON object; `wflint schema` prints its schema.
    Json,
    #[value(help = "GitHub Actions annotations, shown in pull requests")]
    Github,
    #[value(help = "JUnit XML, one test case per scenario, or per law and service")]
    Junit,
    /// A summary with a table, for the page of a CI job.
    Markdown,
}

impl RunFormat {
    /// Whether its reports list what could not be run.
    pub const fn lists_problems(self) -> bool {
        matches!(self, Self::Concise | Self::Github | Self::Junit | Self::Markdown)
    }
}

impl Format {
    /// The format for runs; `None` for one of findings alone.
    pub const fn of_runs(self) -> Option<RunFormat> {
        match self {
            Self::Human => Some(RunFormat::Human),
            Self::Concise => Some(RunFormat::Concise),
            Self::Json => Some(RunFormat::Json),
            Self::Github => Some(RunFormat::Github),
            Self::Junit => Some(RunFormat::Junit),
            Self::Markdown => Some(RunFormat::Markdown),
            Self::Sarif | Self::Gitlab | Self::Rdjson | Self::Checkstyle | Self::Azure => None,
        }
    }

    /// Whether its reports show [`Diagnostic::fingerprint`](crate::text::diagnostic::Diagnostic::fingerprint).
    pub const fn has_fingerprints(self) -> bool {
        matches!(self, Self::Sarif | Self::Gitlab)
    }
}

impl Report<'_> {
    /// Writes the report.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Human => human::write(self, out),
            Format::Concise => concise::write(self, out),
            Format::Json => json::write(self, out),
            Format::Sarif => sarif::write(self, out),
            Format::Github => github::write(self, out),
            Format::Gitlab => gitlab::write(self, out),
            Format::Junit => junit::write(self, out),
            Format::Rdjson => rdjson::write(self, out),
            Format::Checkstyle => checkstyle::write(self, out),
            Format::Azure => azure::write(self, out),
            Format::Markdown => markdown::write(self, out),
        }
    }

    /// Writes the report in [`Format::Human`]; many findings are drawn on the threads of a pool.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn draw_on(&self, pool: &ThreadPool, out: &mut dyn Write) -> io::Result<()> {
        human::draw_on(self, pool, out)
    }
}
