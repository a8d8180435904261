//! `--format gitlab`: a Code Quality report, which GitLab shows in merge requests.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::escape::visible;
use super::findings::Report;
use super::fingerprints::fingerprints;
use super::json::write_json;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lint::Omitted;
use crate::rules::Group;

#[derive(Serialize)]
struct Issue<'r> {
    #[serde(rename = "type")]
    kind: &'static str,
    check_name: &'static str,
    description: Cow<'r, str>,
    categories: [&'static str; 1],
    severity: &'static str,
    /// Unique in the report.
    fingerprint: String,
    location: IssueLocation<'r>,
}

#[derive(Serialize)]
struct IssueLocation<'r> {
    path: &'r str,
    lines: Lines,
}

/// From 1; both are included.
#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut fingerprints = fingerprints(report).into_iter();
    let mut issues = Vec::new();
    for (diagnostic, fingerprint) in report.diagnostics().iter().zip(&mut fingerprints) {
        issues.push(of_finding(report, diagnostic, fingerprint));
    }
    for (omitted, fingerprint) in report.omitted().iter().zip(fingerprints) {
        issues.push(of_omitted(report, omitted, fingerprint));
    }
    write_json(&issues, out)
}

fn of_finding<'r>(report: &Report<'r>, diagnostic: &'r Diagnostic, fingerprint: String) -> Issue<'r> {
    let location = &diagnostic.location;
    let (start, end) = report.range(location.file, location.span);
    let help = diagnostic.help.as_deref().map_or_else(String::new, |help| format!("; {help}"));
    Issue {
        kind: "issue",
        check_name: diagnostic.code,
        description: format!("{}: {}", diagnostic.code, visible(&format!("{}{help}", diagnostic.message))).into(),
        categories: [category(diagnostic.code)],
        severity: severity(diagnostic.code, diagnostic.severity),
        fingerprint,
        location: IssueLocation {
            path: report.file_name(location.file),
            lines: Lines { begin: start.line, end: end.line },
        },
    }
}

fn of_omitted<'r>(report: &Report<'r>, omitted: &Omitted, fingerprint: String) -> Issue<'r> {
    Issue {
        kind: "issue",
        check_name: omitted.code,
        description: omitted.message().into(),
        categories: [category(omitted.code)],
        severity: severity(omitted.code, omitted.severity),
        fingerprint,
        location: IssueLocation { path: report.file_name(omitted.file), lines: Lines { begin: 1, end: 1 } },
    }
}

/// One of the categories of the Code Climate specification, which GitLab follows.
fn category(code: &str) -> &'static str {
    if Group::of(code) == Some(Group::Security) { "Security" } else { "Bug Risk" }
}

fn severity(code: &str, severity: Severity) -> &'static str {
    match severity {
        Severity::Error if Group::of(code) == Some(Group::Security) => "critical",
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Info => "info",
    }
}
