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
        /// Code or name of the rule, such as `WF201` or `missing-required-parameter`
        rule: String,
    },
    /// List the rules: code, name, group, severity, fix
    Rules {
        /// Set the format of the list
        #[arg(long, value_enum, default_value_t = ListFormat::Human)]
        format: ListFormat,
    },
    /// Print a JSON Schema
    Schema {
        /// Schema to print
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
    /// Use color on a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Args)]
pub(super) struct LintOptions {
    /// Run the scenarios in PATHS instead of linting: `*.scenario.yaml`, `.json` or `.toml`
    #[arg(
        long,
        conflicts_with_all = [
            "select", "ignore", "fail_on", "skip_unrelated", "stdin_filename", "statistics",
            "no_scripts", "fix", "unsafe_fixes", "diff", "baseline", "write_baseline"
        ]
    )]
    pub simulate: bool,
    /// Files and folders to lint; `-` reads one document from standard input [default: the current folder]
    pub paths: Vec<PathBuf>,
    /// Set the format of the report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Write the report to a file, and a one-line summary to the terminal
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Enable only these rules: codes, prefixes of codes (`WF2`), names or groups; of `--select` and `--ignore`, the
    /// last one that matches a rule wins
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Disable these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Set the lowest severity that makes the exit code 1 [default: warning]
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<FailOnOption>,
    /// Apply safe fixes and report what is left
    #[arg(long)]
    pub fix: bool,
    /// Include unsafe fixes, which may change the behavior of a workflow, in `--fix` and `--diff`
    #[arg(long)]
    pub unsafe_fixes: bool,
    /// Show what `--fix` would change without changing any file
    #[arg(long)]
    pub diff: bool,
    /// Use this configuration file for all paths
    #[arg(long, value_name = "FILE", conflicts_with = "isolated")]
    pub config: Option<PathBuf>,
    /// Ignore all configuration files
    #[arg(long)]
    pub isolated: bool,
    /// Hide the findings that this baseline file lists
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write all findings to the file of `--baseline`
    #[arg(long, requires = "baseline", conflicts_with_all = ["fix", "diff"])]
    pub write_baseline: bool,
    /// Skip named files that hold no document, for hooks that pass every changed JSON file
    #[arg(long)]
    pub skip_unrelated: bool,
    /// Treat the document from standard input as this file
    #[arg(long, value_name = "FILE")]
    pub stdin_filename: Option<PathBuf>,
    /// Do not run the scripts of Code activities (they run in a sandbox without files and network)
    #[arg(long)]
    pub no_scripts: bool,
    /// Set the number of threads [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Print the number of findings of each rule instead of the findings
    #[arg(long)]
    pub statistics: bool,
    /// Print only findings and errors
    #[arg(long, short)]
    pub quiet: bool,
    /// Set when to use color
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

/// `--select` and `--ignore`, in the order of the command line.
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
