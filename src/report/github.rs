//! Workflow commands, which GitHub shows at the lines of a pull request.

use std::io::{self, Write};

use super::escape::visible;
use super::results::Results;
use crate::text::diagnostic::Severity;

pub(super) fn write(results: &dyn Results, out: &mut dyn Write) -> io::Result<()> {
    let report = results.report();
    for finding in results.findings() {
        let diagnostic = &finding.diagnostic;
        let (start, end) = report.range(diagnostic.location.file, diagnostic.location.span);
        let title = finding.title.unwrap_or_else(|| format!("{} {}", diagnostic.code, diagnostic.name));
        writeln!(
            out,
            "::{} file={},line={},endLine={},col={},endColumn={},title={}::{}",
            command(diagnostic.severity),
            property(report.file_name(diagnostic.location.file)),
            start.line,
            end.line,
            start.column,
            end.column,
            property(&title),
            data(&diagnostic.message_with_help()),
        )?;
    }
    for omitted in results.omitted() {
        let (command, file) = (command(omitted.severity), property(report.file_name(omitted.file)));
        writeln!(out, "::{command} file={file}::{}", data(&omitted.message()))?;
    }
    Ok(())
}

const fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    }
}

/// Escapes as GitHub documents for the message of a workflow command.
fn data(text: &str) -> String {
    visible(text).replace('%', "%25")
}

/// Escapes as GitHub documents for the value of a property, which ends at a comma or colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_forge_a_command() {
        assert_eq!(data("x\n::error::forged %0A"), "x\\n::error::forged %250A");
        assert_eq!(property("a,line=9:b"), "a%2Cline=9%3Ab");
    }
}
