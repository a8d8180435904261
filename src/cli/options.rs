//! The options that several commands share, and those of running scenarios.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, ValueEnum};

use crate::report::{CoverageFormat, Format, RunFormat};
use headings::{COVERAGE, MISCELLANEOUS, MUTANTS, OUTPUT};

/// The groups of options in the help.
pub(super) mod headings {
    pub const FIXES: &str = "Fixes";
    pub const LAWS: &str = "Laws";
    pub const COVERAGE: &str = "Coverage of scenarios";
    pub const SCENARIOS: &str = "Scenarios";
    pub const MUTANTS: &str = "Mutants";
    pub const RULE_SELECTION: &str = "Rule selection";
    pub const FILE_SELECTION: &str = "File selection";
    pub const KNOWN_FINDINGS: &str = "Known findings";
    pub const OUTPUT: &str = "Output";
    pub const MISCELLANEOUS: &str = "Miscellaneous";
}

/// The name of the command that is also an option.
pub(super) const SIMULATE: &str = "simulate";

#[derive(Debug, Default, Args)]
pub(super) struct RunOptions {
    /// Output format
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Write the report to this file
    ///
    /// The terminal shows a one-line summary. `FORMAT:FILE` writes one more report, in that format; repeatable.
    #[arg(long, help_heading = OUTPUT, value_name = "FILE", value_parser = OutputFile::parser())]
    pub output: Vec<OutputFile>,
    /// Folder that paths in reports are relative to [default: the current folder]
    #[arg(long, hide_short_help = true, help_heading = OUTPUT, value_name = "DIR")]
    pub relative_to: Option<PathBuf>,
    /// Print only findings, failures and errors, no summary
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
    /// Control when colored output is used
    #[arg(long, hide_short_help = true, help_heading = OUTPUT, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// Run again after each change of a file, until Ctrl-C (exit code 130)
    #[arg(long, hide_short_help = true, help_heading = OUTPUT)]
    pub watch: bool,
    #[command(flatten)]
    pub settings: SettingsOptions,
    /// Number of threads [default: number of CPU cores]
    #[arg(long, hide_short_help = true, help_heading = MISCELLANEOUS, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
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
pub(super) enum Color {
    /// Use color on a terminal; `FORCE_COLOR`, `NO_COLOR` and `CLICOLOR_FORCE` override this
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Clone, Default, Args)]
pub(super) struct SettingsOptions {
    /// Path to the `wflint.toml` to use for all files
    #[arg(long, hide_short_help = true, help_heading = MISCELLANEOUS, value_name = "FILE", conflicts_with = "isolated")]
    pub config: Option<PathBuf>,
    /// Ignore all configuration files
    #[arg(long, hide_short_help = true, help_heading = MISCELLANEOUS)]
    pub isolated: bool,
    /// Read files that a configuration or a scenario names wherever they are, not only below the repository
    #[arg(long, hide_short_help = true, help_heading = MISCELLANEOUS)]
    pub allow_outside: bool,
}

#[derive(Debug, Args)]
pub(super) struct SimulateOptions {
    /// Scenario files, or folders that contain them [default: .]
    pub paths: Vec<PathBuf>,
    /// Show the timeline of scenarios that passed, too
    #[arg(long, short, help_heading = OUTPUT, conflicts_with = "quiet")]
    pub verbose: bool,
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

#[derive(Debug, Default, Args)]
pub(super) struct CoverageOptions {
    /// Write which activities and branches scenarios cover to this file: LCOV (`*.lcov`, `*.info`), Cobertura XML
    /// (`*.xml`), or the page of `wflint report` (`*.html`); repeatable
    #[arg(long, help_heading = COVERAGE, value_name = "FILE", value_parser = CoverageFile::parser())]
    pub coverage_output: Vec<CoverageFile>,
    /// Fail if scenarios cover fewer than P percent of the activities and branches of all workflows
    #[arg(long, help_heading = COVERAGE, value_name = "P", value_parser = percent)]
    pub fail_under: Option<f64>,
    /// Suggest scenarios for what is not covered, found by exploring, and list what no order can reach
    #[arg(long, help_heading = COVERAGE, conflicts_with = "watch")]
    pub suggest: bool,
    /// With `--suggest`: write the scenarios to this folder, without overwriting files
    #[arg(long, help_heading = COVERAGE, value_name = "DIR", requires = "suggest")]
    pub write: Option<PathBuf>,
}

impl CoverageOptions {
    /// Whether coverage is needed for more than the numbers in the report.
    pub fn is_asked(&self) -> bool {
        !self.coverage_output.is_empty() || self.fail_under.is_some() || self.suggest
    }
}

/// A file of `--coverage-output`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CoverageFile {
    /// `None` for the page of the services.
    pub format: Option<CoverageFormat>,
    pub path: PathBuf,
}

