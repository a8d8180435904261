//! `--format sarif`: SARIF 2.1.0, for code scanning. It keeps to the limits of GitHub.

mod log;
mod result;
mod rules;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use super::results::Report;
use super::fingerprints::fingerprints;
use super::object::write_json;
use crate::diagnostic::Diagnostic;
use crate::lint::Omitted;
use crate::text::count;
use log::{AutomationDetails, BaseLocation, Driver, Invocation, Log, Message, Notification, Run, RunProperties};
use log::{RuleReference, Tool, level};
use rules::RuleIndex;

/// Results that GitHub accepts of a run.
const MAX_RESULTS: usize = 25_000;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    write_json(&log(report, MAX_RESULTS), out)
}

/// The log with at most `max` results.
fn log(report: &Report<'_>, max: usize) -> Log {
    let rules = RuleIndex::of(report);
    let findings = report.diagnostics().iter().map(Box::as_ref);
    let mut findings: Vec<(&Diagnostic, String)> = findings.zip(fingerprints(report)).collect();
    // The sort is stable: within a severity, the order is that of the report.
    findings.sort_by_key(|(finding, _)| Reverse(finding.severity));
    let left_out = findings.len().saturating_sub(max);
    findings.truncate(max);
    let results = findings.into_iter().map(|(finding, fingerprint)| result::of(report, &rules, finding, &fingerprint));
    let description = "The folder in which wflint ran, usually the root of the repository.".to_owned();
    let summary = report.outcome.summary;
    Log {
        schema: log::SCHEMA,
        version: log::VERSION,
        runs: [Run {
            results: results.collect(),
            invocations: [Invocation {
                execution_successful: report.outcome.unreadable.is_empty(),
                tool_execution_notifications: notifications(report, &rules, left_out),
            }],
            automation_details: AutomationDetails { id: category(report) },
            original_uri_base_ids: BTreeMap::from([(
                log::ROOT,
                BaseLocation { description: Message { text: description } },
            )]),
            column_kind: "unicodeCodePoints",
            properties: RunProperties { suppressed: summary.suppressed, baselined: summary.baselined },
            tool: Tool {
                driver: Driver {
                    name: env!("CARGO_PKG_NAME"),
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    information_uri: env!("CARGO_PKG_REPOSITORY"),
                    rules: rules.descriptors(),
                },
            },
        }],
    }
}

/// Reports of several parts of a run stand side by side.
fn category(report: &Report<'_>) -> String {
    let part = report.outcome.shard.map(|shard| format!("{}-of-{}/", shard.index(), shard.count()));
    format!("wflint/{}", part.unwrap_or_default())
}

/// Notifications about what the results do not show: files that were not read, and findings that are only counted.
fn notifications(report: &Report<'_>, rules: &RuleIndex, left_out: usize) -> Vec<Notification> {
    let plain = |level, text: &str| Notification {
        level,
        message: Message { text: result::plain(text) },
        associated_rule: None,
        locations: Vec::new(),
    };
    let unreadable = report.outcome.unreadable.iter().map(|reason| plain("error", reason));
    let notes = report.outcome.notes.iter().map(|note| plain("note", note));
    let omitted = report.outcome.omitted.iter().map(|omitted| of_omitted(report, rules, omitted));
    let left_out = (left_out > 0).then(|| {
        let text = format!("{} not listed: a run has at most {MAX_RESULTS} results", count(left_out, "more finding"));
        plain("warning", &text)
    });
    unreadable.chain(notes).chain(omitted).chain(left_out).collect()
}

fn of_omitted(report: &Report<'_>, rules: &RuleIndex, omitted: &Omitted) -> Notification {
    Notification {
        level: level(omitted.severity),
        message: Message { text: result::plain(&omitted.message()) },
        associated_rule: Some(RuleReference { id: omitted.code, index: rules.index(omitted.code) }),
        locations: vec![result::place_of_file(report, omitted.file)],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::diagnostic::{FileId, Label, Location, Severity};
    use crate::lint::Outcome;
    use crate::report::style::Style;
    use crate::source::{SourceFile, Span};

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
