use crate::facts::{Context, DropDowns, MissingItem, Place};
use crate::graph::{Analysis, Condition, OperandValue, Reason, Writer, Written};
use crate::model::{Activity, ActivityKind, Expression, Literal};
use crate::rules::flow::{condition_node, describe_condition, may_contain_terminate};
use crate::rules::form::describe;
use crate::rules::{Cause, Draft, Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = rule!("WF402-constant-condition", Warning | Info, check, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let drop_downs = DropDowns::of(cx);
    for analysis in &cx.workflows {
        for (activity, expression) in analysis.workflow.conditions() {
            let Some(outcome) = constant(analysis, activity) else {
                let effects = analysis.effects(activity.id).filter(|_| analysis.reaches(activity.id));
                let compared = effects.and_then(|effects| effects.condition.as_deref());
                if let Some(missing) = compared.and_then(|condition| drop_downs.missing_item(analysis, condition)) {
                    report_missing_item(analysis, activity, expression, &missing, out);
                }
                continue;
            };
            let (message, help) = describe_outcome(analysis, activity, expression, outcome);
            let mut draft = out.report(&Place::value(analysis.file, expression.node), message);
            draft.help(help).severity(if outcome { Severity::Info } else { Severity::Warning });
            for reason in analysis.paths.reasons.get(&activity.id).into_iter().flatten() {
                if let Some((place, label)) = explain(analysis, activity, *reason) {
                    draft.related(&place, label);
                }
            }
            add_causes(analysis, activity, &mut draft);
        }
    }
}

/// That a condition always has this outcome, with the consequence, and advice.
fn describe_outcome(
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    expression: &Expression<'_>,
    outcome: bool,
) -> (String, &'static str) {
    let is_loop = matches!(activity.kind, ActivityKind::While { .. });
    let (consequence, help) = match (outcome, is_loop) {
        (false, true) => ("the loop is never entered", "correct the condition, or remove the loop"),
        (false, false) => ("nothing inside runs", "correct the condition, or remove the If"),
        (true, true) if may_contain_terminate(analysis, activity) => {
            ("only a Terminate ends the loop", "correct the condition, unless the Terminate is meant to end the loop")
        }
        (true, true) => ("the loop never ends", "correct the condition, or add a Terminate inside the loop"),
        (true, false) => ("the If decides nothing", "correct the condition, or move the activities out of the If"),
    };
    (format!("condition {} is always {outcome}, so {consequence}", describe_condition(expression)), help)
}

/// Reports a comparison with what a restricted drop-down does not offer. That it accepts nothing besides its items is not
/// shown by the platform: only what resembles one of them is plainly a mistake.
fn report_missing_item(
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    expression: &Expression<'_>,
    missing: &MissingItem<'_>,
    out: &mut Reporter<'_>,
) {
    let (item, drop_down) = (missing.compared.describe(), describe(missing.field));
    let variable = quote(analysis.names.name(missing.variable));
    let message = format!("unknown item {item} of {drop_down}, which {variable} may never equal");
    let mut draft = out.report(&Place::value(analysis.file, expression.node), message);
    draft.severity(if missing.near.is_some() && missing.is_only_source { Severity::Warning } else { Severity::Info });
    draft.help(match missing.near {
        Some(near) => format!("did you mean {}?", Literal::Text(near).describe()),
        None => format!("compare with the value of an item, or add the item to {drop_down}"),
    });
    draft.related(&Place::value(missing.file, missing.items), "a restricted drop-down offers these items alone");
    add_causes(analysis, activity, &mut draft);
}

/// The outcome on all paths; `None` if it differs, states were merged, or the condition cannot be read.
fn constant(analysis: &Analysis<'_>, activity: &Activity<'_>) -> Option<bool> {
    let outcomes = analysis.paths.outcomes.get(&activity.id)?;
    let condition = analysis.effects(activity.id)?.condition.as_deref()?;
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

/// A place that makes a condition constant, and why.
fn explain(analysis: &Analysis<'_>, activity: &Activity<'_>, reason: Reason) -> Option<(Place, String)> {
    match reason {
        Reason::Start(variable) => {
            let name = analysis.names.name(variable);
            let declared = analysis.scope.declarations.variable(name)?;
            let place = declared.variable.value().node().unwrap_or(declared.variable.node);
            let label = if declared.variable.is_preset() {
                format!("{} has this initial value, and nothing changes it", quote(name))
            } else {
                format!("{} has no initial value, and nothing assigns it before", quote(name))
            };
            Some((Place::value(declared.file, place), label))
        }
        Reason::Write(variable, by) => {
            let write = analysis.effects(by)?.writes.to(variable).next()?;
            let name = quote(analysis.names.name(variable));
            let label = match (write.by, write.value) {
                (Writer::ProviderResult, _) => format!("{name} says whether this call succeeded"),
                (Writer::ApprovalResult, _) => format!("{name} is the decision of this Approval"),
                (_, Written::Constant(text)) => format!("{name} is set to {} here", Literal::Text(text).describe()),
                (_, Written::Copy(from)) => format!("{name} is set to {} here", quote(analysis.names.name(from))),
                _ => format!("{name} is set here"),
            };
            Some((Place::value(analysis.file, write.node), label))
        }
        Reason::Test(test, holds) => {
            let test = analysis.workflow.activity(test)?;
            let expression = test.expression()?;
            let is_inside = analysis.workflow.ancestors(activity).any(|ancestor| ancestor.id == test.id);
            let place = if is_inside { "inside" } else { "after" };
            let kind = test.type_name.value().unwrap_or_default();
            let label = format!("{place} this {kind}, {} is {holds}", describe_condition(expression));
            Some((Place::value(analysis.file, expression.node), label))
        }
    }
}

fn add_causes(analysis: &Analysis<'_>, activity: &Activity<'_>, draft: &mut Draft<'_>) {
    // In a loop that never ends, a condition may be constant only because of that.
    for enclosing in std::iter::once(activity).chain(analysis.workflow.ancestors(activity)) {
        draft.cause(Cause::Node(analysis.file, enclosing.node));
    }
    let condition = analysis.effects(activity.id).and_then(|effects| effects.condition.as_deref());
    for variable in condition.into_iter().flat_map(Condition::variables) {
        draft.cause(Cause::Name(analysis.file, condition_node(activity), analysis.names.name(variable).to_owned()));
    }
    if let Some((variable, status)) = condition.and_then(Condition::variable_and_text) {
        draft.cause(Cause::Status(analysis.names.name(variable).to_owned(), status.to_owned()));
    }
}
