use crate::collections::HashSet;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF113",
    name: "unknown-variable-type",
    severity: Severity::Info,
    page: include_str!("../../../rules/WF113-unknown-variable-type.md"),
    check,
    ..Rule::DEFAULT
};

/// The types that the reference shows (Variable).
const TYPES: [&str; 2] = ["String", "File"];

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let mut told = HashSet::default();
    for (file, variables) in cx.variable_lists() {
        for variable in variables {
            let Some((node, &written)) = variable.variable_type.known() else { continue };
            // The documents of a service list the same variable: it is told once. Where they do not agree
            // on the type, that is told (WF114).
            let name = variable.name.value().unwrap_or_default();
            if TYPES.contains(&written) || types_disagree(cx, name, written) || !told.insert((name, written)) {
                continue;
            }
            let help = match cx.suggester.nearest(written, TYPES) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "the documented types are `String` and `File`; most likely this one is checked as neither"
                    .to_owned(),
            };
            let message = format!("{} is of the type {}, which is not documented", quote(name), quote(written));
            out.report(&Place::value(file, node), message).help(help);
        }
    }
}

/// Whether a form and a workflow declare the variable with different types.
fn types_disagree(cx: &Context<'_>, name: &str, written: &str) -> bool {
    let (Some((_, scope)), false) = (cx.forms().next(), cx.workflows.is_empty()) else { return false };
    scope.declarations.named(name).any(|declared| declared.variable.variable_type.value() != Some(written))
}
