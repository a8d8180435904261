//! The values that a form is filled with.

use super::draft::Draft;
use crate::collections::HashSet;
use crate::mail;
use crate::model::{Field, FieldType, Form, MAIL_VALIDATION};
use crate::script::pattern_samples;
use crate::simulate::scenario::MAX_KEY_BYTES;
use crate::synth::{LAST_RESORTS, PatternTests, Submitted, Values, default_text, file_name, of_type, of_validation};
use crate::text::quote;

/// Fills every field of a form that takes a value.
pub fn fill(form: &Form<'_>, values: &mut Values<'_, '_>, patterns: &mut PatternTests<'_>, draft: &mut Draft) {
    let is_fixed = |(field, is_hidden): &(&Field<'_>, bool)| *is_hidden || field.readonly.value() == Some(true);
    let fields =
        || form.fields.iter().zip(form.hidden()).filter(|(field, _)| field.field_type != FieldType::FormSection);
    // A value under a name that several fields share is one for each of them.
    let mut known: HashSet<&str> = fields().filter(is_fixed).filter_map(|(field, _)| field.name.value()).collect();
    for (field, is_hidden) in fields() {
        if is_fixed(&(field, is_hidden)) {
            preset(field, values, draft);
            continue;
        }
        let Some(name) = field.name.value().filter(|name| known.insert(name)) else { continue };
        if name.len() > MAX_KEY_BYTES {
            draft.fill_in(format!("field {}: a scenario cannot name it, as its name is too long", quote(name)));
            continue;
        }
        if let Some(value) = value(field, name, values, patterns, draft) {
            draft.submit.push((name.to_owned(), value));
        }
    }
}

/// Gives the variable of a field that nobody fills in a value, when the form asks for one.
fn preset(field: &Field<'_>, values: &mut Values<'_, '_>, draft: &mut Draft) {
    let Some((_, variable)) = field.target() else { return };
    if field.required.value() != Some(true) || field.has_default {
        return;
    }
    if !draft.variables.iter().any(|(known, _)| known == variable) {
        draft.variables.push((variable.to_owned(), values.submitted(variable)));
    }
}

/// `None` when nothing need be submitted.
fn value(
    field: &Field<'_>,
    name: &str,
    values: &mut Values<'_, '_>,
    patterns: &mut PatternTests<'_>,
    draft: &mut Draft,
) -> Option<Submitted> {
    match field.field_type {
        FieldType::InputFile => Some(Submitted::File(file_name(name))),
        FieldType::DropDown => choice(field, name, values, draft).map(Submitted::Text),
        FieldType::InputText => Some(Submitted::Text(text(field, name, values, patterns, draft))),
        FieldType::FormSection => None,
        FieldType::Declared | FieldType::Unknown => {
            let kind = field.type_name.value().unwrap_or_default();
            let variable = field.target().map_or("", |(_, variable)| variable);
            if values.needs.is_file(variable) {
                return Some(Submitted::File(file_name(name)));
            }
            let wanted = values.wanted(variable).into_iter().next().or_else(|| values.compared(variable));
            Some(Submitted::Text(wanted.unwrap_or_else(|| of_type(kind, name, values))))
        }
    }
}

/// An item, or for a list of the directory a person who is added to it.
fn choice(field: &Field<'_>, name: &str, values: &mut Values<'_, '_>, draft: &mut Draft) -> Option<String> {
    let properties = field.properties();
    let items = properties.items.get().map_or(&[][..], Vec::as_slice);
    let selected = items.iter().filter(|item| item.selected.value() == Some(true));
    let item = selected.chain(items).filter_map(|item| item.value.value()).find(|value| !value.is_empty());
    if let Some(item) = item {
        return Some(item.to_owned());
    }
    if properties.is_dynamic.value() == Some(true) {
        let account = values.account();
        draft.directory.add_person(&account);
        return Some(account);
    }
    let variable = field.target().map_or("", |(_, variable)| variable);
    if properties.is_restricted.value() != Some(true) {
        return Some(values.of_variable(variable));
    }
    draft.fill_in(format!("field {}: its drop-down has no item to choose", quote(name)));
    None
}

fn text(
    field: &Field<'_>,
    name: &str,
    values: &mut Values<'_, '_>,
    patterns: &mut PatternTests<'_>,
    draft: &mut Draft,
) -> String {
    let properties = field.properties();
    let validation_type = properties.validation_type.value();
    let pattern = properties.validation_pattern.value().unwrap_or_default();
    let variable = field.target().map_or("", |(_, variable)| variable);
    let mut candidates: Vec<String> = default_text(field).into_iter().collect();
    let wanted = values.wanted(variable);
    candidates.extend(wanted.iter().cloned());
    if wanted.is_empty() {
        candidates.extend(of_validation(validation_type, values).or_else(|| values.compared(variable)));
    }
    if candidates.is_empty() {
        candidates.push(values.named(name));
    }
    if !pattern.is_empty() {
        candidates.extend(LAST_RESORTS.iter().map(|text| (*text).to_owned()));
        candidates.extend(pattern_samples(pattern));
    }
    if validation_type == Some(MAIL_VALIDATION) {
        candidates.retain(|candidate| mail::is_address(candidate));
        if candidates.is_empty() {
            candidates.push(values.mail());
        }
    }
    candidates.retain(|candidate| !candidate.is_empty());
    let Some(index) = patterns.first_match(pattern, &candidates) else {
        if field.required.value() != Some(true) {
            return String::new();
        }
        draft.fill_in(format!("field {}: no value was found that matches {}", quote(name), quote(pattern)));
        return String::new();
    };
    let chosen = candidates.swap_remove(index.min(candidates.len().saturating_sub(1)));
    let is_default = default_text(field).as_ref() == Some(&chosen);
    if !(wanted.is_empty() || wanted.contains(&chosen) || is_default) {
        let matching = if pattern.is_empty() { String::new() } else { format!("matches {} and ", quote(pattern)) };
        draft.fill_in(format!("field {}: a value that {matching}fits what it is used for", quote(name)));
    }
    chosen
}
