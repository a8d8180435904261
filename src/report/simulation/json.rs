//! A run as JSON; its trace is written entry by entry.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use jiff::SignedDuration;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

use super::words::Told;
use super::{Summary, TOOL};
use crate::diagnostic::{FileId, Location};
use crate::model::Activity;
use crate::report::Report;
use crate::report::escape::Printable;
use crate::report::json::{JsonRange, range};
use crate::simulate::{Check, Coverage};

/// The beginning of the report, up to its first scenario.
pub(super) fn begin(out: &mut dyn Write) -> io::Result<()> {
    let tool: BTreeMap<&str, &str> = [("name", TOOL.0), ("version", TOOL.1)].into();
    write!(out, "{{\n  \"schemaVersion\": 1,\n  \"tool\": ")?;
    out.write_all(&indented(1, &tool)?)?;
    write!(out, ",\n  \"scenarios\": [")
}

/// What stands before a scenario.
pub(super) fn separate(out: &mut dyn Write, is_first: bool) -> io::Result<()> {
    write!(out, "{}\n    ", if is_first { "" } else { "," })
}

#[derive(Serialize)]
struct JsonCoverage<'r> {
    file: &'r str,
    activities: usize,
    reached: usize,
    unreached: Vec<String>,
}

/// The rest of the report, behind its last scenario.
pub(super) fn end(
    out: &mut dyn Write,
    report: &Report<'_>,
    coverage: &[Coverage<'_>],
    summary: Summary,
) -> io::Result<()> {
    let coverage: Vec<JsonCoverage<'_>> = coverage
        .iter()
        .map(|coverage| JsonCoverage {
            file: report.file_name(coverage.file),
            activities: coverage.activities(),
            reached: coverage.count(),
            unreached: coverage.missed().map(|(pointer, _)| pointer).collect(),
        })
        .collect();
    let summary: BTreeMap<&str, usize> =
        [("scenarios", summary.scenarios), ("passed", summary.passed), ("failed", summary.failed)].into();
    write!(out, "{}],\n  \"coverage\": ", if summary.get("scenarios") == Some(&0) { "" } else { "\n  " })?;
    out.write_all(&indented(1, &coverage)?)?;
    write!(out, ",\n  \"summary\": ")?;
    out.write_all(&indented(1, &summary)?)?;
    writeln!(out, "\n}}")
}

/// One run.
pub(super) fn scenario(report: &Report<'_>, told: &Told<'_, '_>, checks: &[Check]) -> io::Result<Vec<u8>> {
    indented(2, &Run { report, told, checks })
}

/// A value as JSON, indented for a place so many levels deep.
fn indented(levels: usize, value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut formatter = Printable::default();
    for _ in 0..levels {
        formatter.begin_object(&mut io::sink())?;
    }
    let mut bytes = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, formatter))?;
    Ok(bytes)
}

struct Run<'r> {
    report: &'r Report<'r>,
    told: &'r Told<'r, 'r>,
    checks: &'r [Check],
}

impl Serialize for Run<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (plan, ended) = (self.told.plan, self.told.ended);
        let record = &ended.record;
        let mask = |text: &str| self.told.mask(text).into_owned();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("file", self.report.file_name(plan.scenario_file))?;
        map.serialize_entry("name", &plan.scenario.name.as_deref().map(mask))?;
        map.serialize_entry("passed", &self.checks.iter().all(|check| check.passed))?;
        map.serialize_entry("outcome", ended.outcome().word())?;
        map.serialize_entry("elapsedSeconds", &seconds(ended.elapsed))?;
        map.serialize_entry("steps", &ended.steps)?;
        let statuses = record.statuses.iter();
        let statuses: Vec<Status> =
            statuses.map(|(at, text)| Status { at: seconds(at.since_start()), text: mask(text.as_str()) }).collect();
        map.serialize_entry("statuses", &statuses)?;
        let variables: BTreeMap<Cow<'_, str>, String> = ended
            .values
            .iter()
            .map(|(slot, value)| (self.told.mask(plan.names.name(slot)), self.told.value(slot, value).into_owned()))
            .collect();
        map.serialize_entry("variables", &variables)?;
        map.serialize_entry("calls", &self.calls())?;
        let mails: Vec<Mail> = record
            .mails
            .iter()
            .map(|mail| Mail {
                at: seconds(mail.at.since_start()),
                to: mask(&mail.to),
                kind: mail.kind.word(),
                subject: mask(&mail.subject),
            })
            .collect();
        map.serialize_entry("mails", &mails)?;
        map.serialize_entry("approvals", &self.approvals())?;
        map.serialize_entry("failure", &self.failure())?;
        let checks: Vec<Expectation> = self
            .checks
            .iter()
            .map(|check| Expectation {
                what: mask(&check.what),
                expected: self.told.checked(check, &check.expected).into_owned(),
                actual: self.told.checked(check, &check.actual).into_owned(),
                passed: check.passed,
            })
            .collect();
        map.serialize_entry("expectations", &checks)?;
        let assumptions: Vec<&str> = record.assumptions.iter().map(|assumption| assumption.text()).collect();
        map.serialize_entry("assumptions", &assumptions)?;
        let warnings: Vec<String> = record.unused.iter().map(|warning| mask(warning)).collect();
        map.serialize_entry("warnings", &warnings)?;
        map.serialize_entry("trace", &Trace(self))?;
        map.end()
    }
}

