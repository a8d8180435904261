use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::graph::LoopFault;
use crate::rules::flow::{condition_node, faulty_loops};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF403",
    name: "endless-loop",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF403-endless-loop.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity, fault) in faulty_loops(cx) {
        if *fault != LoopFault::Endless {
            continue;
        }
        let condition = analysis.effects(activity.id).and_then(|effects| effects.condition.as_ref());
        let names: Vec<String> = condition
            .into_iter()
            .flat_map(crate::graph::Condition::variables)
            .map(|id| quote(analysis.names.name(id)))
            .collect();
        let (message, help) = match names.as_slice() {
            [] => (
                "this loop never ends: its condition compares nothing that could change, and there is no Terminate inside"
                    .to_owned(),
                "compare a variable that the loop writes, or end the process inside the loop".to_owned(),
            ),
            names => (
                format!(
                    "this loop never ends once it is entered: nothing inside writes {}, and there is no Terminate",
                    names.join(" or ")
                ),
                format!("write {} inside the loop, or end the process there", names.join(" or ")),
            ),
        };
        out.report(&Place::value(analysis.file, condition_node(activity)), message).help(help);
    }
}
