//! `--format json`: one object, described by `schemas/explore.schema.json`.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use super::results::{ExplorationReport, standing};
use crate::explore::{BrokenLaw, ChoiceKind, ExploredChoice, ExploredEnd, ExploredLaw, ExploredService};
use crate::explore::{NamedPlace, UnreachedBranch};
use crate::redaction::{Masker, Redactions};
use crate::report::object::{Array, object, seconds, tool, write_json};

pub(super) fn write(exploration: &ExplorationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let exploration = *exploration;
    let (services, laws) = (&exploration.explored.services, &exploration.explored.laws);
    let summary = object()
        .with("services", services.len())
        .with("complete", services.iter().filter(|service| service.is_complete()).count())
        .with("ends", services.iter().map(|service| service.ends.len()).sum::<usize>())
        .with("broken", laws.iter().map(|law| law.broken().count()).sum::<usize>());
    let json = object()
        .with("schemaVersion", 1)
        .with("tool", tool())
        .with("services", Array(|| services.iter().map(move |service| of_service(exploration, service))))
        .with("laws", Array(|| laws.iter().map(move |law| of_law(exploration, law))))
        .with("summary", summary);
    write_json(&json, out)
}

fn of_service<'r>(exploration: ExplorationReport<'r>, service: &'r ExploredService) -> impl Serialize + use<'r> {
    let reached = &service.reached;
    let pointer = |activity: &'r NamedPlace| activity.location.pointer.as_str();
    let branch = move |branch: &'r UnreachedBranch| {
        let taken = if branch.branch { "true" } else { "false" };
        object().with("pointer", pointer(&branch.activity)).with("branch", taken)
    };
    let counts = object()
        .with("activities", reached.activities)
        .with("of", reached.activities_of)
        .with("unreached", Array(move || reached.unreached.iter().map(pointer)))
        .with("branches", reached.branches)
        .with("branchesOf", reached.branches_of)
        .with("unreachedBranches", Array(move || reached.unreached_branches.iter().map(branch)));
    let masked = |text: &'r String| service.masker.apply(text);
    object()
        .with("file", exploration.report.file_name(service.workflow))
        .with("form", service.form.map(|form| exploration.report.file_name(form)))
        .with("states", service.states)
        .with("complete", service.is_complete())
        .with("ends", Array(move || service.ends.iter().map(move |end| of_end(service, end))))
        .with("reached", counts)
        .with("assumptions", service.assumptions.iter().map(masked).collect::<Vec<_>>())
}

fn of_end<'r>(service: &'r ExploredService, end: &'r ExploredEnd) -> impl Serialize + use<'r> {
    let activity = end.activity.as_ref();
    let masked = |text: &'r String| service.masker.apply(text);
    object()
        .with("outcome", end.ending.word())
        .with("assumed", end.assumed.is_some())
        .with("activity", activity.map(|activity| service.masker.apply(&activity.name)))
        .with("pointer", activity.map(|activity| activity.location.pointer.as_str()))
        .with("status", end.status.as_ref().map(masked))
        .with("approvals", &end.approvals)
        .with("elapsedSeconds", seconds(end.elapsed))
        .with("open", end.open.iter().map(masked).collect::<Vec<_>>())
        .with("choices", Array(move || end.choices.iter().map(move |choice| of_choice(service, choice))))
        .with("scenario", covered(&service.masker, &end.scenario))
}

fn of_choice<'r>(service: &'r ExploredService, choice: &'r ExploredChoice) -> impl Serialize + use<'r> {
    let value = match &choice.choice {
        ChoiceKind::Value(value) => service.masker.apply(value),
        other => Cow::Borrowed(other.word()),
    };
    object()
        .with("at", service.masker.apply(&choice.at))
        .with("what", service.masker.apply(&choice.what))
        .with("choice", value)
}

fn of_law<'r>(exploration: ExplorationReport<'r>, law: &'r ExploredLaw) -> impl Serialize + use<'r> {
    let unlisted: usize = law.unlisted.values().sum();
    object()
        .with("name", &*law.name)
        .with("holds", standing(law).holds())
        .with("broken", Array(move || law.broken().map(move |broken| of_broken(exploration, broken))))
        .with_some("unlisted", Some(unlisted).filter(|unlisted| *unlisted > 0))
}

fn of_broken<'r>(exploration: ExplorationReport<'r>, broken: &'r BrokenLaw) -> impl Serialize + use<'r> {
    object()
        .with_place(&exploration.report, &broken.location)
        .with("message", exploration.mask(broken.workflow, &broken.message))
        .with(
            "scenario",
            broken.scenario.as_ref().map(|scenario| match exploration.service(broken.workflow) {
                Some(service) => covered(&service.masker, scenario),
                None => Cow::Borrowed(scenario),
            }),
        )
}

/// A scenario without secrets: what it expects of them is left out, so that it passes. Values of masked variables stay.
fn covered<'r>(masker: &Masker, scenario: &'r Value) -> Cow<'r, Value> {
    let secrets = masker.secrets();
    if secrets.is_empty() {
        return Cow::Borrowed(scenario);
    }
    let mut covered = scenario.clone();
    if let Some(expect) = covered.get_mut("expect").and_then(Value::as_object_mut) {
        expect.retain(|_, expected| !redact(&mut expected.clone(), secrets));
    }
    redact(&mut covered, secrets);
    Cow::Owned(covered)
}

/// Redacts the strings of a value. Returns whether there was a secret.
fn redact(value: &mut Value, secrets: &Redactions) -> bool {
    match value {
        Value::String(text) => match secrets.redacted(text) {
            Cow::Owned(redacted) => {
                *text = redacted;
                true
            }
            Cow::Borrowed(_) => false,
        },
        Value::Array(values) => any_redacted(values.iter_mut(), secrets),
        Value::Object(members) => any_redacted(members.values_mut(), secrets),
        _ => false,
    }
}

/// Redacts each, also after the first that has a secret.
fn any_redacted<'v>(values: impl Iterator<Item = &'v mut Value>, secrets: &Redactions) -> bool {
    values.map(|value| redact(value, secrets)).filter(|is_redacted| *is_redacted).count() > 0
}
