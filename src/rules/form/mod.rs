//! `WF6`: forms.

pub mod duplicate_dropdown_item;
pub mod duplicate_field_name;
pub mod field_bound_flag_mismatch;
pub mod field_type_mismatch;
pub mod field_unused;
pub mod form_script_syntax;
pub mod invalid_data_source;
pub mod invalid_locale;
pub mod invalid_size;
pub mod invalid_validation_pattern;
pub mod mail_field_not_validated;
pub mod misplaced_fields;
pub mod missing_translation;
pub mod shared_field_variable;
pub mod unfillable_required_field;
pub mod unknown_field_in_script;
pub mod unknown_field_type;
pub mod unknown_field_variable;
pub mod unmasked_personal_id;

use crate::document::NodeId;
use crate::facts::{FormScript, Meant};
use crate::model::{Field, FieldType};
use crate::rules::{Cause, Draft};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

/// Whether a field is of a type that docs/platform-methods.md, Form field, describes.
pub(super) const fn is_documented(field: &Field<'_>) -> bool {
    !matches!(field.field_type, FieldType::Declared | FieldType::Unknown)
}

/// The description of a field in a message: ``field `Email` ``, or ``unnamed InputText``.
pub(in crate::rules) fn describe(field: &Field<'_>) -> String {
    match (field.name.value(), field.type_name.value()) {
        (Some(name), _) if !name.trim().is_empty() => format!("field {}", quote(name)),
        (_, Some(kind)) if !kind.is_empty() => format!("unnamed {kind}"),
        _ => "unnamed field".to_owned(),
    }
}

/// Names the variable that a field should be bound to, instead of the one at a place, which other rules then need not
/// report.
pub(super) fn explain_meant(meant: &Meant, field: &str, node: NodeId, draft: &mut Draft<'_>) {
    draft.cause(Cause::Variable(meant.name.clone()));
    if meant.is_certain {
        let title = format!("bind it to {}", quote(&meant.name));
        let json = serde_json::Value::from(meant.name.as_str()).to_string();
        draft.fix_value(Applicability::Unsafe, title, node, json);
    } else {
        draft.help(format!("bind {field} to {}", quote(&meant.name)));
    }
    if let Some(read) = &meant.read {
        draft.related(read, format!("{} is read here, and nothing writes it", quote(&meant.name)));
    }
}

/// Name and field of a script, for a message: `` `onLoad` of field `Email` ``.
pub(super) fn describe_script(site: &FormScript<'_, '_>) -> String {
    let owns = |field: &&Field<'_>| field.details().scripts.iter().any(|script| script.node() == Some(site.node));
    match site.form.form.fields.iter().find(owns) {
        Some(field) => format!("`{}` of {}", site.member, describe(field)),
        None => format!("`{}`", site.member),
    }
}
