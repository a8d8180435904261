use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::graph::{Analysis, Decision, Unassigned, VarId};
use crate::model::{Activity, Kind};

use crate::rules::{Cause, Reporter, Rule, YieldsTo};

pub const RULE: Rule = Rule {
    code: "WF303",
    name: "maybe-unassigned",
    severity: Severity::Warning,
    yields_to: YieldsTo::Rules(&["WF407"]),
    page: include_str!("../../../rules/WF303-maybe-unassigned.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        for unassigned in analysis.paths.unassigned.values() {
            if !analysis.is_merged(unassigned.activity) {
                tell(analysis, unassigned, out);
            }
        }
    }
}

fn tell(analysis: &Analysis<'_>, unassigned: &Unassigned, out: &mut Reporter<'_>) {
    let effects = analysis.effects.get(unassigned.activity.0 as usize);
    let Some(read) = effects.and_then(|effects| effects.reads.get(unassigned.read)) else { return };
    let name = quote(analysis.names.name(read.variable));
    let way = way(analysis, unassigned, read.variable);
    let (message, help) = if way.is_empty() {
        (format!("{name} is read here before anything writes it"), format!("write {name} earlier, or read it later"))
    } else {
        (
            format!("{name} may be read here before anything writes it: it is not written on every way to this place"),
            format!("write {name} on every way, or give it a value at the start"),
        )
    };
    let mut draft = out.report(&Place::of_read(analysis.file, read), message);
    draft.help(help);
    if let Some(reader) = analysis.workflow.activity(unassigned.activity) {
        draft.about(Cause::Loop(analysis.file, reader.node));
    }
    for (activity, said) in way {
        draft.related(&Place::value(analysis.file, activity.node), said);
    }
    if let Some((_, write)) = later_write(analysis, read.variable) {
        draft.related(&Place::value(analysis.file, write), format!("{name} is written here"));
    }
}

/// The decisions on the way that led past a write of the variable, in the order of the run.
fn way<'a>(
    analysis: &'a Analysis<'_>,
    unassigned: &Unassigned,
    variable: VarId,
) -> Vec<(&'a Activity<'a>, &'static str)> {
    let mut way: Vec<(&Activity<'_>, &str)> = Vec::new();
    for decision in analysis.paths.decisions(unassigned.trail) {
        let Some(activity) = analysis.workflow.activity(decision.activity) else { continue };
        let is_known = way.iter().any(|(known, _)| known.id == activity.id);
        if !is_known && writes_inside(analysis, activity, variable) {
            way.push((activity, said_of(activity, decision)));
        }
    }
    way.reverse();
    way
}

fn writes_inside(analysis: &Analysis<'_>, activity: &Activity<'_>, variable: VarId) -> bool {
    std::iter::once(activity).chain(analysis.workflow.inside(activity)).any(|inner| {
        analysis.effects(inner.id).is_some_and(|effects| effects.writes.iter().any(|write| write.variable == variable))
    })
}

const fn said_of(activity: &Activity<'_>, decision: &Decision) -> &'static str {
    match (&activity.kind, decision.outcome) {
        (Kind::While { .. }, false) => "when this loop is passed over",
        (Kind::Provider(_), false) => "when this call fails, which does not stop the workflow",
        (Kind::Approval(_), true) => "when this is approved",
        (Kind::Approval(_), false) => "when this is rejected",
        (Kind::While { .. }, true) => "in the first round of this loop",
        (_, true) => "when this condition is true",
        (_, false) => "when this condition is false",
    }
}

/// The first write of a variable in the text, to show what does write it.
fn later_write(analysis: &Analysis<'_>, variable: VarId) -> Option<(VarId, crate::document::NodeId)> {
    let mut writes = analysis.effects.iter().flat_map(|effects| &effects.writes);
    writes.find(|write| write.variable == variable).map(|write| (variable, write.node))
}
