//! WF009

use crate::collections::HashSet;
use crate::diagnostic::{FileId, Location, Severity, quote};
use crate::document::NodeId;
use crate::model::{Activity, ActivityId, Kind, Role};
use crate::rules::{Context, Fixes, Place, Reporter, Rule, Stage, is_true};

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF009",
    name: "editor-warning",
    severity: Severity::Warning,
    other_severities: &[],
    fixes: Fixes::None,
    stage: Stage::Last,
    page: include_str!("../../../rules/WF009-editor-warning.md"),
    check,
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let spoken_of: HashSet<_> = out.others().iter().filter_map(|other| activity_at(cx, &other.location)).collect();
    for (analysis, activity) in cx.activities() {
        if spoken_of.contains(&(analysis.file, activity.id)) {
            continue;
        }
        let Some((flag, said)) = saved_warning(activity) else { continue };
        out.report(
            &Place::value(analysis.file, flag),
            said,
            "open the activity in the editor, see to the warning, and save it again",
        );
    }
}

/// The innermost activity around a place.
fn activity_at(cx: &Context<'_>, place: &Location) -> Option<(FileId, ActivityId)> {
    let analysis = cx.workflows.iter().find(|analysis| analysis.file == place.file)?;
    let span = |activity: &Activity<'_>| analysis.document.span(activity.node);
    let activities = &analysis.workflow.activities;
    // They are in the order of the text: the last that begins before it, or one around that.
    let last = activities.partition_point(|activity| span(activity).start <= place.span.start).checked_sub(1)?;
    let last = activities.get(last)?;
    let around = std::iter::once(last).chain(analysis.workflow.ancestors(last));
    around.into_iter().find(|activity| place.span.start < span(activity).end).map(|activity| (place.file, activity.id))
}

/// The first warning that the editor saved in an activity: its place, and what it says.
fn saved_warning(activity: &Activity<'_>) -> Option<(NodeId, String)> {
    if is_true(activity.display_warning) {
        return Some((activity.display_warning.node()?, said(activity.warning_text.value(), "")));
    }
    let mut found = None;
    activity.bindings(|binding, role| {
        if found.is_none() && is_true(binding.has_warning) {
            let about = match role {
                Role::Parameter(parameter) => format!(" about {}", quote(parameter.name.value().unwrap_or_default())),
                _ => String::new(),
            };
            found = binding.has_warning.node().map(|flag| (flag, said(binding.warning_text.value(), &about)));
        }
    });
    if found.is_some() {
        return found;
    }
    let Kind::Provider(provider) = &activity.kind else { return None };
    let invalid = provider.parameters().find(|parameter| parameter.is_valid.value() == Some(false))?;
    let name = quote(invalid.name.value().unwrap_or_default());
    Some((invalid.is_valid.node()?, format!("the editor did not accept the parameter {name}")))
}

fn said(text: Option<&str>, about: &str) -> String {
    match text.filter(|text| !text.trim().is_empty()) {
        Some(text) => format!("the editor saved a warning{about} with it: {}", quote(text)),
        None => format!("the editor saved a warning{about} with it, without a text"),
    }
}
