//! `--format gitlab`: a Code Quality report, which GitLab shows in merge requests.

use std::io::{self, Write};

use serde::Serialize;

use super::escape::visible;
use super::fingerprints::fingerprints;
use super::object::{object, write_json};
use super::results::Report;
use crate::rules::Group;
use crate::text::diagnostic::Severity;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut fingerprints = fingerprints(report).into_iter();
    let mut issues = Vec::new();
    for (diagnostic, fingerprint) in report.diagnostics().iter().zip(&mut fingerprints) {
        let (start, end) = report.range(diagnostic.location.file, diagnostic.location.span);
        let description = format!("{}: {}", diagnostic.code, visible(&diagnostic.message_with_help()));
        let location = location(report.file_name(diagnostic.location.file), start.line, end.line);
        issues.push(issue(diagnostic.code, description, diagnostic.severity, fingerprint, location));
    }
    for (omitted, fingerprint) in report.outcome.omitted.iter().zip(fingerprints) {
        let location = location(report.file_name(omitted.file), 1, 1);
        issues.push(issue(omitted.code, omitted.message(), omitted.severity, fingerprint, location));
    }
    write_json(&issues, out)
}

/// `fingerprint` is unique in the report.
fn issue<L: Serialize>(
    code: &'static str,
    description: String,
    severity: Severity,
    fingerprint: String,
    location: L,
) -> impl Serialize + use<L> {
    object()
        .with("type", "issue")
        .with("check_name", code)
        .with("description", description)
        .with("categories", [category(code)])
        .with("severity", severity_of(code, severity))
        .with("fingerprint", fingerprint)
        .with("location", location)
}

/// Lines are from 1; both are included.
fn location(path: &str, begin: u32, end: u32) -> impl Serialize {
    object().with("path", path).with("lines", object().with("begin", begin).with("end", end))
}

/// One of the categories of the Code Climate specification, which GitLab follows.
fn category(code: &str) -> &'static str {
    if Group::of(code) == Some(Group::Security) { "Security" } else { "Bug Risk" }
}

fn severity_of(code: &str, severity: Severity) -> &'static str {
    match severity {
        Severity::Error if Group::of(code) == Some(Group::Security) => "critical",
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Info => "info",
    }
}
