//! `--format json`: one object, described by `schemas/explore.schema.json`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Number, Value};

use super::input::ExplorationReport;
use super::verdict::verdict;
use crate::explore::{BrokenLaw, ChoiceKind, ExploredChoice, ExploredEnd, ExploredLaw, ExploredService};
use crate::report::json::{JsonRange, range, seconds, write_json};
use crate::report::tool::{TOOL, Tool};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonExploration<'r> {
    schema_version: u32,
    tool: Tool,
    services: Vec<JsonService<'r>>,
    laws: Vec<JsonLaw<'r>>,
    summary: JsonSummary,
}

#[derive(Serialize)]
struct JsonService<'r> {
    file: &'r str,
    form: Option<&'r str>,
    states: usize,
    complete: bool,
    ends: Vec<JsonEnd<'r>>,
    reached: JsonReached<'r>,
    assumptions: Vec<Cow<'r, str>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonEnd<'r> {
    outcome: &'static str,
    assumed: bool,
    activity: Option<&'r str>,
    pointer: Option<&'r str>,
    status: Option<Cow<'r, str>>,
    approvals: &'r BTreeMap<String, String>,
    elapsed_seconds: Number,
    open: Vec<Cow<'r, str>>,
    choices: Vec<JsonChoice<'r>>,
    scenario: &'r Value,
}

#[derive(Serialize)]
struct JsonChoice<'r> {
    at: &'r str,
    what: Cow<'r, str>,
    choice: Cow<'r, str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonReached<'r> {
    activities: usize,
    of: usize,
    unreached: Vec<&'r str>,
    branches: usize,
    branches_of: usize,
    unreached_branches: Vec<JsonBranch<'r>>,
}

#[derive(Serialize)]
struct JsonBranch<'r> {
    pointer: &'r str,
    branch: &'static str,
}

#[derive(Serialize)]
struct JsonLaw<'r> {
    name: &'r str,
    holds: Option<bool>,
    broken: Vec<JsonBroken<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unlisted: Option<usize>,
}

#[derive(Serialize)]
struct JsonBroken<'r> {
    file: &'r str,
    pointer: &'r str,
    range: JsonRange,
    message: Cow<'r, str>,
    scenario: Option<&'r Value>,
}

#[derive(Serialize)]
struct JsonSummary {
    services: usize,
    complete: usize,
    ends: usize,
    broken: usize,
}

pub(super) fn write(exploration: &ExplorationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let explored = exploration.explored;
    let services = &explored.services;
    let json = JsonExploration {
        schema_version: 1,
        tool: TOOL,
        services: services.iter().map(|service| json_service(exploration, service)).collect(),
        laws: explored.laws.iter().map(|law| json_law(exploration, law)).collect(),
        summary: JsonSummary {
            services: services.len(),
            complete: services.iter().filter(|service| service.is_complete()).count(),
            ends: services.iter().map(|service| service.ends.len()).sum(),
            broken: explored.laws.iter().map(|law| law.broken().count()).sum(),
        },
    };
    write_json(&json, out)
}

fn json_service<'r>(exploration: &ExplorationReport<'r>, service: &'r ExploredService) -> JsonService<'r> {
    let reached = &service.reached;
    JsonService {
        file: exploration.report.file_name(service.workflow),
        form: service.form.map(|form| exploration.report.file_name(form)),
        states: service.states,
        complete: service.is_complete(),
        ends: service.ends.iter().map(|end| json_end(service, end)).collect(),
        reached: JsonReached {
            activities: reached.activities,
            of: reached.activities_of,
            unreached: reached.unreached.iter().map(|activity| activity.location.pointer.as_str()).collect(),
            branches: reached.branches,
            branches_of: reached.branches_of,
            unreached_branches: reached
                .unreached_branches
                .iter()
                .map(|branch| JsonBranch {
                    pointer: &branch.activity.location.pointer,
                    branch: if branch.branch { "true" } else { "false" },
                })
                .collect(),
        },
        assumptions: service.assumptions.iter().map(|assumption| service.masker.apply(assumption)).collect(),
    }
}

fn json_end<'r>(service: &'r ExploredService, end: &'r ExploredEnd) -> JsonEnd<'r> {
    let activity = end.activity.as_ref();
    JsonEnd {
        outcome: end.ending.word(),
        assumed: end.is_assumed,
        activity: activity.map(|activity| activity.name.as_str()),
        pointer: activity.map(|activity| activity.location.pointer.as_str()),
        status: end.status.as_deref().map(|status| service.masker.apply(status)),
        approvals: &end.approvals,
        elapsed_seconds: seconds(end.elapsed),
        open: end.open.iter().map(|open| service.masker.apply(open)).collect(),
        choices: end.choices.iter().map(|choice| json_choice(service, choice)).collect(),
        scenario: &end.scenario,
    }
}

fn json_choice<'r>(service: &'r ExploredService, choice: &'r ExploredChoice) -> JsonChoice<'r> {
    let value = match &choice.choice {
        ChoiceKind::Value(value) => service.masker.apply(value),
        other => Cow::Borrowed(other.word()),
    };
    JsonChoice { at: &choice.at, what: service.masker.apply(&choice.what), choice: value }
}

fn json_law<'r>(exploration: &ExplorationReport<'r>, law: &'r ExploredLaw) -> JsonLaw<'r> {
    JsonLaw {
        name: &law.name,
        holds: verdict(law).holds(),
        broken: law.broken().map(|broken| json_broken(exploration, broken)).collect(),
        unlisted: Some(law.unlisted.values().sum()).filter(|unlisted| *unlisted > 0),
    }
}

fn json_broken<'r>(exploration: &ExplorationReport<'r>, broken: &'r BrokenLaw) -> JsonBroken<'r> {
    let location = &broken.location;
    JsonBroken {
        file: exploration.report.file_name(location.file),
        pointer: &location.pointer,
        range: range(&exploration.report, location.file, location.span),
        message: exploration.mask(broken.workflow, &broken.message),
        scenario: broken.scenario.as_ref(),
    }
}
