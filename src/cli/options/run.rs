//! The options that linting and simulating share.

use std::path::Path;

use clap::{Args, ValueEnum};

use super::headings::{MISCELLANEOUS, OUTPUT};
use super::output::OutputFile;
use super::settings::SettingsOptions;
use crate::report::Format;

#[derive(Debug, Default, Args)]
pub(crate) struct RunOptions {
    /// Output format
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Write the report to this file, and a one-line summary to the terminal; `FORMAT:FILE` writes another report in
    /// that format, repeatable
    #[arg(long, help_heading = OUTPUT, value_name = "FILE", value_parser = OutputFile::parser())]
    pub output: Vec<OutputFile>,
    /// Print only findings, failures and errors, no summary
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
    /// Control when colored output is used
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// Run again after each change of a file, until Ctrl-C (exit code 130)
    #[arg(long, help_heading = OUTPUT)]
    pub watch: bool,
    #[command(flatten)]
    pub settings: SettingsOptions,
    /// Number of threads [default: number of CPU cores]
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

impl RunOptions {
    /// The file that gets the report in place of standard output.
    pub fn output_file(&self) -> Option<&Path> {
        self.output.iter().find(|output| output.format.is_none()).map(|output| output.path.as_path())
    }

    /// The files of additional reports, each with its format.
    pub fn further_reports(&self) -> impl Iterator<Item = (Format, &Path)> {
        self.output.iter().filter_map(|output| Some((output.format?, output.path.as_path())))
    }

    /// The formats of all reports.
    pub fn formats(&self) -> impl Iterator<Item = Format> {
        self.further_reports().map(|(format, _)| format).chain([self.format])
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// Use color on a terminal; `FORCE_COLOR`, `NO_COLOR` and `CLICOLOR_FORCE` override this
    #[default]
    Auto,
    Always,
    Never,
}
