//! `--format markdown`: a summary of the run, for the page of a CI job or a comment.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::findings::Report;
use super::human;
use super::markup::{Table, code, message};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::page_address;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## wflint\n")?;
    for line in human::fixed_line(report).into_iter().chain([human::summary_line(report)]) {
        writeln!(out, "{}\n", message(&line))?;
    }
    let mut findings: Vec<&Diagnostic> = report.diagnostics().iter().map(Box::as_ref).collect();
    // The sort is stable: within a severity, the order is that of the report.
    findings.sort_by_key(|finding| Reverse(finding.severity));
    let mut table = Table::new(&["Severity", "Rule", "Place", "Finding"]);
    for finding in findings {
        table.add(&row(report, finding));
    }
    table.write(out)?;
    for omitted in report.omitted() {
        writeln!(out, "{} in {}.\n", message(&omitted.message()), code(report.file_name(omitted.file)))?;
    }
    Ok(())
}

fn row(report: &Report<'_>, finding: &Diagnostic) -> [String; 4] {
    let location = &finding.location;
    let (start, _) = report.range(location.file, location.span);
    let mut text = message(&finding.message);
    if let Some(help) = &finding.help {
        let _ = write!(text, "<br>Help: {}", message(help));
    }
    if let Some(fix) = &finding.fix {
        let _ = write!(text, "<br>Fix ({}): {}", fix.applicability.word(), message(&fix.title));
    }
    [
        severity(finding.severity).to_owned(),
        format!("[{}]({}) {}", finding.code, page_address(finding.code, finding.name), finding.name),
        code(&format!("{}:{}:{}", report.file_name(location.file), start.line, start.column)),
        text,
    ]
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "**error**",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}
