use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::binding::doubles;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF107",
    name: "duplicate-variable-name",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF107-duplicate-variable-name.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (file, variables) in cx.variable_lists() {
        for (first, second) in doubles(variables, |variable| variable.name.value()) {
            let (Some((node, name)), Some(first)) = (second.name.known(), first.name.node()) else { continue };
            out.report(
                &Place::value(file, node),
                format!("two variables are named {}, so which one an activity gets is left to chance", quote(name)),
            )
            .help("remove one of them, or give it another name")
            .related(&Place::value(file, first), "the first one");
        }
    }
}
