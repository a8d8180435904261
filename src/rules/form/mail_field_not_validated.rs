use crate::catalog::ParameterKind;
use crate::facts::{Context, Place, sinks_of_kind};
use crate::model::{Assumption, Field, FieldType, MAIL_VALIDATION};
use crate::rules::form::describe;
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule =
    rule!("WF616-mail-field-not-validated", Info, check, fixes: Fixes::Unsafe, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let title = format!("set `validationtype` to {MAIL_VALIDATION}, as documented forms do");
    let sinks = sinks_of_kind(cx, ParameterKind::Mail);
    for form in &cx.model.forms {
        for field in form.form.fields.iter().filter(|field| is_editable_text(field)) {
            let Some((_, name)) = field.target() else { continue };
            let properties = field.properties();
            let Some((node, _)) = properties.validation_type.known().filter(|(_, kind)| **kind != MAIL_VALIDATION)
            else {
                continue;
            };
            // A pattern may well describe mail addresses.
            let has_pattern = properties.validation_pattern.is_unknown()
                || properties.validation_pattern.value().is_some_and(|pattern| !pattern.is_empty());
            let Some(sink) = sinks.get(name).filter(|_| !has_pattern) else { continue };
            let (field, parameter) = (describe(field), quote(sink.name));
            let message = format!("missing mail validation of {field}, whose value reaches {parameter}");
            out.report(&Place::value(form.file, node), message)
                .assumes(Assumption::MailValidation)
                .related(&sink.place, format!("reaches {parameter} here"))
                .fix_value(Applicability::Unsafe, title.clone(), node, MAIL_VALIDATION.to_string());
        }
    }
}

fn is_editable_text(field: &Field<'_>) -> bool {
    field.field_type == FieldType::InputText && !field.readonly.is_true() && !field.hidden.is_true()
}
