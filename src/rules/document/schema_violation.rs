use crate::facts::{Context, Place};
use crate::rules::{Cause, Reporter, Rule};

pub const RULE: Rule = rule!("WF004-schema-violation", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (file, violation) in cx.violations() {
        if cx.is_exact_copy(file, violation.node) {
            continue;
        }
        let mut draft = out.report(&Place::value(file, violation.node), violation.message.clone());
        draft.help(violation.help.clone());
        for name in &violation.missing {
            draft.cause(Cause::Name(file, violation.node, name.clone()));
        }
    }
}
