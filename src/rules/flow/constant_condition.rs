//! WF402

use crate::diagnostic::Severity;
use crate::graph::{Analysis, LoopFault, Value};
use crate::model::{Activity, Kind};
use crate::rules::{Context, Fixes, Place, Reporter, Rule, Stage};

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF402",
    name: "constant-condition",
    severity: Severity::Warning,
    other_severities: &[Severity::Info],
    fixes: Fixes::None,
    stage: Stage::Usual,
    page: include_str!("../../../rules/WF402-constant-condition.md"),
    check,
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        for (activity, expression) in analysis.workflow.conditions() {
            let Some(outcome) = constant(analysis, activity) else { continue };
            let is_loop = matches!(activity.kind, Kind::While { .. });
            let (message, help, severity) = match (outcome, is_loop) {
                (false, true) => (
                    "this is never true, so the loop is never entered",
                    "correct the condition, or remove the loop",
                    Severity::Warning,
                ),
                (false, false) => (
                    "this is never true, so what is inside never runs",
                    "correct the condition, or remove the If",
                    Severity::Warning,
                ),
                (true, true) => (
                    "this is always true, so only a Terminate ends the loop",
                    "correct the condition, unless that is meant",
                    Severity::Info,
                ),
                (true, false) => (
                    "this is always true, so the If decides nothing",
                    "correct the condition, or take its activities out of the If",
                    Severity::Info,
                ),
            };
            out.report(&Place::value(analysis.file, expression.node), message, help).severity(severity);
        }
    }
}

/// What a condition always is, where that is sure and no other rule names the cause.
fn constant(analysis: &Analysis<'_>, activity: &Activity<'_>) -> Option<bool> {
    let outcomes = analysis.paths.outcomes.get(&activity.id)?;
    let is_told = analysis.loop_faults.contains_key(&activity.id)
        || analysis.strange_statuses.iter().any(|strange| strange.activity == activity.id);
    // In a loop that never gets new values nothing can change, which is the loop's fault.
    let is_stale = analysis
        .workflow
        .ancestors(activity)
        .any(|around| matches!(analysis.loop_faults.get(&around.id), Some(LoopFault::StalePoll(_) | LoopFault::Endless)));
    let condition = analysis.effects(activity.id)?.condition?;
    let is_known = condition.left != Value::Unknown && condition.right != Value::Unknown;
    if outcomes.open || is_told || is_stale || !is_known || analysis.is_merged(activity.id) {
        return None;
    }
    match (outcomes.is_true, outcomes.is_false) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}
