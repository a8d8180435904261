use crate::common::collections::HashSet;
use crate::facts::{Context, Place};
use crate::rules::{Cause, Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF110-unused-variable", Warning, check, marks_unnecessary: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    if cx.workflows.is_empty() {
        return;
    }
    // The documents of a service declare the same variables: each is reported once, in the workflow.
    let mut seen = HashSet::default();
    for (file, variables) in cx.variable_lists() {
        for variable in variables {
            let Some(name) = variable.name.value() else { continue };
            let is_used = cx.usage.is_read(name) || cx.usage.is_written(name);
            if is_used || !seen.insert(name) {
                continue;
            }
            let details = variable.details();
            if details.is_input.is_true() || details.is_output.is_true() || cx.is_system(name) {
                continue;
            }
            out.report(&Place::value(file, variable.node), format!("unused variable {}", quote(name)))
                .help("remove it, or bind it where it is needed")
                .cause(Cause::Variable(name.to_owned()));
        }
    }
}
