use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::binding::{doubles, real_id};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF108",
    name: "duplicate-variable-id",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF108-duplicate-variable-id.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (file, variables) in cx.variable_lists() {
        for (first, second) in doubles(variables, real_id) {
            let (Some((node, id)), Some(first_id)) = (second.id.known(), first.id.node()) else { continue };
            if first.name.value().is_some() && first.name.value() == second.name.value() {
                continue; // One entry pasted twice is told by its name (WF107).
            }
            let [one, two] = [first, second].map(|variable| quote(variable.name.value().unwrap_or_default()));
            out.report(
                &Place::value(file, node),
                format!("{one} and {two} have the same id {id}, so a binding with this id means either"),
            )
            .help("give one of them an id of its own")
            .related(&Place::value(file, first_id), "the first one");
        }
    }
}
