use crate::diagnostic::Severity;
use crate::facts::{Context, Loop, Place};
use crate::graph::{Analysis, VarId};
use crate::model::{Activity, Kind};
use crate::rules::flow::{condition_node, explain_loop};
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
    for found in cx.loops() {
        let Some((variable, statuses)) = unhandled(&found) else { continue };
        let analysis = found.analysis;
        let variable_name = analysis.names.name(variable);
        let quoted: Vec<String> = statuses.iter().map(|status| quote(status)).collect();
        let (name, status) = (found.activity.display_name(), list(&quoted, "or"));
        let message = format!("loop {name} never ends when {} is {status}", quote(variable_name));
        let mut draft = out.report(&Place::value(analysis.file, condition_node(found.activity)), message);
        draft.help(if statuses == ["Finished"] {
            format!("let the condition end the loop when {} is {status}", quote(variable_name))
        } else {
            format!("add an If on {} equal {status} with a Terminate inside the loop", quote(variable_name))
        });
        explain_loop(&found, &mut draft);
        draft.about(Cause::Node(analysis.file, found.activity.node));
        for status in statuses {
            let (variable, status) = (variable_name.to_owned(), status.to_owned());
            draft.about(Cause::MeantStatus { variable: variable.clone(), status: status.clone() });
            draft.explains(Cause::CaseStatus { variable, status });
        }
        // An If that ends the order was meant to end it on some status.
        for ends in found.body().filter(|inner| contains_terminate(analysis, inner)) {
            draft.about(Cause::Node(analysis.file, ends.node));
        }
        if let Some(lookup) = found.lookup_of(variable) {
            draft.related(&Place::value(analysis.file, lookup.node), "the status is looked up here");
        }
    }
}

fn contains_terminate(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    analysis.workflow.inside(activity).any(|inner| matches!(inner.kind, Kind::Terminate))
}

/// The first status variable that the loop waits for, with the documented terminal statuses on which it never ends.
fn unhandled<'a>(found: &Loop<'_, 'a>) -> Option<(VarId, Vec<&'a str>)> {
    found.awaited_statuses().find_map(|(variable, statuses)| {
        let terminal = statuses.iter().filter(|status| status.terminal && status.documented);
        let endless: Vec<&str> = terminal
            .map(|status| status.value.as_str())
            .filter(|status| found.never_ends_on(variable, status))
            .collect();
        (!endless.is_empty()).then_some((variable, endless))
    })
}
