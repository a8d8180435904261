//! `WF9`: security and privacy.

pub mod hard_coded_secret;
pub mod insecure_uri;
pub mod invisible_characters;
pub mod ldap_injection;
pub mod personal_data_published;
pub mod untrusted_connection;
pub mod untrusted_path;

pub mod dynamic_code;
pub mod json_injection;

use crate::diagnostic::quote;
use crate::facts::{FormValues, Reached};
use crate::model::Kind;
use crate::rules::Draft;

/// Adds the path of a value from a form, from the field on, as related places.
pub(super) fn show_path_from_form(values: &FormValues<'_>, found: &Reached<'_, '_>, draft: &mut Draft<'_>) {
    if let (Some(field), Some(origin)) = (values.field(found), found.origin()) {
        draft.related(&field, format!("{} is filled in here", quote(origin)));
    }
    show_steps(found, draft);
}

/// Adds the steps of a value, each as a related place.
pub(super) fn show_steps(found: &Reached<'_, '_>, draft: &mut Draft<'_>) {
    for step in found.steps() {
        let how = if matches!(step.activity.kind, Kind::Code(_)) { "through the script " } else { "" };
        draft.related(&step.place, format!("{} goes {how}into {} here", quote(step.from), quote(step.into)));
    }
}

/// What is said of a value from a form: its variable, and the one that it comes from.
pub(super) fn form_value(found: &Reached<'_, '_>) -> String {
    let used = quote(found.used());
    match found.origin() {
        Some(origin) if origin == found.used() => format!("{used}, which is filled into a form,"),
        Some(origin) => format!("{used}, which holds what is filled into a form as {},", quote(origin)),
        None => format!("{used}, which holds what is filled into a form,"),
    }
}
