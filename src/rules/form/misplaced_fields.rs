use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::model::FieldType;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF613",
    name: "misplaced-fields",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF613-misplaced-fields.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        for field in &form.form.fields {
            let Some((node, ())) = field.view_model.known() else { continue };
            if field.children.is_unknown() {
                continue;
            }
            let has_children = field.children.get().is_some_and(|children| !children.is_empty());
            let (message, help) = match field.field_type {
                FieldType::FormSection if !has_children => {
                    ("this section holds no fields, so it shows nothing".to_owned(), "put fields into it, or remove it")
                }
                FieldType::InputText | FieldType::InputFile | FieldType::DropDown if has_children => {
                    let kind = quote(field.type_name.value().unwrap_or_default());
                    (
                        format!("a field of the type {kind} shows no fields inside it"),
                        "put them into a FormSection, or beside it",
                    )
                }
                _ => continue,
            };
            out.report(&Place::value(form.file, node), message).help(help);
        }
    }
}
