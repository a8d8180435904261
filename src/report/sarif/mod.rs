//! `--format sarif`: SARIF 2.1.0 (OASIS), for code scanning. It keeps to the limits of GitHub.

mod result;
mod rules;

use std::cmp::Reverse;
use std::io::{self, Write};

use serde::Serialize;

use super::fingerprints::fingerprints;
use super::object::{object, write_json};
use super::results::Report;
use crate::lint::{Omitted, Outcome};
use crate::text::count;
use crate::text::diagnostic::Diagnostic;
use result::{message, place_of_file};
use rules::{RuleIndex, level};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Results that GitHub accepts of a run.
const MAX_RESULTS: usize = 25_000;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    write_json(&log(report, MAX_RESULTS), out)
}

/// The log with at most `max` results.
fn log<'r>(report: &'r Report<'r>, max: usize) -> impl Serialize + use<'r> {
    let rules = RuleIndex::of(report);
    let findings = report.diagnostics().iter().map(Box::as_ref);
    let mut findings: Vec<(&Diagnostic, String)> = findings.zip(fingerprints(report)).collect();
    // The sort is stable: within a severity, the order is that of the report.
    findings.sort_by_key(|(finding, _)| Reverse(finding.severity));
    let left_out = findings.len().saturating_sub(max);
    findings.truncate(max);
    let summary = report.outcome.summary;
    let driver = object()
        .with("name", env!("CARGO_PKG_NAME"))
        .with("semanticVersion", env!("CARGO_PKG_VERSION"))
        .with("informationUri", env!("CARGO_PKG_REPOSITORY"))
        .with("rules", rules.descriptors());
    let notifications = notifications(report, &rules, left_out);
    let invocation = object()
        .with("executionSuccessful", report.outcome.unreadable.is_empty())
        .with_some("toolExecutionNotifications", Some(notifications).filter(|all| !all.is_empty()));
    let results = findings.into_iter().map(|(finding, fingerprint)| result::of(report, &rules, finding, &fingerprint));
    let root = "The folder in which wflint ran, usually the root of the repository.";
    let run = object()
        .with("tool", object().with("driver", driver))
        .with("automationDetails", object().with("id", category(report)))
        .with("invocations", [invocation])
        .with("originalUriBaseIds", object().with(result::ROOT, object().with("description", message(root))))
        .with("columnKind", "unicodeCodePoints")
        .with("results", results.collect::<Vec<_>>())
        .with("properties", object().with("suppressed", summary.suppressed).with("baselined", summary.baselined));
    object().with("$schema", SCHEMA).with("version", "2.1.0").with("runs", [run])
}

/// Reports of several parts of a run stand side by side: uploads with the same id replace each other.
fn category(report: &Report<'_>) -> String {
    let part = report.outcome.shard.map(|shard| format!("{}-of-{}/", shard.index(), shard.count()));
    format!("wflint/{}", part.unwrap_or_default())
}

