//! What forms ask for.

use super::super::details::Texts;
use super::Part;
use super::sentence::Sentence;
use super::words::Words;
use crate::common::collections::HashMap;
use crate::document::NodeId;
use crate::facts::hidden_variables;
use crate::model::{Field, FieldType, Item};
use crate::project::FormDocument;
use crate::text::diagnostic::FileId;

/// Items of a drop-down that are named.
const MAX_ITEMS: usize = 6;

/// A sentence or two for each order form of a service.
pub fn order_forms(words: &Words<'_, '_>) -> Vec<Vec<Part>> {
    let forms: Vec<&FormDocument<'_>> = words.service.model.forms.iter().filter(|form| form.is_order_form).collect();
    let masked = hidden_variables(words.service);
    let is_one = forms.len() == 1;
    let said = forms.into_iter().map(|form| {
        let texts = Texts { document: form.document, file: form.file, ..*words.texts };
        let start = Sentence::of("The order form");
        let start = if is_one { start } else { start.text(" ").name(texts.plain(form.name)) };
        OrderForm { form, words, masked: &masked, texts: &texts }.asks(start).0
    });
    said.collect()
}

struct OrderForm<'f, 'w, 'a> {
    form: &'f FormDocument<'f>,
    words: &'f Words<'w, 'a>,
    /// Variables by name, each with its declaration.
    masked: &'f HashMap<&'a str, (FileId, NodeId)>,
    /// Those of the form.
    texts: &'f Texts<'f>,
}

impl OrderForm<'_, '_, '_> {
    fn asks(&self, start: Sentence) -> Sentence {
        let fields: Vec<&Field<'_>> = shown(self.form).filter(|field| field.takes_input()).collect();
        if fields.is_empty() {
            return start.text(" asks for nothing.");
        }
        let asked = fields.iter().map(|field| {
            let notes = self.notes(field);
            let label = label(field, self.texts);
            if notes.is_empty() { label } else { label.text(" (").then(Sentence::list(notes, ", ", ", ")).text(")") }
        });
        let said = start.text(" asks for ").then(Sentence::and(asked.collect())).text(".");
        let required: Vec<&&Field<'_>> = fields.iter().filter(|field| field.required.is_true()).collect();
        match (required.len(), fields.len()) {
            (0, _) => said.text(" Nothing is required."),
            (1, 1) => said.text(" It is required."),
            (2, 2) => said.text(" Both are required."),
            (some, all) if some == all => said.text(" All are required."),
            _ => {
                let labels = required.iter().map(|field| label(field, self.texts)).collect();
                said.text(" Required: ").then(Sentence::and(labels)).text(".")
            }
        }
    }

    /// Whether a condition compares what the field is filled with.
    fn is_compared(&self, field: &Field<'_>) -> bool {
        field.target().is_some_and(|(_, name)| self.words.analysis.compares(name))
    }

    /// What a field takes, where that is not any text; whether it is masked; and how steps call it, if not by its label.
    fn notes(&self, field: &Field<'_>) -> Vec<Sentence> {
        let masked = field.target().is_some_and(|(_, variable)| self.masked.contains_key(variable));
        let mut notes: Vec<Sentence> = match field.field_type {
            // Its items are the values of the variable.
            FieldType::DropDown if masked => vec![Sentence::of("from a list")],
            _ => kind(field, self.texts, self.is_compared(field)).into_iter().collect(),
        };
        let Some((_, variable)) = field.target() else { return notes };
        notes.extend(masked.then(|| Sentence::of("masked")));
        let called = self.words.variable(variable);
        if label(field, self.texts).0.first() != Some(&called) {
            notes.push(Sentence::of("called ").then(Sentence(vec![called])).text(" below"));
        }
        notes
    }
}

/// The labels of the fields that a form shows.
pub fn labels(form: &FormDocument<'_>, texts: &Texts<'_>) -> Vec<Sentence> {
    let texts = &Texts { document: form.document, file: form.file, ..*texts };
    shown(form).map(|field| label(field, texts)).collect()
}

/// The fields that people see.
fn shown<'f, 'd>(form: &'f FormDocument<'d>) -> impl Iterator<Item = &'f Field<'d>> {
    let fields = form.form.fields.iter().zip(form.form.hidden());
    fields.filter(|(field, is_hidden)| !is_hidden && field.field_type != FieldType::FormSection).map(|(field, _)| field)
}

fn label(field: &Field<'_>, texts: &Texts<'_>) -> Sentence {
    let label = Words::preferred(&field.display_name).and_then(|entry| Some((entry.node, entry.text?)));
    let name = || field.name.known().map(|(node, name)| (node, *name)).filter(|(_, name)| !name.trim().is_empty());
    match label.or_else(name) {
        Some((node, text)) => Sentence::default().name(texts.show(node, text)),
        None => Sentence::of("a field without a name"),
    }
}

/// An item as its users see it, with the value where conditions compare it.
fn choice(item: &Item<'_>, texts: &Texts<'_>, is_compared: bool) -> Sentence {
    let value = item.value.known().map(|(node, value)| texts.show(node, value)).unwrap_or_default();
    match item_label(texts, item).filter(|label| *label != value) {
        Some(label) if is_compared => Sentence::default().value(label).text(" = ").value(value),
        Some(label) => Sentence::default().value(label),
        None => Sentence::default().value(value),
    }
}

/// The label of an item of a drop-down, for an English reader, or the first one.
pub fn item_label(texts: &Texts<'_>, item: &Item<'_>) -> Option<String> {
    let document = texts.document;
    let labels = document.children(document.member(item.node, "label")?);
    let label = |node| document.string(node).filter(|text| !text.trim().is_empty()).map(|text| (node, text));
    let is_english = |(node, _): &(NodeId, &str)| document.key(*node).is_some_and(|key| key.starts_with("en"));
    let found = labels.clone().filter_map(label).find(is_english);
    let (node, text) = found.or_else(|| labels.clone().find_map(label))?;
    Some(texts.show(node, text))
}

fn kind(field: &Field<'_>, texts: &Texts<'_>, is_compared: bool) -> Option<Sentence> {
    let properties = field.properties();
    Some(match field.field_type {
        FieldType::InputFile => Sentence::of("a file"),
        _ if field.takes_mail_address() => Sentence::of("a mail address"),
        _ if field.lists_people() => Sentence::of("a person from the directory"),
        FieldType::DropDown => {
            let has_value = |item: &&Item<'_>| item.value.value().is_some_and(|value| !value.trim().is_empty());
            let items = properties.items.get().into_iter().flatten().filter(has_value);
            let items: Vec<Sentence> = items.map(|item| choice(item, texts, is_compared)).collect();
            match items.len() {
                0 => Sentence::of("from a list"),
                1..=MAX_ITEMS => Sentence::list(items, ", ", " or "),
                number => Sentence::of(format!("one of {number} items")),
            }
        }
        _ => return None,
    })
}
