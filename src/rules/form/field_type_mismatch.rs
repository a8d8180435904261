use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::model::FieldType;
use crate::rules::{Reporter, Rule};

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
            // Where the documents disagree on the type, that is told (WF114).
            let Some(variable_type) = scope.declarations.type_of(name) else { continue };
            let (message, help) = match field.field_type {
                FieldType::InputFile if variable_type != "File" => (
                    format!("this field takes a file, but {} is of the type {}", quote(name), quote(variable_type)),
                    "bind it to a variable of the type `File`",
                ),
                FieldType::InputText | FieldType::DropDown | FieldType::FormSection
                    if variable_type == "File" && !field.readonly.is_true() =>
                {
                    (
                        format!("{} holds a file, which this field cannot take", quote(name)),
                        "use an InputFile field, or bind this one to another variable",
                    )
                }
                _ => continue,
            };
            out.report(&Place::value(form.file, node), message)
                .help(help)
                .related(&Place::value(declared.file, declared.variable.node), "declared here");
        }
    }
}
