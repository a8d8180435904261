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

use std::cell::OnceCell;

use crate::collections::HashSet;
use crate::facts::FormScript;
use crate::model::{Field, FieldType, Form, Member};
use crate::text::quote;

/// Whether a field is of a type that docs/platform.md, Form field, describes.
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

/// Name and field of a script, for a message: `` `onLoad` of field `Email` ``.
pub(super) fn describe_script(site: &FormScript<'_, '_>) -> String {
    let owns = |field: &&Field<'_>| field.details().scripts.iter().any(|script| script.node() == Some(site.node));
    match site.form.form.fields.iter().find(owns) {
        Some(field) => format!("`{}` of {}", site.member, describe(field)),
        None => format!("`{}`", site.member),
    }
}

/// The fields of a form that its scripts may fill.
pub(super) struct FilledByScripts<'f, 'd> {
    form: &'f Form<'d>,
    /// A script chooses fields by their type, as in `Z('#[type=dropdown]')`, or cannot be read.
    are_any: bool,
    /// Collected at the first use: few fields need the words of scripts.
    words: OnceCell<HashSet<&'d str>>,
}

impl<'f, 'd> FilledByScripts<'f, 'd> {
    pub fn of(form: &'f Form<'d>) -> Self {
        let is_unread = |field: &Field<'_>| field.details().scripts.iter().any(Member::is_unknown);
        let are_any = form.scripts().any(|script| script.contains("[type=")) || form.fields.iter().any(is_unread);
        Self { form, are_any, words: OnceCell::new() }
    }

    /// Whether a script mentions the field by its name, or by the given one.
    pub fn contains(&self, field: &Field<'_>, other_name: Option<&str>) -> bool {
        let words = self.words.get_or_init(|| self.form.script_words().collect());
        // A script may mean the field by a name that cannot be read.
        let is_mentioned = field.name.value().map_or(!words.is_empty(), |name| words.contains(name));
        self.are_any || is_mentioned || other_name.is_some_and(|name| words.contains(name))
    }
}