impl Run<'_> {
    fn calls(&self) -> Vec<Call<'_>> {
        let plan = self.told.plan;
        let calls = self.told.ended.record.calls.iter().enumerate();
        calls
            .map(|(index, call)| {
                let activity = plan.activity(call.activity);
                Call {
                    at: seconds(call.at.since_start()),
                    method: self.told.method(index),
                    activity: activity.and_then(|activity| activity.name.value()).map(|name| self.told.mask(name)),
                    pointer: activity.map_or_else(String::new, |activity| plan.document.pointer(activity.node)),
                    ok: call.error.is_none(),
                    error: call.error.as_deref().map(|error| self.told.mask(error).into_owned()),
                }
            })
            .collect()
    }

    /// The last decision of each Approval, by the activity's name.
    fn approvals(&self) -> BTreeMap<String, &'static str> {
        let decided = self.told.ended.record.approvals.iter();
        let named = decided.filter_map(|(id, decision)| Some((self.told.plan.activity(*id)?, decision)));
        let name = |activity: &Activity<'_>| self.told.mask(activity.name.value().unwrap_or_default()).into_owned();
        named.map(|(activity, decision)| (name(activity), decision.word())).collect()
    }

    fn failure(&self) -> Option<Failure<'_>> {
        let failure = self.told.ended.failure()?;
        let (message, location) = (self.told.failure(&failure.message), failure.location.as_ref());
        let nowhere =
            Location { file: self.told.plan.file, pointer: String::new(), span: crate::source::Span::default() };
        let location = location.unwrap_or(&nowhere);
        let file: FileId = location.file;
        Some(Failure {
            message,
            file: self.report.file_name(file),
            pointer: location.pointer.clone(),
            range: range(self.report, file, location.span),
        })
    }
}

#[derive(Serialize)]
struct Status {
    at: serde_json::Number,
    text: String,
}

#[derive(Serialize)]
struct Call<'r> {
    at: serde_json::Number,
    method: &'r str,
    activity: Option<Cow<'r, str>>,
    pointer: String,
    ok: bool,
    error: Option<String>,
}

#[derive(Serialize)]
struct Mail<'r> {
    at: serde_json::Number,
    to: String,
    kind: &'r str,
    subject: String,
}

#[derive(Serialize)]
struct Failure<'r> {
    message: String,
    file: &'r str,
    pointer: String,
    range: JsonRange,
}

#[derive(Serialize)]
struct Expectation {
    what: String,
    expected: String,
    actual: String,
    passed: bool,
}

#[derive(Serialize)]
struct Step<'r> {
    at: serde_json::Number,
    activity: Option<Cow<'r, str>>,
    pointer: &'r str,
    event: String,
}

struct Trace<'r>(&'r Run<'r>);

impl Serialize for Trace<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let told = self.0.told;
        let document = told.plan.document;
        let activities = &told.plan.workflow.activities;
        let pointers: Vec<String> = activities.iter().map(|activity| document.pointer(activity.node)).collect();
        let entries = &told.ended.record.entries;
        let mut trace = serializer.serialize_seq(Some(entries.len()))?;
        for entry in entries {
            let pointer = entry.activity.and_then(|id| pointers.get(id.0 as usize));
            trace.serialize_element(&Step {
                at: seconds(entry.at.since_start()),
                activity: told.activity(entry),
                pointer: pointer.map_or("", String::as_str),
                event: told.event(entry),
            })?;
        }
        trace.end()
    }
}

/// A duration in seconds; whole ones without a point.
#[allow(clippy::cast_precision_loss)] // milliseconds of less than 2^53, some 280,000 years
fn seconds(duration: SignedDuration) -> serde_json::Number {
    if duration.subsec_millis() == 0 {
        return duration.as_secs().into();
    }
    serde_json::Number::from_f64(duration.as_millis() as f64 / 1000.0).unwrap_or_else(|| duration.as_secs().into())
}
