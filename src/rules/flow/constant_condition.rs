use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::graph::{Analysis, Condition, OperandValue, VarId};
use crate::model::{Activity, ActivityKind, Literal};
use crate::rules::flow::{contains_terminate, describe_condition};
use crate::rules::{Cause, Draft, Reporter, Rule, YieldsTo};

pub const RULE: Rule = Rule {
    code: "WF402",
    name: "constant-condition",
    severity: Severity::Warning,
    other_severities: &[Severity::Info],
    yields_to: YieldsTo::Rules(&["WF403", "WF404", "WF406", "WF407", "WF408", "WF415"]),
    page: include_str!("../../../rules/WF402-constant-condition.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        for (activity, expression) in analysis.workflow.conditions() {
            let Some(outcome) = constant(analysis, activity) else { continue };
            let is_loop = matches!(activity.kind, ActivityKind::While { .. });
            let (consequence, help, severity) = match (outcome, is_loop) {
                (false, true) => {
                    (", so the loop is never entered", "correct the condition, or remove the loop", Severity::Warning)
                }
                (false, false) => {
                    (", so nothing inside runs", "correct the condition, or remove the If", Severity::Warning)
                }
                (true, true) if contains_terminate(analysis, activity) => (
                    ", so only a Terminate ends the loop",
                    "correct the condition, unless the Terminate is meant to end the loop",
                    Severity::Info,
                ),
                (true, true) => (
                    ", so the loop never ends",
                    "correct the condition, or add a Terminate inside the loop",
                    Severity::Warning,
                ),
                (true, false) => ("", "correct the condition, or move the activities out of the If", Severity::Info),
            };
            let condition = describe_condition(expression);
            let message = format!("condition {condition} is always {outcome}{consequence}");
            let mut draft = out.report(&Place::value(analysis.file, expression.node), message);
            draft.help(help).severity(severity);
            add_causes(analysis, activity, &mut draft);
        }
    }
}

/// The outcome on all paths; `None` if it differs, states were merged, or the condition cannot be read.
fn constant(analysis: &Analysis<'_>, activity: &Activity<'_>) -> Option<bool> {
    let outcomes = analysis.paths.outcomes.get(&activity.id)?;
    let condition = analysis.effects(activity.id)?.condition?;
    let is_known = condition.left != OperandValue::Unknown && condition.right != OperandValue::Unknown;
    if outcomes.undecided || !is_known || analysis.is_merged(activity.id) {
        return None;
    }
    match (outcomes.is_true, outcomes.is_false) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

fn add_causes(analysis: &Analysis<'_>, activity: &Activity<'_>, draft: &mut Draft<'_>) {
    draft.about(Cause::Node(analysis.file, activity.node));
    // In a loop that never ends, a condition may be constant only because of that.
    for enclosing in std::iter::once(activity).chain(analysis.workflow.ancestors(activity)) {
        draft.about(Cause::Loop(analysis.file, enclosing.node));
    }
    let Some(condition) = analysis.effects(activity.id).and_then(|effects| effects.condition) else { return };
    for variable in condition.variables() {
        draft.about(Cause::Variable(analysis.names.name(variable).to_owned()));
    }
    if let Some((variable, status)) = compared_status(&condition) {
        let variable = analysis.names.name(variable).to_owned();
        draft.about(Cause::CaseStatus { variable, status: status.to_owned() });
    }
}

/// The variable and the string that a condition compares.
fn compared_status<'p>(condition: &Condition<'p>) -> Option<(VarId, &'p str)> {
    match (condition.left, condition.right) {
        (OperandValue::Variable(variable), OperandValue::Literal(Literal::Text(status)))
        | (OperandValue::Literal(Literal::Text(status)), OperandValue::Variable(variable)) => Some((variable, status)),
        _ => None,
    }
}
