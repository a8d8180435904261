//! The options of `wflint diff`.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::headings::{MISCELLANEOUS, OUTPUT};
use super::run::{Color, RunOptions};
use super::settings::SettingsOptions;

#[derive(Debug, Args)]
pub(crate) struct DiffOptions {
    /// The old version: a folder, a document, a git revision, or `REV:PATH`
    pub old: OsString,
    /// The new version [default: the path of OLD in the working tree]
    pub new: Option<OsString>,
    /// Only compare documents, without exploring what orders can do
    #[arg(long)]
    pub no_explore: bool,
    /// Output format
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = DiffFormat::Human)]
    pub format: DiffFormat,
    /// Print one line for each service
    #[arg(long, help_heading = OUTPUT)]
    pub stat: bool,
    /// Control when colored output is used
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    #[command(flatten)]
    pub settings: SettingsOptions,
    /// Number of threads [default: number of CPU cores]
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For the terminal
    Human,
    /// A heading and lists for each service, for a comment in a pull request
    Markdown,
    /// One JSON object; `wflint schema diff` prints its schema
    Json,
}

impl DiffOptions {
    /// Those that other commands have as well.
    pub fn run_options(&self) -> RunOptions {
        RunOptions { color: self.color, settings: self.settings.clone(), jobs: self.jobs, ..RunOptions::default() }
    }
}
