use crate::diagnostic::Severity;
use crate::facts::{Context, Loop, Place};
use crate::graph::{Condition, VarId};
use crate::rules::flow::{condition_node, explain_loop};
use crate::rules::{Cause, Reporter, Rule, YieldsTo};
use crate::text::{list, quote};

pub const RULE: Rule = Rule {
    code: "WF403",
    name: "endless-loop",
    severity: Severity::Error,
    yields_to: YieldsTo::Rules(&["WF301", "WF403", "WF404", "WF406", "WF407"]),
    page: include_str!("../../../rules/WF403-endless-loop.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for found in cx.loops().filter(|found| is_endless(found)) {
        let analysis = found.analysis;
        let condition = found.condition();
        let variables: Vec<VarId> = condition.into_iter().flat_map(Condition::variables).collect();
        let names: Vec<String> = variables.iter().map(|&id| quote(analysis.names.name(id))).collect();
        let name = found.activity.display_name();
        let (message, help) = match names.as_slice() {
            [] => (
                format!("endless loop {name}: its condition compares constants, and no Terminate is inside"),
                "compare a variable that the loop writes, or add a Terminate inside it".to_owned(),
            ),
            names => {
                let names = list(names, "or");
                (
                    format!("endless loop {name}: nothing inside writes {names}, and no Terminate is inside"),
                    format!("write {names} inside the loop, or add a Terminate inside it"),
                )
            }
        };
        let mut draft = out.report(&Place::value(analysis.file, condition_node(found.activity)), message);
        draft.help(help);
        explain_loop(&found, &mut draft);
        draft.about(Cause::Node(analysis.file, found.activity.node));
        for variable in variables {
            draft.about(Cause::Variable(analysis.names.name(variable).to_owned()));
        }
        for lookup in found.lookups_that_lose_the_status() {
            draft.about(Cause::Node(analysis.file, lookup.node));
        }
    }
}

/// Whether nothing in the loop can change its condition or end the order.
fn is_endless(found: &Loop<'_, '_>) -> bool {
    let can_change =
        |variable| found.writes(variable) || found.analysis.scope.is_system(found.analysis.names.name(variable));
    found.condition_is_known()
        && !found.condition().is_some_and(|condition| condition.variables().any(can_change))
        && !found.contains_terminate()
        && found.is_entered()
}
