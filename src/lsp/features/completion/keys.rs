//! The keys of objects, and the names in scenarios and configurations.

use super::items::{CompletionKind, Completions};
use super::json::Context;
use super::schema::Place;
use crate::common::collections::HashSet;
use crate::facts::AnalyzedService;
use crate::model::{Activity, ActivityKind, Form};
use crate::rules::{REGISTRY, own_rules};

/// The objects with a string for each locale.
const LOCALIZED: [&str; 6] =
    ["statusTranslations", "displayName", "description", "defaultvalue", "validationmessage", "placeholder"];

/// The keys that the object can have and does not have yet.
pub fn add_keys(service: &AnalyzedService<'_>, place: &Place, context: &Context, to: &mut Completions<'_>) {
    let Some(object) = context.around.last() else { return };
    for (key, description) in place.keys() {
        if object.member(key).is_none() || to.current() == key {
            to.add_string(key, CompletionKind::Key, description);
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

/// The kind of names that an object's keys or an array's entries are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    Variables,
    Fields,
    Activities,
    Approvals,
    Methods,
    Rules,
    OwnRules,
}

/// Stand for a key, and for an element of an array, at the end of a path.
const KEY: &str = "";
const ELEMENT: &str = "[]";

/// The names that a scenario or a configuration can have at a place.
pub fn add_names(service: &AnalyzedService<'_>, context: &Context, to: &mut Completions<'_>) {
    let around = context.around.iter().filter_map(|container| container.key.as_deref());
    let last = if context.is_key { KEY } else { context.key.as_deref().unwrap_or(ELEMENT) };
    let place: Vec<&str> = around.chain([last]).collect();
    let has_form = context.around.first().is_some_and(|root| root.member("form").is_some());
    let named = match place.as_slice() {
        ["submit", KEY] if has_form => Named::Fields,
        ["submit" | "variables", KEY]
        | [.., "expect" | "when", "variables", KEY]
        | ["types", "activities", _, "writes", ELEMENT] => Named::Variables,
        ["approvals", KEY] | [.., "expect" | "when", "approvals", KEY] => Named::Approvals,
        ["law", "before", _] | ["suppress" | "accept-mutant", "activity"] => Named::Activities,
        ["providers", KEY] | [.., "expect" | "when", "calls", KEY] | ["faults", "method"] => Named::Methods,
        ["severity", KEY]
        | ["select" | "ignore", ELEMENT]
        | ["per-file-ignores", _, ELEMENT]
        | ["suppress", "rule"] => Named::Rules,
        ["rule", KEY] => Named::OwnRules,
        _ => return,
    };
    let (object, current) = (context.around.last().filter(|_| context.is_key), to.current());
    let is_there = |name: &str| name != current && object.is_some_and(|object| object.member(name).is_some());
    for (name, kind) in names(service, named).into_iter().filter(|(name, _)| !is_there(name)) {
        to.add_string(name, kind, None);
    }
}

/// Each once.
fn names<'a>(service: &AnalyzedService<'a>, named: Named) -> Vec<(&'a str, CompletionKind)> {
    let mut found: Vec<(&str, CompletionKind)> = Vec::new();
    match named {
        Named::Variables => {
            let variables = service.variable_lists().flat_map(|(_, list)| list);
            found.extend(variables.filter_map(|variable| Some((variable.name.value()?, CompletionKind::Variable))));
        }
        Named::Fields => {
            let forms = service.model.forms.iter().filter(|form| form.is_order_form);
            let fields = forms.flat_map(|form| &form.form.fields);
            found.extend(fields.filter_map(|field| Some((field.name.value()?, CompletionKind::Value))));
        }
        Named::Activities | Named::Approvals => {
            let activities = service.activities().map(|(_, activity)| activity);
            let is_named = |activity: &&Activity<'_>| named == Named::Activities || activity.approval().is_some();
            let activities = activities.filter(is_named);
            found.extend(activities.filter_map(|activity| Some((activity.name.value()?, CompletionKind::Activity))));
        }
        Named::Methods => {
            let methods = service.activities().filter_map(|(_, activity)| activity.provider()?.method.value());
            found.extend(methods.map(|name| (name, CompletionKind::Method)));
        }
        Named::OwnRules => {
            found.extend(own_rules(service.config).map(|rule| (rule.code, CompletionKind::Rule)));
        }
        Named::Rules => {
            let rules = REGISTRY.iter().chain(own_rules(service.config));
            found.extend(rules.flat_map(|rule| [rule.code, rule.name]).map(|word| (word, CompletionKind::Rule)));
        }
    }
    let mut known = HashSet::default();
    found.retain(|(name, _)| !name.is_empty() && known.insert(*name));
    found
}
