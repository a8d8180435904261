use crate::diagnostic::Severity;
use crate::facts::{Context, Loop, Place};
use crate::graph::{Condition, VarId};
use crate::rules::flow::{condition_node, explain_loop, loop_steps};
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
    for while_loop in cx.loops().filter(|while_loop| is_endless(while_loop)) {
        let analysis = while_loop.analysis;
        let condition = while_loop.condition();
        let variables: Vec<VarId> = condition.into_iter().flat_map(Condition::variables).collect();
        let names: Vec<String> = variables.iter().map(|&id| quote(analysis.names.name(id))).collect();
        let name = while_loop.activity.display_name();
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
        let mut draft = out.report(&Place::value(analysis.file, condition_node(while_loop.activity)), message);
        draft.help(help);
        let file = analysis.file;
        let last = while_loop.body().last();
        let last = last.map(|last| (Place::value(file, last.node), "the iteration ends here".to_owned()));
        let end = match names.as_slice() {
            [] => "the condition compares constants, so the loop repeats".to_owned(),
            names => format!("nothing has written {}, so the loop repeats", list(names, "or")),
        };
        draft.flow(loop_steps(&while_loop, last, end));
        explain_loop(&while_loop, &mut draft);
        draft.about(Cause::Node(analysis.file, while_loop.activity.node));
        for variable in variables {
            draft.about(Cause::Variable(analysis.names.name(variable).to_owned()));
        }
        for lookup in while_loop.lookups_with_lost_status() {
            draft.about(Cause::Node(analysis.file, lookup.node));
        }
    }
}

/// Whether nothing in the loop can change its condition, or end the order.
fn is_endless(while_loop: &Loop<'_, '_>) -> bool {
    while_loop.condition_is_known()
        && !while_loop.condition().is_some_and(|condition| condition.variables().any(|id| while_loop.may_change(id)))
        && !while_loop.contains_terminate()
        && while_loop.is_entered()
}
