use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::graph::Resolution;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF615",
    name: "field-unused",
    severity: Severity::Info,
    page: include_str!("../../../rules/WF615-field-unused.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    // What a form fills is read by workflows; without one nothing is known.
    if cx.workflows.is_empty() {
        return;
    }
    for (form, scope) in cx.forms() {
        for field in &form.form.fields {
            let Some((node, name)) = field.target() else { continue };
            let is_declared = matches!(scope.resolve(name), Resolution::Declared(_));
            // A readonly field is there to show its value.
            if !is_declared || field.readonly.is_true() || cx.usage.is_used(name) {
                continue;
            }
            out.report(
                &Place::value(form.file, node),
                format!("what is filled in goes to {}, which nothing reads", quote(name)),
            )
            .help("use the variable in the workflow, or remove the field");
        }
    }
}
