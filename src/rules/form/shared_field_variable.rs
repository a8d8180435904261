use crate::collections::HashMap;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::form::is_unknown;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF605",
    name: "shared-field-variable",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF605-shared-field-variable.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (form, scope) in cx.forms() {
        let mut first = HashMap::default();
        // A readonly field shows the variable, and fills nothing.
        for field in form.form.fields.iter().filter(|field| !field.readonly.is_true()) {
            let Some((node, name)) = field.target().filter(|(_, name)| !is_unknown(scope, name)) else { continue };
            let Some(&(earlier, called)) = first.get(name) else {
                first.insert(name, (node, field.name.value()));
                continue;
            };
            // A field that was pasted is told by its name (WF604).
            if called.is_some() && called == field.name.value() {
                continue;
            }
            out.report(
                &Place::value(form.file, node),
                format!("another field fills {} as well, and only one of the two answers is kept", quote(name)),
            )
            .help("bind one of them to a variable of its own")
            .related(&Place::value(form.file, earlier), "the other field");
        }
    }
}
