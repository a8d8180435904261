use crate::facts::{Context, Place};
use crate::rules::binding::duplicates;
use crate::rules::{Cause, Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF107-duplicate-variable-name", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (file, variables) in cx.variable_lists() {
        for (first, second) in duplicates(variables, |variable| variable.name.value()) {
            let (Some((node, name)), Some(first)) = (second.name.known(), first.name.node()) else { continue };
            out.report(&Place::value(file, node), format!("duplicate variable name {}", quote(name)))
                .help("rename or remove one of the two")
                .related(&Place::value(file, first), "first declaration")
                .cause(Cause::Variable((*name).to_owned()));
        }
    }
}
