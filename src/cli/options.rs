//! The options, as clap reads them.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Parser, Subcommand, ValueEnum};

use crate::config::FailOn;
use crate::lint::Choice;
use crate::report::Format;

/// Lints the workflow and form documents of an order-workflow automation platform.
#[derive(Debug, Parser)]
#[command(name = "wflint", version, about, args_conflicts_with_subcommands = true, max_term_width = 100)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub lint: LintOptions,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Print a rule's page: what it reports, why, and how to fix it
    Explain {
        /// Code or name: `WF201` or `missing-required-parameter`
        rule: String,
    },
    /// List the rules: code, name, group, severity, fix
    Rules {
        /// How to list them
        #[arg(long, value_enum, default_value_t = ListFormat::Human)]
        format: ListFormat,
    },
    /// Print a JSON Schema
    Schema {
        /// Which one
        #[arg(value_parser = clap::builder::PossibleValuesParser::new(super::schema::names()))]
        name: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    Human,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Args)]
pub(super) struct LintOptions {
    /// Run the scenarios found in PATHS instead: `*.scenario.yaml`, `.json` or `.toml`
    #[arg(
        long,
        conflicts_with_all = [
            "select", "ignore", "fail_on", "skip_unrelated", "stdin_filename", "statistics",
            "no_scripts", "fix", "unsafe_fixes", "diff", "baseline", "write_baseline"
        ]
    )]
    pub simulate: bool,
    /// Files and folders; `-` reads one document from standard input [default: the current folder]
    pub paths: Vec<PathBuf>,
    /// How findings are shown
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Write the report to a file, and one line to the terminal
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Report only these rules: codes, beginnings of codes (`WF2`), names or groups; the last choice that names a
    /// rule wins
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Do not report these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// The least severity that makes the exit code 1 [default: warning]
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<FailOnOption>,
    /// Apply safe fixes, and report what is left
    #[arg(long)]
    pub fix: bool,
    /// With `--fix` or `--diff`: unsafe fixes too, which change what the platform does
    #[arg(long)]
    pub unsafe_fixes: bool,
    /// Show what `--fix` would change, and change nothing
    #[arg(long)]
    pub diff: bool,
    /// Use this `wflint.toml`
    #[arg(long, value_name = "FILE", conflicts_with = "isolated")]
    pub config: Option<PathBuf>,
    /// Use no `wflint.toml`
    #[arg(long)]
    pub isolated: bool,
    /// Do not report the findings that this file lists
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// List all findings in the file of `--baseline`
    #[arg(long, requires = "baseline", conflicts_with_all = ["fix", "diff"])]
    pub write_baseline: bool,
    /// Skip named files that hold no document; for hooks that pass every changed JSON file
    #[arg(long)]
    pub skip_unrelated: bool,
    /// The file that a document from standard input stands for
    #[arg(long, value_name = "FILE")]
    pub stdin_filename: Option<PathBuf>,
    /// Do not run the scripts of Code activities; they run in a process without files and network
    #[arg(long)]
    pub no_scripts: bool,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Print how often each rule was found instead of the findings
    #[arg(long)]
    pub statistics: bool,
    /// Print findings and errors only
    #[arg(long, short)]
    pub quiet: bool,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOnOption {
    Error,
    Warning,
    Info,
    Never,
}

impl From<FailOnOption> for FailOn {
    fn from(option: FailOnOption) -> Self {
        match option {
            FailOnOption::Error => Self::Error,
            FailOnOption::Warning => Self::Warning,
            FailOnOption::Info => Self::Info,
            FailOnOption::Never => Self::Never,
        }
    }
}

/// The choices of rules, in the order in which they were given.
pub(super) fn choices(matches: &ArgMatches) -> Vec<Choice> {
    let of = |name: &str, make: fn(String) -> Choice| -> Vec<(usize, Choice)> {
        let words = matches.get_many::<String>(name).into_iter().flatten().cloned();
        let places = matches.indices_of(name).into_iter().flatten();
        places.zip(words.map(make)).collect()
    };
    let mut choices = of("select", Choice::Select);
    choices.extend(of("ignore", Choice::Ignore));
    choices.sort_by_key(|(place, _)| *place);
    choices.into_iter().map(|(_, choice)| choice).collect()
}
