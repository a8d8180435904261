//! Workflow commands, which GitHub shows at the lines of a pull request.

use std::io::{self, Write};

use super::escape::visible;
use super::findings::Report;
use crate::diagnostic::Severity;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for diagnostic in report.diagnostics() {
        let location = &diagnostic.location;
        let (start, end) = report.range(location.file, location.span);
        let command = command(diagnostic.severity);
        let help = diagnostic.help.as_deref().map_or_else(String::new, |help| format!("; {help}"));
        writeln!(
            out,
            "::{command} file={},line={},endLine={},col={},endColumn={},title={}::{}",
            property(report.file_name(location.file)),
            start.line,
            end.line,
            start.column,
            end.column,
            property(&format!("{} {}", diagnostic.code, diagnostic.name)),
            data(&format!("{}{help}", diagnostic.message)),
        )?;
    }
    for omitted in report.omitted() {
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
pub(super) fn data(text: &str) -> String {
    visible(text).replace('%', "%25")
}

/// Escapes as GitHub documents for the value of a property, which ends at a comma or colon.
pub(super) fn property(text: &str) -> String {
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
