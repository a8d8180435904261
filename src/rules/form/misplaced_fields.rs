use crate::facts::{Context, Place};
use crate::model::FieldType;
use crate::rules::form::describe;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = rule!("WF613-misplaced-fields", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        for field in &form.form.fields {
            let Some((node, ())) = field.view_model.known() else { continue };
            if field.children.is_unknown() {
                continue;
            }
            let has_children = field.children.get().is_some_and(|children| !children.is_empty());
            let (message, help) = match field.field_type {
                FieldType::FormSection if !has_children => (
                    format!("empty section: {} has no child fields", describe(field)),
                    "add fields, or remove the FormSection",
                ),
                FieldType::InputText | FieldType::InputFile | FieldType::DropDown if has_children => {
                    let message = format!("misplaced fields in {}, only a FormSection shows fields", describe(field));
                    (message, "move the fields into a FormSection, or next to their parent field")
                }
                _ => continue,
            };
            out.report(&Place::value(form.file, node), message).help(help);
        }
    }
}
