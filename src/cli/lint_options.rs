//! The options of linting.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args};

use super::options::RunOptions;
use super::options::headings::{FILE_SELECTION, FIXES, KNOWN_FINDINGS, MISCELLANEOUS, OUTPUT, RULE_SELECTION};
use crate::config::FailOn;
use crate::lint::{Choice, Spot};
use crate::project::Shard;
use crate::text::diagnostic::Severity;

#[derive(Debug, Default, Args)]
pub(super) struct LintOptions {
    /// Files and folders, lines of files (`FILE:LINE`), or `-` for standard input [default: .]
    #[arg(hide_short_help = true)]
    pub paths: Vec<PathBuf>,
    /// The lines among the paths, which then are their files.
    #[arg(skip)]
    pub spots: Vec<Spot>,
    /// Apply safe fixes and report the remaining findings
    #[arg(long, help_heading = FIXES, conflicts_with = "watch")]
    pub fix: bool,
    /// Include fixes that may change what a workflow does
    ///
    /// For `--fix` and `--diff`.
    #[arg(long, help_heading = FIXES)]
    pub unsafe_fixes: bool,
    /// Show what `--fix` would change, as a diff
    #[arg(long, help_heading = FIXES, conflicts_with = "watch")]
    pub diff: bool,
    /// Rules to enable: codes, names, groups, presets or `ALL`
    ///
    /// The list is comma-separated, and takes prefixes of codes (`WF2`). The presets are `recommended`, the default, and `strict`, which is everything. If both `--select` and `--ignore` match a rule, the last one wins.
    #[arg(long, help_heading = RULE_SELECTION, value_name = "RULE", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Rules to disable, comma-separated
    #[arg(long, help_heading = RULE_SELECTION, value_name = "RULE", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Do not report the findings in this baseline file
    #[arg(long, help_heading = KNOWN_FINDINGS, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the findings to the baseline file if it does not exist; otherwise remove its entries that no longer
    /// occur, and add none
    #[arg(long, hide_short_help = true, help_heading = KNOWN_FINDINGS, conflicts_with_all = ["fix", "diff", "watch"])]
    pub write_baseline: bool,
    /// Report entries of the baseline that no longer occur as errors
    #[arg(long, hide_short_help = true, help_heading = KNOWN_FINDINGS)]
    pub strict_baseline: bool,
    /// Report only what is new since this git revision
    ///
    /// With `...` after it, since its merge base with `HEAD`.
    #[arg(
        long,
        help_heading = KNOWN_FINDINGS,
        value_name = "REV",
        conflicts_with_all = ["write_baseline", "show_files", "show_settings"]
    )]
    pub since: Option<String>,
    /// Suppress each finding: add a `[[suppress]]` entry with this reason to the `wflint.toml` of its file
    #[arg(
        long, hide_short_help = true,
        help_heading = KNOWN_FINDINGS,
        value_name = "REASON",
        value_parser = reason,
        conflicts_with_all = ["diff", "write_baseline", "isolated", "watch"]
    )]
    pub add_suppressions: Option<String>,
    /// Skip named files that are not documents, for hooks that pass every changed JSON file
    #[arg(long, hide_short_help = true, help_heading = FILE_SELECTION)]
    pub skip_unrelated: bool,
    /// Leave out named files and folders that `exclude` matches, for hooks that pass every changed file
    #[arg(long, hide_short_help = true, help_heading = FILE_SELECTION)]
    pub force_exclude: bool,
    /// List the files instead of linting them: the kind and service of each one, or why it is skipped
    #[arg(
        long, hide_short_help = true,
        help_heading = FILE_SELECTION,
        conflicts_with_all = ["fix", "diff", "write_baseline", "add_suppressions", "statistics", "watch"]
    )]
    pub show_files: bool,
    /// Lint the I-th of N parts of the services, for CI that spreads work over machines
    #[arg(
        long, hide_short_help = true,
        help_heading = FILE_SELECTION,
        value_name = "I/N",
        conflicts_with_all = ["write_baseline", "add_suppressions", "show_files", "show_settings"]
    )]
    pub shard: Option<Shard>,
    /// Name of the file that is read from standard input
    #[arg(long, hide_short_help = true, help_heading = FILE_SELECTION, value_name = "FILE", conflicts_with = "watch")]
    pub stdin_filename: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunOptions,
    /// Minimum severity that is listed; the summary counts all findings [default: info]
    #[arg(long, hide_short_help = true, help_heading = OUTPUT, value_name = "SEVERITY", value_parser = severity())]
    pub show: Option<Severity>,
    /// Print settings, files, and how scripts are run, to standard error
    #[arg(long, hide_short_help = true, short, help_heading = OUTPUT, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Print the number of findings per rule instead of the findings, with a mark if fixes are available: `[*]` safe,
    /// `[-]` unsafe
    #[arg(long, hide_short_help = true, help_heading = OUTPUT)]
    pub statistics: bool,
    /// Print how long phases, services, rules and scripts take, to standard error
    #[arg(long, hide_short_help = true, help_heading = MISCELLANEOUS)]
    pub timing: bool,
    /// Minimum severity that makes the exit code 1 [default: warning]
    #[arg(long, hide_short_help = true, help_heading = MISCELLANEOUS, value_name = "SEVERITY", value_parser = fail_on())]
    pub fail_on: Option<FailOn>,
    /// Same as `--fail-on never`
    #[arg(long, hide_short_help = true, help_heading = MISCELLANEOUS, conflicts_with = "fail_on")]
    pub exit_zero: bool,
    /// Print the configuration that applies to a path, and the origin of each value, instead of linting
    #[arg(
        long, hide_short_help = true,
        help_heading = MISCELLANEOUS,
        value_name = "PATH",
        num_args = 0..=1,
        conflicts_with_all = ["fix", "diff", "write_baseline", "add_suppressions", "statistics", "show_files", "watch"]
    )]
    #[expect(clippy::option_option, reason = "the option may have no value")]
    pub show_settings: Option<Option<PathBuf>>,
    /// Do not run the scripts of Code activities
    #[arg(long, hide_short_help = true, help_heading = MISCELLANEOUS)]
    pub no_scripts: bool,
}

impl LintOptions {
    /// The minimum severity that makes the exit code 1, if an option sets it.
    pub fn fail_on(&self) -> Option<FailOn> {
        if self.exit_zero { Some(FailOn::Never) } else { self.fail_on }
    }
}

/// Refuses a blank reason.
fn reason(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("expected a reason, found a blank string") } else { Ok(text.to_owned()) }
}

fn severity() -> impl TypedValueParser<Value = Severity> {
    PossibleValuesParser::new(["error", "warning", "info"]).map(|word| match word.as_str() {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => Severity::Info,
    })
}

fn fail_on() -> impl TypedValueParser<Value = FailOn> {
    PossibleValuesParser::new(["error", "warning", "info", "never"]).map(|word| match word.as_str() {
        "error" => FailOn::Error,
        "warning" => FailOn::Warning,
        "info" => FailOn::Info,
        _ => FailOn::Never,
    })
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
