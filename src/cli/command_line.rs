//! The command line, as clap reads it.

use std::path::PathBuf;

use clap::{Arg, ArgAction, Parser, Subcommand};
use clap_complete::Shell;

use super::catalog::CatalogCommand;
use super::diff::DiffOptions;
use super::explore::ExploreOptions;
use super::fmt::FmtOptions;
use super::graph::GraphOptions;
use super::help;
use super::init::InitOptions;
use super::lint_options::LintOptions;
use super::options::headings::OUTPUT;
use super::options::{Color, SIMULATE, SimulateOptions, of_runs};
use super::reference::{PageFormat, schema_names};
use super::report::ReportOptions;
use super::rules::RulesOptions;

/// Lints the workflow and form documents of an order-workflow automation platform.
#[derive(Debug, Parser)]
#[command(
    name = "wflint",
    version,
    about,
    args_conflicts_with_subcommands = true,
    after_long_help = help::LINT,
    arg = simulate()
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub lint: LintOptions,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Show what wflint does, on a small service with mistakes
    #[command(after_long_help = help::TOUR)]
    Tour,
    /// Lint files and folders, as `wflint` does without a command
    #[command(after_long_help = help::LINT)]
    Check(Box<LintOptions>),
    /// Run scenarios, and check what they expect
    ///
    /// Scenarios are files named `*.scenario.yaml`, `.yml`, `.json` or `.toml`.
    #[command(after_long_help = help::SIMULATE, mut_arg("format", of_runs), mut_arg("watch", shown))]
    Simulate(SimulateOptions),
    /// List how orders can end, and which laws they break
    ///
    /// Explores every possible run of an order: each choice of people, providers and time.
    #[command(after_long_help = help::EXPLORE, mut_arg("format", of_runs))]
    Explore(ExploreOptions),
    /// Show what a change means for orders
    ///
    /// Compares activities, variables and fields, and how orders can end.
    #[command(after_long_help = help::DIFF)]
    Diff(DiffOptions),
    /// Write a page that shows services to people who do not read JSON
    ///
    /// One HTML file with the drawing, findings, ends, scenarios and laws of each service, and what it does in words.
    #[command(after_long_help = help::REPORT)]
    Report(ReportOptions),
    /// Write starter files: `wflint.toml`, a scenario, CI, hooks
    #[command(after_long_help = help::INIT)]
    Init(InitOptions),
    /// Format documents in one stable form, for readable diffs
    #[command(after_long_help = help::FMT)]
    Fmt(FmtOptions),
    /// Write catalogs, which describe the methods of plug-ins
    #[command(after_long_help = help::CATALOG, subcommand)]
    Catalog(CatalogCommand),
    /// Draw a workflow with its findings, or say it in words
    #[command(after_long_help = help::GRAPH)]
    Graph(GraphOptions),
    /// Start the language server, for findings in editors
    #[command(after_long_help = help::LSP)]
    Lsp {
        /// Use standard input and output; always the case, accepted because many editors pass it
        #[arg(long)]
        stdio: bool,
    },
    /// Explain a rule, or prove a finding by a run
    #[command(after_long_help = help::EXPLAIN)]
    Explain {
        /// Code or name of the rule, such as `WF201` or `missing-required-parameter`, or an assumption, such as `A19`
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
    /// List all rules, or test and write your own
    #[command(after_long_help = help::RULES)]
    Rules(RulesOptions),
    /// Print a JSON Schema
    #[command(after_long_help = help::SCHEMA)]
    Schema {
        /// Name of the schema
        #[arg(value_parser = clap::builder::PossibleValuesParser::new(schema_names()))]
        name: String,
    },
    /// Print a script that completes commands in a shell
    #[command(after_long_help = help::COMPLETIONS)]
    Completions {
        /// The shell that runs the script
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write the man pages
    ///
    /// The files are `wflint.1`, `wflint-explain.1` and so on.
    #[command(after_long_help = help::MAN)]
    Man {
        /// Folder for the pages; created if it does not exist
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

/// For help, completions and man pages: [`super::run`] reads it as the command.
fn simulate() -> Arg {
    let help = "Run scenarios instead, the same as `wflint simulate`";
    Arg::new(SIMULATE).long(SIMULATE).action(ArgAction::SetTrue).help(help)
}

/// Shows an option in the short help.
fn shown(argument: Arg) -> Arg {
    argument.hide_short_help(false)
}
