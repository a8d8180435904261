//! `--format concise`: one line for each finding, `file:line:column: code severity message`.

use std::io::{self, Write};

use super::escape::visible;
use super::results::Results;

pub(super) fn write(results: &dyn Results, out: &mut dyn Write) -> io::Result<()> {
    let report = results.report();
    for finding in results.findings() {
        let diagnostic = &finding.diagnostic;
        let (place, message) = (report.place(&diagnostic.location), visible(&diagnostic.message));
        writeln!(out, "{}: {} {} {message}", visible(&place), diagnostic.code, diagnostic.severity.word())?;
    }
    for omitted in results.omitted() {
        writeln!(out, "{}: {}", visible(report.file_name(omitted.file)), omitted.message())?;
    }
    Ok(())
}
