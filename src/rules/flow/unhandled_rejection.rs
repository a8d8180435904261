use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::graph::{LoopFault, Writer};
use crate::rules::flow::{condition_node, faulty_loops};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF404",
    name: "unhandled-rejection",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF404-unhandled-rejection.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity, fault) in faulty_loops(cx) {
        let LoopFault::Unhandled(variable, statuses) = fault else { continue };
        let names: Vec<String> = statuses.iter().map(|status| quote(status)).collect();
        let statuses = names.join(" or ");
        let variable_name = quote(analysis.names.name(*variable));
        let mut draft = out.report(
            &Place::value(analysis.file, condition_node(activity)),
            format!("when {variable_name} becomes {statuses}, this loop goes on for ever: nothing in it ends it then"),
        );
        draft.help(if statuses == "`Finished`" {
            format!("let the condition end the loop when {variable_name} is {statuses}")
        } else {
            format!(
                "inside the loop, add an If on {variable_name} equal {statuses} with a Terminate, or let the \
                     condition end the loop"
            )
        });
        let lookup = analysis.workflow.inside(activity).find(|inner| {
            analysis.effects(inner.id).is_some_and(|effects| {
                effects
                    .writes
                    .iter()
                    .any(|write| write.variable == *variable && write.by == Writer::Output { is_status: true })
            })
        });
        if let Some(lookup) = lookup {
            draft.related(&Place::value(analysis.file, lookup.node), "the status is looked up here");
        }
    }
}