impl CoverageFile {
    fn parser() -> impl TypedValueParser<Value = Self> {
        OsStringValueParser::new().try_map(Self::parse)
    }

    fn parse(value: OsString) -> Result<Self, &'static str> {
        let path = PathBuf::from(value);
        // A name that is not UTF-8 may still have such an end.
        let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let ends = |end: &str| name.ends_with(end);
        let format = match () {
            () if ends(".lcov") || ends(".info") => Some(CoverageFormat::Lcov),
            () if ends(".xml") => Some(CoverageFormat::Cobertura),
            () if ends(".html") => None,
            () => return Err("expected a file that ends in `.lcov`, `.info` (LCOV), `.xml` (Cobertura) or `.html`"),
        };
        Ok(Self { format, path })
    }
}

/// A percentage, which may have decimals.
fn percent(text: &str) -> Result<f64, &'static str> {
    const EXPECTED: &str = "expected a number from 0 to 100";
    let is_plain = text.chars().all(|character| character.is_ascii_digit() || character == '.');
    let number = text.parse().ok().filter(|number| is_plain && (0.0..=100.0).contains(number));
    number.ok_or(EXPECTED)
}

/// Restricts `--format` to the formats for runs.
pub(super) fn of_runs(format: Arg) -> Arg {
    let names = RunFormat::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    format.value_parser(PossibleValuesParser::new(names).try_map(|name| Format::from_str(&name, false)))
}

/// A file that gets a report: `FILE`, or `FORMAT:FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OutputFile {
    /// `None` for the format of `--format`.
    pub format: Option<Format>,
    pub path: PathBuf,
}

impl OutputFile {
    pub(super) fn parser() -> impl TypedValueParser<Value = Self> {
        OsStringValueParser::new().try_map(Self::parse)
    }

    /// Only the name of a format before the first colon is one: `C:\report` is a file.
    fn parse(value: OsString) -> Result<Self, String> {
        let of_format = |text: &str| {
            let (name, path) = text.split_once(':')?;
            Some(Self { format: Some(Format::from_str(name, false).ok()?), path: path.into() })
        };
        let output = value.to_str().and_then(of_format).unwrap_or_else(|| Self { format: None, path: value.into() });
        if output.path == Path::new("") { Err("expected a file".to_owned()) } else { Ok(output) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_follows_from_the_end_of_the_name() {
        let format = |value: &str| CoverageFile::parse(value.into()).ok().map(|file| file.format);
        for file in ["a.lcov", "b/lcov.info", "A.LCOV", ".info", "C:\\a.info"] {
            assert_eq!(format(file), Some(Some(CoverageFormat::Lcov)), "{file}");
        }
        assert_eq!(format("a.b.xml"), Some(Some(CoverageFormat::Cobertura)));
        assert_eq!(format("a.html"), Some(None));
        for file in ["", "a", "lcov", "html", "a.xml.gz", "xml"] {
            assert_eq!(format(file), None, "{file}");
        }
    }

    #[test]
    fn only_a_format_is_cut_off() {
        let parse = |value: &str| OutputFile::parse(value.into()).map(|output| (output.format, output.path));
        assert_eq!(parse("sarif:a.sarif"), Ok((Some(Format::Sarif), "a.sarif".into())));
        assert_eq!(parse("json:C:\\a.json"), Ok((Some(Format::Json), "C:\\a.json".into())));
        for file in ["C:\\report", "report", "./json:report", "Json:report", "yaml:report", "-"] {
            assert_eq!(parse(file), Ok((None, file.into())));
        }
        for file in ["", "json:"] {
            assert_eq!(parse(file), Err("expected a file".to_owned()));
        }
    }
}
