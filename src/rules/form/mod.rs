//! `WF6`: forms.

pub mod duplicate_field_name;
pub mod field_bound_flag_mismatch;
pub mod field_type_mismatch;
pub mod form_script_syntax;
pub mod mail_field_not_validated;
pub mod reach;
pub mod shared_field_variable;
pub mod unfillable_required_field;
pub mod unknown_field_in_script;
pub mod unknown_field_variable;
pub mod unmasked_personal_id;

use crate::graph::{Resolution, Scope};

/// Whether a name is sure to be that of no variable.
pub(super) fn is_unknown(scope: &Scope<'_>, name: &str) -> bool {
    matches!(scope.resolve(name), Resolution::Unknown(_))
}
