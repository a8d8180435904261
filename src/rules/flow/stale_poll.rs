use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::graph::{LoopFault, Writer};
use crate::rules::flow::faulty_loops;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF407",
    name: "stale-poll",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF407-stale-poll.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity, fault) in faulty_loops(cx) {
        let LoopFault::StalePoll(variable) = fault else { continue };
        let name = quote(analysis.names.name(*variable));
        let other = analysis.workflow.inside(activity).find_map(|inner| {
            let writes = &analysis.effects(inner.id)?.writes;
            let status = writes.iter().find(|write| write.by == Writer::Output { is_status: true })?;
            Some((inner, status))
        });
        match other {
            Some((lookup, status)) => {
                let written = quote(analysis.names.name(status.variable));
                out.report(&Place::value(analysis.file, activity.node), format!("this loop waits for {name} to change, but the lookup inside writes {written}, so it goes on for ever")).help(format!("give the lookup the prefix that writes {name}, or wait for {written}"))
                .related(&Place::value(analysis.file, lookup.node), format!("writes {written}"));
            }
            None => {
                out.report(
                    &Place::value(analysis.file, activity.node),
                    format!(
                        "this loop waits for {name} to change, but never looks the status up, so it goes on for ever"
                    ),
                )
                .help(format!("look the status up inside the loop, with the prefix that writes {name}"));
            }
        }
    }
}
