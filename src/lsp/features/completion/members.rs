//! Keys of objects.

use serde_json::Value;

use super::completions::Completions;
use super::item::CompletionKind;
use super::json_context::JsonContext;
use super::schema_path;
use crate::collections::HashSet;
use crate::facts::AnalyzedService;
use crate::model::{ActivityKind, Form};

/// The objects with a string for each locale.
const LOCALIZED: [&str; 6] =
    ["statusTranslations", "displayName", "description", "defaultvalue", "validationmessage", "placeholder"];

/// The keys that the object can have and does not have yet.
pub fn add_keys(service: &AnalyzedService<'_>, schemas: &[&Value], context: &JsonContext, to: &mut Completions<'_>) {
    let Some(object) = context.around.last() else { return };
    for key in schema_path::keys(schemas) {
        if object.member(&key.text).is_none() || to.current() == key.text {
            to.add_string(&key.text, CompletionKind::Key, key.description.as_deref());
        }
    }
    if object.key.as_deref().is_some_and(|key| LOCALIZED.contains(&key)) {
        for locale in locales(service).into_iter().filter(|locale| object.member(locale).is_none()) {
            to.add_string(locale, CompletionKind::Value, None);
        }
    }
}

/// The locales of the documents, and that of the documentation.
fn locales<'a>(service: &AnalyzedService<'a>) -> HashSet<&'a str> {
    let mut locales = HashSet::from_iter(["en-US"]);
    let fields = |form: &'a Form<'a>| form.fields.iter().filter_map(|field| field.display_name.get());
    for texts in service.model.forms.iter().flat_map(|form| fields(form.form)) {
        locales.extend(texts.iter().map(|text| text.locale));
    }
    for (_, activity) in service.activities() {
        if let ActivityKind::Status { translations, .. } = &activity.kind {
            locales.extend(translations.get().into_iter().flatten().map(|text| text.locale));
        }
    }
    locales
}
