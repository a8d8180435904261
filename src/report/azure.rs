//! `--format azure`: logging commands of Azure Pipelines, which lists them as issues of the run.

use std::io::{self, Write};

use super::escape::visible;
use super::results::Report;
use crate::text::diagnostic::Severity;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for diagnostic in report.diagnostics() {
        let location = &diagnostic.location;
        let (start, _) = report.range(location.file, location.span);
        writeln!(
            out,
            "##vso[task.logissue type={};sourcepath={};linenumber={};columnnumber={};code={};]{}",
            issue_type(diagnostic.severity),
            property(report.file_name(location.file)),
            start.line,
            start.column,
            diagnostic.code,
            data(&diagnostic.message_with_help()),
        )?;
    }
    for omitted in &report.outcome.omitted {
        writeln!(
            out,
            "##vso[task.logissue type={};sourcepath={};code={};]{}",
            issue_type(omitted.severity),
            property(report.file_name(omitted.file)),
            omitted.code,
            data(&omitted.message()),
        )?;
    }
    Ok(())
}

/// Azure Pipelines knows errors and warnings alone.
const fn issue_type(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning | Severity::Info => "warning",
    }
}

/// Escapes as Microsoft documents for the message of a logging command. Line ends are escapes already.
fn data(text: &str) -> String {
    visible(text).replace('%', "%AZP25")
}

/// Escapes as Microsoft documents for a property, which ends at a semicolon, and the properties at a bracket.
fn property(text: &str) -> String {
    data(text).replace(';', "%3B").replace(']', "%5D")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_forge_a_command() {
        assert_eq!(data("x\r\n##vso[task.complete]%0A"), "x\\r\\n#\\u{23}vso[task.complete]%AZP250A");
        assert_eq!(property("a;type=error]b%3B"), "a%3Btype=error%5Db%AZP253B");
    }
}
