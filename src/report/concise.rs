//! `--format concise`: one line for each finding, `file:line:column: code severity message`.

use std::io::{self, Write};

use super::escape::visible;
use super::findings::Report;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for diagnostic in report.diagnostics() {
        let location = &diagnostic.location;
        let (start, _) = report.range(location.file, location.span);
        writeln!(
            out,
            "{}:{}:{}: {} {} {}",
            visible(report.file_name(location.file)),
            start.line,
            start.column,
            diagnostic.code,
            diagnostic.severity.word(),
            visible(&diagnostic.message)
        )?;
    }
    for omitted in report.omitted() {
        writeln!(out, "{}: {}", visible(report.file_name(omitted.file)), omitted.message())?;
    }
    Ok(())
}
