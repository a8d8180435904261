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

use crate::graph::{Resolution, Scope};
use crate::model::{Field, FieldType};

/// Whether a field is of a type that the reference shows.
pub(super) const fn is_documented(field: &Field<'_>) -> bool {
    !matches!(field.field_type, FieldType::Declared | FieldType::Unknown)
}

/// Whether a name is sure to be that of no variable.
pub(super) fn is_unknown(scope: &Scope<'_>, name: &str) -> bool {
    matches!(scope.resolve(name), Resolution::Unknown(_))
}
