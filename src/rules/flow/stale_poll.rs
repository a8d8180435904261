use crate::diagnostic::Severity;
use crate::facts::{Context, Loop, Place};
use crate::graph::VarId;
use crate::rules::flow::explain_loop;
use crate::rules::{Cause, Reporter, Rule, YieldsTo};
use crate::text::quote;

pub const RULE: Rule = Rule {
    code: "WF407",
    name: "stale-poll",
    severity: Severity::Error,
    yields_to: YieldsTo::Rules(&["WF403", "WF404", "WF407"]),
    page: include_str!("../../../rules/WF407-stale-poll.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for found in cx.loops() {
        let Some(variable) = stale_status(&found) else { continue };
        let analysis = found.analysis;
        let (loop_name, name) = (found.activity.display_name(), quote(analysis.names.name(variable)));
        let lookups: Vec<_> = found.lookups().collect();
        let message = match lookups.first() {
            Some(_) => format!("loop {loop_name} never ends: no lookup inside it writes {name}"),
            None => format!("loop {loop_name} never ends: it waits for {name}, but never looks it up"),
        };
        let mut draft = out.report(&Place::value(analysis.file, found.activity.node), message);
        draft.help(match lookups.first() {
            Some((lookup, _)) => format!("set `Prefix` of {} so that it writes {name}", lookup.display_name()),
            None => format!("add a status lookup that writes {name} inside the loop"),
        });
        explain_loop(&found, &mut draft);
        for (lookup, written) in lookups {
            let written: Vec<String> = written.iter().map(|&status| quote(analysis.names.name(status))).collect();
            let label = if written.is_empty() {
                "the status of this lookup is lost".to_owned()
            } else {
                format!("this lookup writes {}", written.join(", "))
            };
            draft.explains(Cause::Node(analysis.file, lookup.node));
            draft.related(&Place::value(analysis.file, lookup.node), label);
        }
    }
}

/// The case status that the loop waits for and that nothing in its body writes.
fn stale_status(found: &Loop<'_, '_>) -> Option<VarId> {
    let mut compared = found.condition()?.variables();
    let status = compared.find(|variable| found.statuses.variables.contains_key(variable))?;
    (!found.writes(status) && found.is_entered() && found.analysis.repeats(found.activity.id)).then_some(status)
}
