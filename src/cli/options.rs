//! The options, as clap reads them.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Parser, Subcommand, ValueEnum};

use crate::config::FailOn;
use crate::lint::Choice;
use crate::report::Format;

const EXIT_CODES: &str = "\
Exit codes:
  0  No finding at or above `--fail-on`
  1  Findings, or scenarios that failed
  2  Invalid arguments, configuration or scenarios, unreadable files, or nothing to lint

For help with a specific command, see `wflint help <command>`.";

// Selection of rules and files, output and the rest have headings of their own in the help.
const RULE_SELECTION: &str = "Rule selection";
const FILE_SELECTION: &str = "File selection";
const OUTPUT: &str = "Output";
const MISCELLANEOUS: &str = "Miscellaneous";

/// Lints the workflow and form documents of an order-workflow automation platform.
#[derive(Debug, Parser)]
#[command(
    name = "wflint",
    version,
    about,
    args_conflicts_with_subcommands = true,
    max_term_width = 100,
    after_long_help = EXIT_CODES,
    after_help = "For the full description of each option, see `wflint --help`."
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub lint: LintOptions,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Explain a rule: what it reports, why, and how to fix it
    Explain {
        /// Code or name of the rule, such as `WF201` or `missing-required-parameter`
        rule: String,
    },
    /// List all rules
    Rules {
        /// Output format
        #[arg(long, value_enum, default_value_t = ListFormat::Human)]
        format: ListFormat,
    },
    /// Print a JSON Schema
    Schema {
        /// Name of the schema
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
    /// Run the scenario files in PATHS (`*.scenario.yaml`, `.yml`, `.json` or `.toml`) instead of linting
    #[arg(
        long,
        conflicts_with_all = [
            "select", "ignore", "fail_on", "skip_unrelated", "stdin_filename", "statistics",
            "no_scripts", "fix", "unsafe_fixes", "diff", "baseline", "write_baseline"
        ]
    )]
    pub simulate: bool,
    /// Files and folders to lint, or `-` for standard input [default: .]
    pub paths: Vec<PathBuf>,
    /// Apply safe fixes and report the remaining findings
    #[arg(long)]
    pub fix: bool,
    /// Include unsafe fixes, which may change what a workflow does, in `--fix` and `--diff`
    #[arg(long)]
    pub unsafe_fixes: bool,
    /// Print the changes that `--fix` would make as a diff, without writing them
    #[arg(long)]
    pub diff: bool,
    /// Comma-separated list of rules to enable: codes, code prefixes (`WF2`), names, groups, or `ALL`. If both
    /// `--select` and `--ignore` match a rule, the last one wins
    #[arg(long, help_heading = RULE_SELECTION, value_name = "RULE", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Comma-separated list of rules to disable
    #[arg(long, help_heading = RULE_SELECTION, value_name = "RULE", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Do not report the findings in this baseline file
    #[arg(long, help_heading = RULE_SELECTION, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write all findings to the file that `--baseline` names
    #[arg(long, help_heading = RULE_SELECTION, requires = "baseline", conflicts_with_all = ["fix", "diff"])]
    pub write_baseline: bool,
    /// Skip named files that are not documents, for hooks that pass every changed JSON file
    #[arg(long, help_heading = FILE_SELECTION)]
    pub skip_unrelated: bool,
    /// Name of the file that is read from standard input
    #[arg(long, help_heading = FILE_SELECTION, value_name = "FILE")]
    pub stdin_filename: Option<PathBuf>,
    /// Output format for findings
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Write the report to this file, and a one-line summary to the terminal
    #[arg(long, help_heading = OUTPUT, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print the number of findings per rule instead of the findings
    #[arg(long, help_heading = OUTPUT)]
    pub statistics: bool,
    /// Print findings and errors, but no summary
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
    /// Control when colored output is used
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// Minimum severity that makes the exit code 1 [default: warning]
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "SEVERITY")]
    pub fail_on: Option<FailOnOption>,
    /// Path to the `wflint.toml` to use for all files
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "FILE", conflicts_with = "isolated")]
    pub config: Option<PathBuf>,
    /// Ignore all configuration files
    #[arg(long, help_heading = MISCELLANEOUS)]
    pub isolated: bool,
    /// Do not run the scripts of Code activities
    #[arg(long, help_heading = MISCELLANEOUS)]
    pub no_scripts: bool,
    /// Number of threads [default: number of CPU cores]
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
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
