use crate::facts::{Context, Place};
use crate::rules::{Cause, Reporter, Rule};
use crate::text::diagnostic::Severity;

pub const RULE: Rule = Rule {
    code: "WF004",
    name: "schema-violation",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF004-schema-violation.md"),
    check,
    ..Rule::DEFAULT
};

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