/// Notifications about what the results do not show: files that were not read, and findings that are only counted.
fn notifications<'r>(report: &'r Report<'r>, rules: &RuleIndex, left_out: usize) -> Vec<impl Serialize + use<'r>> {
    let notification = |level: &'static str, text: &str, about: Option<&'r Omitted>| {
        let rule = about.map(|it| object().with("id", it.code).with("index", rules.index(it.code)));
        let place = about.map(|it| [place_of_file(report, it.file)]);
        object()
            .with("level", level)
            .with("message", message(text))
            .with_some("associatedRule", rule)
            .with_some("locations", place)
    };
    let Outcome { unreadable, notes, omitted, .. } = report.outcome;
    let unreadable = unreadable.iter().map(|reason| notification("error", reason, None));
    let notes = notes.iter().map(|note| notification("note", note, None));
    let omitted = omitted.iter().map(|it| notification(level(it.severity), &it.message(), Some(it)));
    let left_out = (left_out > 0).then(|| {
        let text = format!("{} not listed: a run has at most {MAX_RESULTS} results", count(left_out, "more finding"));
        notification("warning", &text, None)
    });
    unreadable.chain(notes).chain(omitted).chain(left_out).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::report::style::Style;
    use crate::text::diagnostic::{FileId, Label, Location, Severity};
    use crate::text::source::{SourceFile, Span};

    fn finding(severity: Severity, start: u32) -> Diagnostic {
        let message = "undefined variable".to_owned();
        Diagnostic::new("WF101", "unknown-variable", severity, message, place(start))
    }

    fn place(start: u32) -> Location {
        Location { file: FileId(0), pointer: "/a".to_owned(), span: Span::new(start, start + 3) }
    }

    fn run(diagnostics: Vec<Diagnostic>, omitted: Vec<Omitted>, max: usize) -> serde_json::Value {
        let source = SourceFile::new("a.json".into(), "a.json".to_owned(), "1\r\n23\n4567".into());
        let sources = BTreeMap::from([(FileId(0), source)]);
        let diagnostics = diagnostics.into_iter().map(Box::new).collect();
        let outcome = Outcome { sources, diagnostics, omitted, ..Outcome::default() };
        let report = Report { outcome: &outcome, style: Style::default() };
        serde_json::to_value(log(&report, max)).unwrap()["runs"][0].take()
    }

    #[test]
    fn of_too_many_findings_the_least_severe_are_counted() {
        let findings = vec![finding(Severity::Info, 0), finding(Severity::Error, 1), finding(Severity::Warning, 3)];
        let run = run(findings, Vec::new(), 2);
        let levels: Vec<&str> =
            run["results"].as_array().unwrap().iter().map(|result| result["level"].as_str().unwrap()).collect();
        assert_eq!(levels, ["error", "warning"]);
        let notification = &run["invocations"][0]["toolExecutionNotifications"][0];
        assert_eq!(notification["message"]["text"], "1 more finding not listed: a run has at most 25000 results");
    }

    #[test]
    fn omitted_findings_are_a_notification_about_their_rule_and_file() {
        let (code, name) = ("WF101", "unknown-variable");
        let omitted = Omitted { file: FileId(0), code, name, severity: Severity::Error, count: 7 };
        let run = run(vec![finding(Severity::Error, 0)], vec![omitted], 10);
        let notification = &run["invocations"][0]["toolExecutionNotifications"][0];
        assert_eq!(notification["associatedRule"], serde_json::json!({ "id": "WF101", "index": 0 }));
        assert_eq!(notification["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a.json");
        assert!(notification["message"]["text"].as_str().unwrap().starts_with("7 more findings"));
    }

    #[test]
    fn region_ends_with_its_first_line() {
        let region = |start| {
            let run = run(vec![finding(Severity::Error, start)], Vec::new(), 1);
            let region = &run["results"][0]["locations"][0]["physicalLocation"]["region"];
            ["startLine", "startColumn", "endLine", "endColumn"].map(|key| region[key].as_u64().unwrap())
        };
        assert_eq!(region(0), [1, 1, 1, 2], "up to a CRLF");
        assert_eq!(region(4), [2, 2, 2, 3], "up to an LF");
        assert_eq!(region(6), [3, 1, 3, 4]);
    }

    #[test]
    fn places_and_steps_are_limited() {
        let label = |_| Label { location: place(0), message: "here".to_owned() };
        let (related, flow) = ((0..2_000).map(label).collect(), (0..2_000).map(label).collect());
        let run = run(vec![Diagnostic { related, flow, ..finding(Severity::Error, 0) }], Vec::new(), 1);
        let result = &run["results"][0];
        assert_eq!(result["relatedLocations"].as_array().unwrap().len(), 999, "and the place of the finding");
        assert_eq!(result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap().len(), 1_000);
        assert_eq!(result["message"]["text"].as_str().unwrap().matches("](").count(), 20);
    }
}
