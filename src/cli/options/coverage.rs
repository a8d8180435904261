//! The options about what scenarios cover.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};

use super::headings::COVERAGE;
use crate::report::CoverageFormat;

#[derive(Debug, Default, Args)]
pub(crate) struct CoverageOptions {
    /// Write which activities and branches scenarios cover to this file: LCOV (`*.lcov`, `*.info`) or Cobertura XML
    /// (`*.xml`); repeatable
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

/// The options above that require `--simulate` in the top-level command.
pub(super) const WITH_SIMULATE: [&str; 4] = ["coverage_output", "fail_under", "suggest", "write"];

/// A file of `--coverage-output`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CoverageFile {
    pub format: CoverageFormat,
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
        let ends = |end: &str| name.ends_with(end) && !is_folder(&path);
        let format = match () {
            () if ends(".lcov") || ends(".info") => CoverageFormat::Lcov,
            () if ends(".xml") => CoverageFormat::Cobertura,
            () => return Err("expected a file that ends in `.lcov` or `.info` (LCOV) or in `.xml` (Cobertura)"),
        };
        Ok(Self { format, path })
    }
}

/// Whether a path ends in a separator, so that it can only be a folder.
fn is_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator)
}

/// A percentage, which may have decimals.
fn percent(text: &str) -> Result<f64, &'static str> {
    const EXPECTED: &str = "expected a number from 0 to 100";
    let is_plain = text.chars().all(|character| character.is_ascii_digit() || character == '.');
    let number = text.parse().ok().filter(|number| is_plain && (0.0..=100.0).contains(number));
    number.ok_or(EXPECTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_follows_from_the_end_of_the_name() {
        let format = |value: &str| CoverageFile::parse(value.into()).ok().map(|file| file.format);
        for file in ["a.lcov", "b/lcov.info", "A.LCOV", ".info", "C:\\a.info"] {
            assert_eq!(format(file), Some(CoverageFormat::Lcov), "{file}");
        }
        assert_eq!(format("a.b.xml"), Some(CoverageFormat::Cobertura));
        for file in ["", "a", "lcov", "a.html", "a.xml/", "a.xml.gz", "xml"] {
            assert_eq!(format(file), None, "{file}");
        }
    }

    #[test]
    fn percentage_is_from_0_to_100() {
        for (text, number) in [("0", 0.0), ("100", 100.0), ("66.7", 66.7), ("100.0", 100.0), (".5", 0.5)] {
            assert_eq!(percent(text), Ok(number));
        }
        for text in ["", ".", "-1", "-0", "101", "100.01", "80%", "nan", "inf", "1e1", "0x1", " 1", "1 "] {
            assert!(percent(text).is_err(), "{text}");
        }
    }
}
