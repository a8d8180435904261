use crate::common::collections::HashMap;
use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::graph::{Analysis, Condition, VarId};
use crate::model::Assumption;
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = rule!("WF406-unknown-status", Info | Error, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, statuses) in cx.workflows.iter().zip(cx.statuses()).filter(|(_, it)| !it.unknown.is_empty()) {
        let mut comparisons = comparisons(analysis);
        for unknown in &statuses.unknown {
            let variable = analysis.names.name(unknown.variable);
            let message =
                format!("unknown status {}, which {} may never equal", quote(unknown.status), quote(variable));
            let mut draft = out.report(&Place::value(analysis.file, unknown.operand), message);
            // The first finding of a variable explains all comparisons of it.
            for comparison in comparisons.remove(&unknown.variable).into_iter().flatten() {
                draft.cause(Cause::Name(analysis.file, comparison, variable.to_owned()));
            }
            // An info does not stand for a loop that never ends.
            if let Some(near) = unknown.near {
                if let Some(activity) = analysis.workflow.activity(unknown.activity) {
                    draft.cause(Cause::Node(analysis.file, activity.node));
                }
                draft.cause(Cause::Status(variable.to_owned(), near.to_owned()));
            }
            let value = analysis.document.member(unknown.operand, "value");
            match unknown.near {
                Some(near) => {
                    let is_certain = unknown.is_certain && value.is_some();
                    draft.suggest(near, is_certain, "value", value.unwrap_or(unknown.operand)).severity(Severity::Error)
                }
                None => draft
                    .assumes(Assumption::OtherValues)
                    .help("if the provider has this status, add it to `statuses` of the lookup in your own catalog"),
            };
        }
    }
}

/// The conditions of a workflow, by the variables that they compare.
fn comparisons(analysis: &Analysis<'_>) -> HashMap<VarId, Vec<NodeId>> {
    let mut comparisons: HashMap<VarId, Vec<NodeId>> = HashMap::default();
    for (activity, expression) in analysis.workflow.conditions() {
        let condition = analysis.effects(activity.id).and_then(|effects| effects.condition.as_deref());
        for variable in condition.into_iter().flat_map(Condition::variables) {
            comparisons.entry(variable).or_default().push(expression.node);
        }
    }
    comparisons
}
