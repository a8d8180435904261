use crate::facts::{Context, Place, mismatch};
use crate::rules::form::{describe, explain_meant};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF603-field-type-mismatch", Error, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let wrong = cx.wrong_bindings();
    for (form, scope) in cx.forms() {
        for field in &form.form.fields {
            let Some((variable_type, (wanted, help))) = mismatch(field, scope) else { continue };
            let Some((node, name)) = field.target() else { continue };
            let Some(declared) = scope.declarations.variable(name) else { continue };
            let meant = wrong.get(&form.file).and_then(|wrong| wrong.get(&node));
            let wanted =
                meant.map_or_else(|| format!("a {wanted}"), |meant| format!("variable {}", quote(&meant.name)));
            let (field, found) = (describe(field), format!("{} variable {}", quote(variable_type), quote(name)));
            let message = format!("expected {wanted} for {field}, found {found}");
            let mut draft = out.report(&Place::value(form.file, node), message);
            match meant {
                Some(meant) => explain_meant(meant, &field, node, &mut draft),
                None => _ = draft.help(help),
            }
            draft.related(&Place::value(declared.file, declared.variable.node), "declared here");
            // Another document contradicts the form's declaration.
            if scope.declarations.type_of(name).is_none() {
                draft.cause(Cause::Node(declared.file, declared.variable.node));
            }
        }
    }
}
