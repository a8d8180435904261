use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::graph::{Analysis, Condition, LoopFault, Value};
use crate::model::{Activity, Kind, Literal};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF402",
    name: "constant-condition",
    severity: Severity::Warning,
    other_severities: &[Severity::Info],
    page: include_str!("../../../rules/WF402-constant-condition.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let types = cx.operand_types();
    for analysis in &cx.workflows {
        for (activity, expression) in analysis.workflow.conditions() {
            let Some(outcome) = constant(analysis, activity) else { continue };
            // Why it is so is told (WF415).
            if types.incompatible(analysis, activity).is_some() {
                continue;
            }
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
                (true, true) if ends_inside(analysis, activity) => (
                    "this is always true, so only a Terminate ends the loop",
                    "correct the condition, unless that is meant",
                    Severity::Info,
                ),
                (true, true) => (
                    "this is always true, so the loop never ends",
                    "correct the condition, or end the process inside the loop",
                    Severity::Warning,
                ),
                (true, false) => (
                    "this is always true, so the If decides nothing",
                    "correct the condition, or take its activities out of the If",
                    Severity::Info,
                ),
            };
            out.report(&Place::value(analysis.file, expression.node), message).help(help).severity(severity);
        }
    }
}

fn ends_inside(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    analysis.workflow.inside(activity).any(|inner| matches!(inner.kind, Kind::Terminate))
}

/// Whether a condition asks for a status that a loop does not handle: it is never true because the
/// loop is never left with it (WF404).
fn tests_an_unhandled_status(analysis: &Analysis<'_>, condition: &Condition<'_>) -> bool {
    analysis.loop_faults.values().any(|fault| match fault {
        LoopFault::Unhandled(variable, statuses) => {
            let sides = [(condition.left, condition.right), (condition.right, condition.left)];
            sides.into_iter().any(|(one, other)| {
                one == Value::Variable(*variable)
                    && matches!(other, Value::Literal(Literal::Text(text)) if statuses.contains(&text))
            })
        }
        _ => false,
    })
}

/// What a condition always is, where that is sure and no other rule names the cause.
fn constant(analysis: &Analysis<'_>, activity: &Activity<'_>) -> Option<bool> {
    let outcomes = analysis.paths.outcomes.get(&activity.id)?;
    let is_told = analysis.loop_faults.contains_key(&activity.id)
        || analysis.strange_statuses.iter().any(|strange| strange.activity == activity.id);
    // In a loop that never gets new values nothing can change, which is the loop's fault.
    let is_stale = analysis.workflow.ancestors(activity).any(|around| {
        matches!(analysis.loop_faults.get(&around.id), Some(LoopFault::StalePoll(_) | LoopFault::Endless))
    });
    let condition = analysis.effects(activity.id)?.condition?;
    // Nothing inside means nothing to decide (WF408).
    let is_empty = activity.children.get().is_none_or(Vec::is_empty);
    let is_told = is_told || is_empty || tests_an_unhandled_status(analysis, &condition);
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
