//! The options, as clap reads them.

mod catalog;
mod coverage;
mod diff;
mod explore;
mod fmt;
mod graph;
mod headings;
mod help;
mod init;
mod lint;
mod output;
mod run;
mod settings;

use std::path::PathBuf;

use clap::{Arg, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use headings::{MUTANTS, OUTPUT};

pub(super) use catalog::{CatalogCommand, CatalogOutput, ImportOptions, InferOptions};
pub(super) use coverage::CoverageOptions;
pub(super) use diff::{DiffFormat, DiffOptions};
pub(super) use explore::ExploreOptions;
pub(super) use fmt::FmtOptions;
pub(super) use graph::{GraphFormat, GraphOptions};
pub(super) use init::{Ci, InitOptions};
pub(super) use lint::{LintOptions, choices};
pub(super) use run::{Color, RunOptions};

/// Lints the workflow and form documents of an order-workflow automation platform.
#[derive(Debug, Parser)]
#[command(
    name = "wflint",
    version,
    about,
    args_conflicts_with_subcommands = true,
    after_long_help = help::LINT,
    after_help = "For the full description of each option, see `wflint --help`.",
    mut_args = need_simulate
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Run the scenario files in PATHS instead of linting, as `wflint simulate` does
    #[arg(long, conflicts_with_all = lint::NOT_WITH_SIMULATE)]
    pub simulate: bool,
    /// With `--simulate`: apply small changes to the workflows, and list those that no scenario notices
    #[arg(long, help_heading = MUTANTS, requires = "simulate")]
    pub mutants: bool,
    #[command(flatten)]
    pub lint: LintOptions,
    #[command(flatten)]
    pub coverage: CoverageOptions,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Lint files and folders; the same as `wflint` without a command
    #[command(after_long_help = help::LINT)]
    Check(Box<LintOptions>),
    /// Run scenario files (`*.scenario.yaml`, `.yml`, `.json` or `.toml`)
    #[command(after_long_help = help::SIMULATE, mut_arg("format", output::of_runs))]
    Simulate(SimulateOptions),
    /// Explore every possible run of an order: how orders can end, and which laws they break
    #[command(after_long_help = help::EXPLORE, mut_arg("format", output::of_runs))]
    Explore(ExploreOptions),
    /// Show what a change means: for activities, variables and fields, and for how orders can end
    #[command(after_long_help = help::DIFF)]
    Diff(DiffOptions),
    /// Write starter files: a commented `wflint.toml`, a scenario, CI and hooks
    #[command(after_long_help = help::INIT)]
    Init(InitOptions),
    /// Format documents: one stable form, for readable diffs
    #[command(after_long_help = help::FMT)]
    Fmt(FmtOptions),
    /// Write catalogs, which describe the methods of plug-ins
    #[command(after_long_help = help::CATALOG, subcommand)]
    Catalog(CatalogCommand),
    /// Draw a workflow with its findings, as Mermaid, dot or SVG
    #[command(after_long_help = help::GRAPH)]
    Graph(GraphOptions),
    /// Start the language server, which shows findings in editors
    #[command(after_long_help = help::LSP)]
    Lsp {
        /// Use standard input and output; always the case, accepted because many editors pass it
        #[arg(long)]
        stdio: bool,
    },
    /// Explain a rule, or show a run that proves a finding
    #[command(after_long_help = help::EXPLAIN)]
    Explain {
        /// Code or name of the rule, such as `WF201` or `missing-required-parameter`
        #[arg(required_unless_present = "run")]
        rule: Option<String>,
        /// Show a run that proves the finding on this line, and its scenario
        #[arg(long, value_name = "FILE:LINE", conflicts_with_all = ["rule", "all", "format"])]
        run: Option<String>,
        /// Show also the findings in the examples of the page
        #[arg(long)]
        all: bool,
        /// Output format
        #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = PageFormat::Human)]
        format: PageFormat,
        /// Control when colored output is used
        #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
        color: Color,
    },
    /// List all rules
    #[command(after_long_help = help::RULES)]
    Rules {
        /// Output format
        #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = ListFormat::Human)]
        format: ListFormat,
    },
    /// Print a JSON Schema
    #[command(after_long_help = help::SCHEMA)]
    Schema {
        /// Name of the schema
        #[arg(value_parser = clap::builder::PossibleValuesParser::new(super::schema::names()))]
        name: String,
    },
    /// Print a script that completes commands and options in a shell
    #[command(after_long_help = help::COMPLETIONS)]
    Completions {
        /// The shell that runs the script
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write the man pages: `wflint.1`, `wflint-explain.1` and so on
    #[command(after_long_help = help::MAN)]
    Man {
        /// Folder for the pages; created if it does not exist
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

/// Requires `--simulate` for the options that are about scenarios.
fn need_simulate(argument: Arg) -> Arg {
    if coverage::WITH_SIMULATE.contains(&argument.get_id().as_str()) { argument.requires("simulate") } else { argument }
}

#[derive(Debug, Args)]
pub(super) struct SimulateOptions {
    /// Scenario files, or folders that contain them [default: .]
    pub paths: Vec<PathBuf>,
    /// Apply small changes to the workflows, one at a time, and list those that no scenario notices
    #[arg(long, help_heading = MUTANTS)]
    pub mutants: bool,
    /// Mutate only activities that have changed since this git revision; with `...` after it, since its merge base with
    /// `HEAD`
    #[arg(long, help_heading = MUTANTS, value_name = "REV", requires = "mutants")]
    pub since: Option<String>,
    #[command(flatten)]
    pub coverage: CoverageOptions,
    #[command(flatten)]
    pub run: RunOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    Human,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PageFormat {
    /// For the terminal
    Human,
    /// The page as it is written
    Markdown,
}
