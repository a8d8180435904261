use crate::facts::{Context, Place};
use crate::model::{FILE_TYPE, FieldType, STRING_TYPE};
use crate::rules::form::describe;
use crate::rules::{Cause, Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = Rule {
    code: "WF603",
    name: "field-type-mismatch",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF603-field-type-mismatch.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (form, scope) in cx.forms() {
        for field in &form.form.fields {
            let Some((node, name)) = field.target() else { continue };
            let Some(declared) = scope.declarations.variable(name) else { continue };
            let agreed = scope.declarations.type_of(name);
            let Some(variable_type) = agreed.or_else(|| scope.declarations.own_type(name)) else {
                continue;
            };
            let (wanted, help) = match field.field_type {
                // Any other type is that of WF113.
                FieldType::InputFile if variable_type == STRING_TYPE => {
                    ("a `File` variable", "bind the field to a `File` variable")
                }
                FieldType::InputText | FieldType::DropDown | FieldType::FormSection
                    if variable_type == FILE_TYPE && !field.readonly.is_true() =>
                {
                    ("a non-`File` variable", "use an InputFile field, or bind the field to another variable")
                }
                _ => continue,
            };
            let found = format!("{} variable {}", quote(variable_type), quote(name));
            let message = format!("expected {wanted} for {}, found {found}", describe(field));
            let mut draft = out.report(&Place::value(form.file, node), message);
            draft.help(help).related(&Place::value(declared.file, declared.variable.node), "declared here");
            // Another document contradicts the form's declaration.
            if agreed.is_none() {
                draft.cause(Cause::Node(declared.file, declared.variable.node));
            }
        }
    }
}
