//! The forms as their users see them, roughly.

use super::subject::{Subject, label};
use crate::draw::{Texts, item_label};
use crate::model::{Field, FieldType, Form, Item, Locales, Member};
use crate::page::{FormFieldView, FormSectionView, FormView, ItemView};
use crate::project::FormDocument;
use crate::redaction::REPLACEMENT;
use crate::report::visible;

/// Items of a drop-down that are listed.
const MAX_ITEMS: usize = 100;

/// The order form first.
pub fn forms(subject: &Subject<'_, '_>) -> Vec<FormView> {
    subject.forms.iter().map(|form| view(subject, form)).collect()
}

fn view<'a>(subject: &Subject<'_, 'a>, document: &FormDocument<'a>) -> FormView {
    let name = subject.context.file(document.file).map_or("", |file| &file.source.name);
    let texts = subject.texts_of(document.file, document.document);
    let reader = FormReader { subject, form: document.form, texts, hidden: document.form.hidden() };
    let kind = if document.is_order_form { "Order form" } else { "Approval form" };
    FormView { file: visible(name).into_owned(), kind, sections: reader.sections() }
}

struct FormReader<'r, 's, 'a> {
    subject: &'r Subject<'s, 'a>,
    form: &'r Form<'a>,
    texts: Texts<'r>,
    /// By field, whether it or a section around it is hidden.
    hidden: Vec<bool>,
}

impl FormReader<'_, '_, '_> {
    /// Each section with the fields directly in it. Fields outside of all sections have one without a title.
    fn sections(&self) -> Vec<FormSectionView> {
        let mut sections = Vec::new();
        let roots = self.form.roots.get().map_or(&[][..], Vec::as_slice);
        let outside = FormSectionView { title: String::new(), description: String::new(), fields: Vec::new() };
        self.add(&outside, roots, &mut sections);
        sections
    }

    /// Adds a section, again after each section inside it. Recurses with their nesting, which the depth limit of the
    /// document bounds.
    fn add(&self, section: &FormSectionView, fields: &[usize], sections: &mut Vec<FormSectionView>) {
        let has_fields = |section: &FormSectionView| !section.fields.is_empty();
        let mut open = section.clone();
        for &index in fields {
            let Some(field) = self.form.fields.get(index) else { continue };
            if field.field_type == FieldType::FormSection {
                sections.extend(Some(std::mem::replace(&mut open, section.clone())).filter(has_fields));
                let (title, description) = (self.label(field), self.text(&field.details().description));
                let inside = field.children.get().map_or(&[][..], Vec::as_slice);
                self.add(&FormSectionView { title, description, fields: Vec::new() }, inside, sections);
            } else {
                open.fields.push(self.field(index, field));
            }
        }
        sections.extend(Some(open).filter(has_fields));
    }

    fn text(&self, locales: &Member<Locales<'_>>) -> String {
        label(locales).map(|(node, text)| self.texts.show(node, text)).unwrap_or_default()
    }

    /// The label, otherwise the name.
    fn label(&self, field: &Field<'_>) -> String {
        let label = self.text(&field.display_name);
        let name = || field.name.known().map(|(node, name)| self.texts.show(node, name));
        if label.is_empty() { name().unwrap_or_else(|| "(no name)".to_owned()) } else { label }
    }

    /// The label of an item, otherwise its value, which is what conditions compare.
    fn item(&self, item: &Item<'_>, variable: Option<&str>, is_masked: bool) -> Option<ItemView> {
        let (node, value) = item.value.known()?;
        if is_masked {
            return Some(ItemView { label: REPLACEMENT.to_owned(), value: None });
        }
        let value = self.texts.show(node, value);
        let label = item_label(&self.texts, item).unwrap_or_else(|| value.clone());
        let is_compared = label != value && variable.is_some_and(|name| self.subject.analysis.compares(name));
        Some(ItemView { label, value: is_compared.then_some(value) })
    }

    /// What is shown for a text that does not fit the pattern.
    fn validation(&self, field: &Field<'_>) -> String {
        let properties = field.properties();
        let has_pattern = properties.validation_pattern.value().is_some_and(|pattern| !pattern.is_empty());
        if has_pattern { self.text(&properties.validation_message) } else { String::new() }
    }

    fn field(&self, index: usize, field: &Field<'_>) -> FormFieldView {
        let variable = field.target().map(|(_, name)| name);
        let is_masked = variable.is_some_and(|name| self.subject.is_masked(name));
        let properties = field.properties();
        let items = properties.items.get().into_iter().flatten().take(MAX_ITEMS);
        let cover = |text: String| if is_masked && !text.is_empty() { REPLACEMENT.to_owned() } else { text };
        FormFieldView {
            label: self.label(field),
            description: self.text(&field.details().description),
            kind: kind(field),
            is_required: field.required.is_true(),
            is_asked: field.takes_input() && self.hidden.get(index) != Some(&true),
            is_hidden: self.hidden.get(index) == Some(&true),
            is_readonly: field.readonly.is_true(),
            fills: variable.map(|name| visible(name).into_owned()),
            items: items.filter_map(|item| self.item(item, variable, is_masked)).collect(),
            validation: self.validation(field),
            default: cover(self.text(&properties.default_value)),
        }
    }
}

/// What the field takes, in words.
fn kind(field: &Field<'_>) -> String {
    match field.field_type {
        _ if field.takes_mail_address() => "mail address".to_owned(),
        _ if field.lists_people() => "person from the directory".to_owned(),
        FieldType::InputText => "text".to_owned(),
        FieldType::InputFile => "file".to_owned(),
        FieldType::DropDown if field.properties().is_multi_select.is_true() => "drop-down, several".to_owned(),
        FieldType::DropDown => "drop-down".to_owned(),
        FieldType::FormSection | FieldType::Declared | FieldType::Unknown => {
            visible(field.type_name.value().unwrap_or("unknown type")).into_owned()
        }
    }
}
