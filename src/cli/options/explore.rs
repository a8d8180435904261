//! The options of `wflint explore`.

use std::path::PathBuf;

use clap::Args;

use super::headings::{LAWS, MISCELLANEOUS, OUTPUT, SCENARIOS};
use super::output::OutputFile;
use super::run::{Color, RunOptions};
use super::settings::SettingsOptions;
use crate::report::Format;

#[derive(Debug, Args)]
pub(crate) struct ExploreOptions {
    /// Workflows, or folders that contain them [default: .]
    pub paths: Vec<PathBuf>,
    /// Check only this law: a built-in one (`ends`, `no-fault`, `reached`), or the name of a `[[law]]`; repeatable
    #[arg(long, help_heading = LAWS, value_name = "NAME")]
    pub law: Vec<String>,
    /// Write a scenario for each end to this folder, and with `--law` for each run that breaks the law; overwrites only
    /// files that it wrote before
    #[arg(long, help_heading = SCENARIOS, value_name = "DIR")]
    pub write: Option<PathBuf>,
    /// Write as few scenarios as possible that together reach every reachable activity and branch, instead of one for
    /// each end
    #[arg(long, help_heading = SCENARIOS, requires = "write")]
    pub cover: bool,
    /// Output format
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Write the report to this file, and a one-line summary to the terminal; `FORMAT:FILE` writes another report in
    /// that format, repeatable
    #[arg(long, help_heading = OUTPUT, value_name = "FILE", value_parser = OutputFile::parser())]
    pub output: Vec<OutputFile>,
    /// Print only broken laws and errors
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
    /// Control when colored output is used
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// Stop exploring a service after this many states [default: 200000]
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_states: Option<u32>,
    #[command(flatten)]
    pub settings: SettingsOptions,
    /// Number of threads [default: number of CPU cores]
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

impl ExploreOptions {
    /// Those that other commands have as well.
    pub fn run_options(&self) -> RunOptions {
        RunOptions {
            format: self.format,
            output: self.output.clone(),
            quiet: self.quiet,
            color: self.color,
            watch: false,
            settings: self.settings.clone(),
            jobs: self.jobs,
        }
    }
}
