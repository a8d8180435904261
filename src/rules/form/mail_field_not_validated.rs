use crate::catalog::ParameterKind;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place, reaching};
use crate::model::{Field, FieldType};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF616",
    name: "mail-field-not-validated",
    severity: Severity::Info,
    page: include_str!("../../../rules/WF616-mail-field-not-validated.md"),
    check,
    ..Rule::DEFAULT
};

/// What a field for a mail address has in `validationtype` (reference, `InputText`).
const MAIL: i64 = 2;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let goals = reaching(cx, ParameterKind::Mail);
    for (form, _) in cx.forms() {
        for field in form.form.fields.iter().filter(|field| is_typed_by_people(field)) {
            let Some((_, name)) = field.target() else { continue };
            let properties = &field.properties;
            let Some((node, _)) = properties.validation_type.known().filter(|(_, kind)| **kind != MAIL) else {
                continue;
            };
            // A pattern may well describe mail addresses.
            let has_pattern = properties.validation_pattern.is_unknown()
                || properties.validation_pattern.value().is_some_and(|pattern| !pattern.is_empty());
            let Some(goal) = goals.get(name).filter(|_| !has_pattern) else { continue };
            out.report(
                &Place::value(form.file, node),
                format!(
                    "what is typed here goes to {} as a mail address, but the form takes any text",
                    quote(goal.name)
                ),
            )
            .help(format!("choose the validation for mail addresses, which in documented forms is {MAIL}"))
            .related(&goal.place, "it goes here");
        }
    }
}

fn is_typed_by_people(field: &Field<'_>) -> bool {
    field.field_type == FieldType::InputText && !field.readonly.is_true() && !field.hidden.is_true()
}
