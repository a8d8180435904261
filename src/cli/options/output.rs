//! The values of `--output`, and those of `--format` for runs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ValueEnum};

use crate::report::{Format, RunFormat};

/// Restricts `--format` to the formats for runs.
pub(super) fn of_runs(format: Arg) -> Arg {
    let names = RunFormat::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    format.value_parser(PossibleValuesParser::new(names).try_map(|name| Format::from_str(&name, false)))
}

/// A file that gets a report: `FILE`, or `FORMAT:FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutputFile {
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
        let format = |text: &str| {
            let (name, path) = text.split_once(':')?;
            Some((Format::from_str(name, false).ok()?, PathBuf::from(path)))
        };
        let output = match value.to_str().map(|text| (format(text), text)) {
            Some((Some((format, path)), _)) => Self { format: Some(format), path },
            Some((None, text)) => Self { format: None, path: text.into() },
            None if format(&value.to_string_lossy()).is_some() => {
                return Err("the name of a file after a format must be UTF-8".to_owned());
            }
            None => Self { format: None, path: value.into() },
        };
        if output.path == Path::new("") { Err("expected a file".to_owned()) } else { Ok(output) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
