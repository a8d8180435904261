//! What forms ask for.

use super::super::details::Texts;
use super::Part;
use super::sentence::Sentence;
use super::words::Words;
use crate::common::collections::HashMap;
use crate::document::NodeId;
use crate::facts::{AnalyzedService, hidden_variables};
use crate::model::{Field, FieldType, MAIL_VALIDATION};
use crate::project::FormDocument;
use crate::text::diagnostic::FileId;

/// Items of a drop-down that are named.
const MAX_ITEMS: usize = 6;

/// The data source that lists the users of the directory (docs/platform-methods.md, `DropDown`).
const USERS: &str = "/DropDown.ADUser";

/// Masked variables by name, each with its declaration.
type Masked<'a> = HashMap<&'a str, (FileId, NodeId)>;

/// A sentence for each order form of a service.
pub fn order_forms(service: &AnalyzedService<'_>, texts: &Texts<'_>) -> Vec<Vec<Part>> {
    let forms: Vec<&FormDocument<'_>> = service.model.forms.iter().filter(|form| form.is_order_form).collect();
    let masked = hidden_variables(service);
    let is_one = forms.len() == 1;
    forms.into_iter().map(|form| order_form(form, is_one, &masked, texts)).collect()
}

fn order_form(form: &FormDocument<'_>, is_one: bool, masked: &Masked<'_>, texts: &Texts<'_>) -> Vec<Part> {
    let texts = &Texts { document: form.document, file: form.file, ..*texts };
    let start = if is_one {
        Sentence::of("The order form")
    } else {
        Sentence::of("The order form ").name(texts.plain(form.name))
    };
    let fields = shown(form);
    if fields.is_empty() {
        return start.text(" asks for nothing.").0;
    }
    let asked = fields.iter().map(|field| {
        let kind = kind(field, masked, texts);
        let label = label(field, texts);
        if kind.is_empty() { label } else { label.text(" (").then(kind).text(")") }
    });
    let said = start.text(" asks for ").then(Sentence::and(asked.collect())).text(".");
    let required: Vec<&&Field<'_>> = fields.iter().filter(|field| field.required.is_true()).collect();
    match (required.len(), fields.len()) {
        (0, _) => said.text(" Nothing is required.").0,
        (1, 1) => said.text(" It is required.").0,
        (2, 2) => said.text(" Both are required.").0,
        (some, all) if some == all => said.text(" All are required.").0,
        _ => {
            let labels = required.iter().map(|field| label(field, texts)).collect();
            said.text(" Required: ").then(Sentence::and(labels)).text(".").0
        }
    }
}

/// The labels of the fields that a form shows.
pub fn labels(form: &FormDocument<'_>, texts: &Texts<'_>) -> Vec<Sentence> {
    let texts = &Texts { document: form.document, file: form.file, ..*texts };
    shown_or_readonly(form).map(|field| label(field, texts)).collect()
}

fn shown_or_readonly<'f, 'd>(form: &'f FormDocument<'d>) -> impl Iterator<Item = &'f Field<'d>> {
    let fields = form.form.fields.iter().zip(form.form.hidden());
    fields.filter(|(field, is_hidden)| !is_hidden && field.field_type != FieldType::FormSection).map(|(field, _)| field)
}

/// The fields that people fill in.
fn shown<'f, 'd>(form: &'f FormDocument<'d>) -> Vec<&'f Field<'d>> {
    shown_or_readonly(form).filter(|field| !field.readonly.is_true()).collect()
}

fn label(field: &Field<'_>, texts: &Texts<'_>) -> Sentence {
    let label = Words::preferred(&field.display_name).and_then(|entry| Some((entry.node, entry.text?)));
    let name = || field.name.known().map(|(node, name)| (node, *name)).filter(|(_, name)| !name.trim().is_empty());
    match label.or_else(name) {
        Some((node, text)) => Sentence::default().name(texts.show(node, text)),
        None => Sentence::of("a field without a name"),
    }
}

/// What a field takes, where that is not any text.
fn kind(field: &Field<'_>, masked: &Masked<'_>, texts: &Texts<'_>) -> Sentence {
    let properties = field.properties();
    let kind = match field.field_type {
        FieldType::InputFile => Sentence::of("a file"),
        FieldType::InputText if properties.validation_type.value() == Some(MAIL_VALIDATION) => {
            Sentence::of("a mail address")
        }
        FieldType::DropDown if properties.data_source.value().is_some_and(|source| source.ends_with(USERS)) => {
            Sentence::of("a person from the directory")
        }
        FieldType::DropDown => {
            let items: Vec<Sentence> = properties
                .items
                .get()
                .into_iter()
                .flatten()
                .filter_map(|item| {
                    let (node, value) = item.value.known()?;
                    (!value.trim().is_empty()).then(|| Sentence::default().value(texts.show(node, value)))
                })
                .collect();
            match items.len() {
                0 => Sentence::of("from a list"),
                1..=MAX_ITEMS => Sentence::list(items, ", ", " or "),
                number => Sentence::of(format!("one of {number} items")),
            }
        }
        _ => Sentence::default(),
    };
    let is_masked = field.target().is_some_and(|(_, name)| masked.contains_key(name));
    match (is_masked, kind.is_empty()) {
        (true, true) => Sentence::of("masked"),
        (true, false) => kind.text(", masked"),
        (false, _) => kind,
    }
}
