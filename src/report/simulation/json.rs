//! `--format json`: one object, written scenario by scenario.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::rc::Rc;

use serde::Serialize;

use super::mutants;
use super::results::SimulationResults;
use super::run_text::RunText;
use crate::model::Activity;
use crate::report::object::{Array, object, range, seconds, tool, write_indented};
use crate::report::results::Report;
use crate::simulate::{Branch, Check, Coverage, Event, Failure, Mail};
use crate::text::diagnostic::Location;
use crate::text::source::Span;

pub(super) fn begin(out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\n  \"schemaVersion\": 1,\n  \"tool\": ")?;
    write_indented(out, 1, &tool())?;
    write!(out, ",\n  \"scenarios\": [")
}

pub(super) fn scenario(report: &Report<'_>, text: &RunText<'_>, is_first: bool, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{}\n    ", if is_first { "" } else { "," })?;
    write_indented(out, 2, &of_run(report, text))
}

/// The end; `is_empty` says that there was no scenario.
pub(super) fn end(results: &SimulationResults<'_>, is_empty: bool, out: &mut dyn Write) -> io::Result<()> {
    let (report, summary) = (&results.report, results.summary);
    write!(out, "{}],\n  \"coverage\": ", if is_empty { "" } else { "\n  " })?;
    write_indented(out, 1, &Array(|| summary.coverage.iter().map(|coverage| of_coverage(report, coverage))))?;
    if let Some(mutants) = results.mutants {
        write!(out, ",\n  \"mutants\": ")?;
        write_indented(out, 1, &mutants.map(|mutants| mutants::json(report, mutants)))?;
    }
    write!(out, ",\n  \"summary\": ")?;
    let totals =
        object().with("failed", summary.failed).with("passed", summary.passed).with("scenarios", summary.scenarios);
    write_indented(out, 1, &totals)?;
    writeln!(out, "\n}}")
}

fn of_coverage(report: &Report<'_>, coverage: &Coverage<'_>) -> impl Serialize {
    let (activities, branches) = (coverage.activity_count(), coverage.branch_count());
    let pointer = |activity: &Activity<'_>| coverage.pointer(activity);
    let branch = |(activity, branch): (&Activity<'_>, Branch)| {
        object().with("pointer", pointer(activity)).with("branch", branch.word())
    };
    object()
        .with("file", report.file_name(coverage.file))
        .with("activities", activities.all)
        .with("reached", activities.covered)
        .with("unreached", coverage.unreached().map(pointer).collect::<Vec<_>>())
        .with("branches", branches.all)
        .with("branchesReached", branches.covered)
        .with("unreachedBranches", coverage.unreached_branches().map(branch).collect::<Vec<_>>())
}

fn of_run(report: &Report<'_>, text: &RunText<'_>) -> impl Serialize {
    let (plan, ended) = (text.run.plan, &text.run.ended);
    let record = &ended.record;
    let statuses = record.statuses.iter();
    let statuses =
        statuses.map(|(at, it)| object().with("at", seconds(at.since_start())).with("text", text.mask(it.as_str())));
    // The variables that have a value, by name.
    let variables = ended.values.iter();
    let variables: BTreeMap<Cow<'_, str>, Cow<'_, str>> =
        variables.map(|(slot, value)| (text.mask(plan.names.name(slot)), text.value(slot, value))).collect();
    // The last decision of each Approval, by the activity's name.
    let approvals: BTreeMap<Cow<'_, str>, &str> = record
        .approvals
        .iter()
        .filter_map(|(id, decision)| Some((plan.activity(*id)?.name.value().unwrap_or_default(), decision)))
        .map(|(name, decision)| (text.mask(name), decision.word()))
        .collect();
    let assumptions: Vec<&str> = record.assumptions.iter().map(|assumption| assumption.text()).collect();
    object()
        .with("file", report.file_name(plan.scenario_file))
        .with("name", plan.scenario.name.as_deref().map(|name| text.mask(name)))
        .with("passed", text.run.passed())
        .with("outcome", ended.outcome().word())
        .with("elapsedSeconds", seconds(ended.elapsed))
        .with("steps", ended.steps)
        .with("statuses", statuses.collect::<Vec<_>>())
        .with("variables", variables)
        .with("calls", calls(text))
        .with("mails", record.mails.iter().map(|mail| of_mail(text, mail)).collect::<Vec<_>>())
        .with("approvals", approvals)
        .with("failure", ended.failure().map(|failure| of_failure(report, text, failure)))
        .with("expectations", text.run.checks.iter().map(|check| of_check(text, check)).collect::<Vec<_>>())
        .with("assumptions", assumptions)
        .with("warnings", record.unused.iter().map(|warning| text.mask(warning)).collect::<Vec<_>>())
        .with("trace", trace(text))
}

fn of_mail(text: &RunText<'_>, mail: &Mail) -> impl Serialize {
    object()
        .with("at", seconds(mail.at.since_start()))
        .with("to", text.mask(&mail.to))
        .with("kind", mail.kind.word())
        .with("subject", text.mask(&mail.subject))
}

/// A failure without a location is located at the workflow's root.
fn of_failure(report: &Report<'_>, text: &RunText<'_>, failure: &Failure) -> impl Serialize {
    let workflow = || Location { file: text.run.plan.file, pointer: String::new(), span: Span::default() };
    let Location { file, pointer, span } = failure.location.clone().unwrap_or_else(workflow);
    object()
        .with("message", text.failure(&failure.message))
        .with("file", report.file_name(file))
        .with("pointer", pointer)
        .with("range", range(report, file, span))
}

fn of_check(text: &RunText<'_>, check: &Check) -> impl Serialize {
    object()
        .with("what", text.mask(&check.what))
        .with("expected", text.checked(check, &check.expected))
        .with("actual", text.checked(check, &check.actual))
        .with("passed", check.passed)
}

fn calls(text: &RunText<'_>) -> impl Serialize {
    let (plan, record) = (text.run.plan, &text.run.ended.record);
    Array(move || {
        record.trace().filter_map(move |(at, entry)| {
            let Event::Called(index) = entry.event else { return None };
            let call = record.calls.get(index)?;
            let activity = plan.activity(call.activity);
            let item = object()
                .with("at", seconds(at.since_start()))
                .with("method", text.method(index))
                .with("activity", activity.and_then(|activity| activity.name.value()).map(|name| text.mask(name)))
                .with("pointer", activity.map_or_else(String::new, |activity| plan.document.pointer(activity.node)))
                .with("ok", call.error.is_none())
                .with("error", call.error.as_deref().map(|error| text.mask(error)));
            Some(item)
        })
    })
}

fn trace(text: &RunText<'_>) -> impl Serialize {
    let plan = text.run.plan;
    // A loop may note the same activity half a million times: each pointer is built once.
    let pointers = plan.workflow.activities.iter().map(|activity| plan.document.pointer(activity.node));
    let pointers: Rc<[String]> = pointers.collect();
    Array(move || {
        let pointers = Rc::clone(&pointers);
        text.run.ended.record.trace().map(move |(at, entry)| {
            let pointer = entry.activity.and_then(|id| pointers.get(id.0 as usize));
            object()
                .with("at", seconds(at.since_start()))
                .with("activity", text.activity(entry))
                .with("pointer", pointer.cloned().unwrap_or_default())
                .with("event", text.event(entry))
        })
    })
}
