use crate::diagnostic::Severity;
use crate::facts::{Context, Loop, Place};
use crate::graph::VarId;
use crate::rules::flow::{condition_node, contains_terminate, explain_loop};
use crate::rules::{Cause, Reporter, Rule, YieldsTo};
use crate::text::{list, quote};

pub const RULE: Rule = Rule {
    code: "WF404",
    name: "unhandled-rejection",
    severity: Severity::Error,
    yields_to: YieldsTo::Rules(&["WF403", "WF404", "WF406", "WF407"]),
    page: include_str!("../../../rules/WF404-unhandled-rejection.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for while_loop in cx.loops() {
        let Some((variable, statuses)) = unhandled(&while_loop) else { continue };
        let analysis = while_loop.analysis;
        let variable_name = analysis.names.name(variable);
        let quoted: Vec<String> = statuses.iter().map(|status| quote(status)).collect();
        let (name, status) = (while_loop.activity.display_name(), list(&quoted, "or"));
        let message = format!("loop {name} never ends when {} is {status}", quote(variable_name));
        let mut draft = out.report(&Place::value(analysis.file, condition_node(while_loop.activity)), message);
        draft.help(if statuses == ["Finished"] {
            format!("let the condition end the loop when {} is {status}", quote(variable_name))
        } else {
            format!("add an If on {} equal {status} with a Terminate inside the loop", quote(variable_name))
        });
        explain_loop(&while_loop, &mut draft);
        draft.about(Cause::Node(analysis.file, while_loop.activity.node));
        for status in statuses {
            let (variable, status) = (variable_name.to_owned(), status.to_owned());
            draft.about(Cause::SuggestedStatus { variable: variable.clone(), status: status.clone() });
            draft.explains(Cause::CaseStatus { variable, status });
        }
        // An If with a Terminate inside was meant to handle the status, so this loop and a fault of that If are one
        // fault.
        for handler in while_loop.body().filter(|inner| contains_terminate(analysis, inner)) {
            draft.about(Cause::Node(analysis.file, handler.node));
        }
        if let Some(lookup) = while_loop.lookup_of(variable) {
            draft.related(&Place::value(analysis.file, lookup.node), "the status is looked up here");
        }
    }
}

/// The first status variable that the loop waits for, and the documented final statuses on which it never ends.
fn unhandled<'a>(while_loop: &Loop<'_, 'a>) -> Option<(VarId, Vec<&'a str>)> {
    while_loop.awaited_statuses().find_map(|(variable, statuses)| {
        let terminal = statuses.iter().filter(|status| status.terminal && status.documented);
        let endless: Vec<&str> = terminal
            .map(|status| status.value.as_str())
            .filter(|status| while_loop.never_ends_on(variable, status))
            .collect();
        (!endless.is_empty()).then_some((variable, endless))
    })
}
