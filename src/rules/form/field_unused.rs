use crate::facts::{Context, Place};
use crate::graph::Resolution;
use crate::rules::form::describe;
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF615-field-unused", Info, check, recommends_infos: true, marks_unnecessary: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    // Workflows read what a form fills in; without one, nothing is known of the readers.
    if cx.workflows.is_empty() {
        return;
    }
    for (form, scope) in cx.forms() {
        for field in &form.form.fields {
            let Some((node, name)) = field.target() else { continue };
            let may_be_provided = matches!(scope.resolve(name), Resolution::System | Resolution::Unknown);
            // A readonly field only shows its value.
            if may_be_provided || field.readonly.is_true() || cx.usage.is_used(name) {
                continue;
            }
            let message = format!("unused {}: variable {} is never read", describe(field), quote(name));
            out.report(&Place::value(form.file, node), message)
                .help("use the variable in the workflow, or remove the field");
        }
    }
}
