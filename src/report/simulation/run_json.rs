//! One run as JSON; its trace is written entry by entry.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use super::run_text::RunText;
use crate::diagnostic::Location;
use crate::model::Activity;
use crate::report::findings::Report;
use crate::report::json::{JsonRange, range, seconds};
use crate::simulate::Event;
use crate::source::Span;

pub(super) struct RunJson<'r> {
    pub report: &'r Report<'r>,
    pub text: &'r RunText<'r>,
}

impl Serialize for RunJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (plan, ended) = (self.text.run.plan, &self.text.run.ended);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("file", self.report.file_name(plan.scenario_file))?;
        map.serialize_entry("name", &plan.scenario.name.as_deref().map(|name| self.text.mask(name)))?;
        map.serialize_entry("passed", &self.text.run.passed())?;
        map.serialize_entry("outcome", ended.outcome().word())?;
        map.serialize_entry("elapsedSeconds", &seconds(ended.elapsed))?;
        map.serialize_entry("steps", &ended.steps)?;
        map.serialize_entry("statuses", &self.statuses())?;
        map.serialize_entry("variables", &self.variables())?;
        map.serialize_entry("calls", &Calls(self.text))?;
        map.serialize_entry("mails", &self.mails())?;
        map.serialize_entry("approvals", &self.approvals())?;
        map.serialize_entry("failure", &self.failure())?;
        map.serialize_entry("expectations", &self.expectations())?;
        let assumptions: Vec<&str> = ended.record.assumptions.iter().map(|assumption| assumption.text()).collect();
        map.serialize_entry("assumptions", &assumptions)?;
        let warnings: Vec<Cow<'_, str>> = ended.record.unused.iter().map(|warning| self.text.mask(warning)).collect();
        map.serialize_entry("warnings", &warnings)?;
        map.serialize_entry("trace", &Trace(self.text))?;
        map.end()
    }
}

impl<'r> RunJson<'r> {
    fn statuses(&self) -> Vec<Status<'r>> {
        let statuses = self.text.run.ended.record.statuses.iter();
        statuses
            .map(|(at, text)| Status { at: seconds(at.since_start()), text: self.text.mask(text.as_str()) })
            .collect()
    }

    /// The variables that have a value, by name.
    fn variables(&self) -> BTreeMap<Cow<'r, str>, Cow<'r, str>> {
        let names = &self.text.run.plan.names;
        let values = self.text.run.ended.values.iter();
        values.map(|(slot, value)| (self.text.mask(names.name(slot)), self.text.value(slot, value))).collect()
    }

    fn mails(&self) -> Vec<Mail<'r>> {
        let mails = self.text.run.ended.record.mails.iter();
        mails
            .map(|mail| Mail {
                at: seconds(mail.at.since_start()),
                to: self.text.mask(&mail.to),
                kind: mail.kind.word(),
                subject: self.text.mask(&mail.subject),
            })
            .collect()
    }

    /// The last decision of each Approval, by the activity's name.
    fn approvals(&self) -> BTreeMap<Cow<'r, str>, &'static str> {
        let decided = self.text.run.ended.record.approvals.iter();
        let named = decided.filter_map(|(id, decision)| Some((self.text.run.plan.activity(*id)?, decision)));
        let name = |activity: &Activity<'r>| self.text.mask(activity.name.value().unwrap_or_default());
        named.map(|(activity, decision)| (name(activity), decision.word())).collect()
    }

    /// A failure without a location is located at the workflow's root.
    fn failure(&self) -> Option<Failure<'r>> {
        let failure = self.text.run.ended.failure()?;
        let workflow = || Location { file: self.text.run.plan.file, pointer: String::new(), span: Span::default() };
        let location = failure.location.clone().unwrap_or_else(workflow);
        Some(Failure {
            message: self.text.failure(&failure.message),
            file: self.report.file_name(location.file),
            range: range(self.report, location.file, location.span),
            pointer: location.pointer,
        })
    }

    fn expectations(&self) -> Vec<Expectation<'r>> {
        let checks = self.text.run.checks.iter();
        checks
            .map(|check| Expectation {
                what: self.text.mask(&check.what),
                expected: self.text.checked(check, &check.expected),
                actual: self.text.checked(check, &check.actual),
                passed: check.passed,
            })
            .collect()
    }
}

#[derive(Serialize)]
struct Status<'r> {
    at: serde_json::Number,
    text: Cow<'r, str>,
}

#[derive(Serialize)]
struct Call<'r> {
    at: serde_json::Number,
    method: &'r str,
    activity: Option<Cow<'r, str>>,
    pointer: String,
    ok: bool,
    error: Option<Cow<'r, str>>,
}

#[derive(Serialize)]
struct Mail<'r> {
    at: serde_json::Number,
    to: Cow<'r, str>,
    kind: &'r str,
    subject: Cow<'r, str>,
}

#[derive(Serialize)]
struct Failure<'r> {
    message: String,
    file: &'r str,
    pointer: String,
    range: JsonRange,
}

#[derive(Serialize)]
struct Expectation<'r> {
    what: Cow<'r, str>,
    expected: Cow<'r, str>,
    actual: Cow<'r, str>,
    passed: bool,
}

#[derive(Serialize)]
struct Step<'r> {
    at: serde_json::Number,
    activity: Option<Cow<'r, str>>,
    pointer: &'r str,
    event: String,
}

struct Calls<'r>(&'r RunText<'r>);

impl Serialize for Calls<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(text) = self;
        let (plan, record) = (text.run.plan, &text.run.ended.record);
        serializer.collect_seq(record.trace().filter_map(|(at, entry)| {
            let Event::Called(index) = entry.event else { return None };
            let call = record.calls.get(index)?;
            let activity = plan.activity(call.activity);
            Some(Call {
                at: seconds(at.since_start()),
                method: text.method(index),
                activity: activity.and_then(|activity| activity.name.value()).map(|name| text.mask(name)),
                pointer: activity.map_or_else(String::new, |activity| plan.document.pointer(activity.node)),
                ok: call.error.is_none(),
                error: call.error.as_deref().map(|error| text.mask(error)),
            })
        }))
    }
}

struct Trace<'r>(&'r RunText<'r>);

impl Serialize for Trace<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(text) = self;
        let plan = text.run.plan;
        // A loop may note the same activity half a million times: each pointer is built once.
        let pointers = plan.workflow.activities.iter().map(|activity| plan.document.pointer(activity.node));
        let pointers: Vec<String> = pointers.collect();
        let record = &text.run.ended.record;
        let mut trace = serializer.serialize_seq(Some(record.trace_len()))?;
        for (at, entry) in record.trace() {
            let pointer = entry.activity.and_then(|id| pointers.get(id.0 as usize));
            trace.serialize_element(&Step {
                at: seconds(at.since_start()),
                activity: text.activity(entry),
                pointer: pointer.map_or("", String::as_str),
                event: text.event(entry),
            })?;
        }
        trace.end()
    }
}
