//! Forms, roughly as their users see them.

use maud::{Markup, html};

use super::parts::{Section, badge, name, nothing, value};
use crate::page::model::{FormFieldView, FormSectionView, FormView, ItemView};

/// Longer lists of items are folded.
const MAX_ITEMS: usize = 12;

/// The order form first.
pub fn forms(section: &Section<'_>) -> Markup {
    let body = html! {
        @if section.page.forms.is_empty() { (nothing("There is no form.")) }
        div.forms { @for form in &section.page.forms { (form_view(form)) } }
    };
    section.part("forms", "What the forms ask for", &body)
}

fn form_view(form: &FormView) -> Markup {
    html! {
        div.form data-form=(form.file) {
            h4 { (form.kind) " " span.soft.small dir="auto" { (form.file) } }
            div.paper { @for section in &form.sections { (section_view(section)) } }
        }
    }
}

fn section_view(section: &FormSectionView) -> Markup {
    html! {
        div.form-section {
            @if !section.title.is_empty() { h5 dir="auto" { (section.title) } }
            @if !section.description.is_empty() { p.soft.small dir="auto" { (section.description) } }
            @for field in &section.fields { (field_view(field)) }
        }
    }
}

fn field_view(field: &FormFieldView) -> Markup {
    html! {
        div.question {
            p.label {
                b dir="auto" { @if field.label.is_empty() { "(no label)" } @else { (field.label) } }
                @if field.is_required { " " span.required { "required" } }
                @if field.is_hidden { " " (badge("plain", "hidden")) }
                @if field.is_readonly { " " (badge("plain", "read-only")) }
                @if let Some(variable) = &field.fills { " " span.soft.small { "fills " (name(variable)) } }
            }
            @if !field.description.is_empty() { p.soft.small dir="auto" { (field.description) } }
            @if field.is_asked || field.fills.is_some() || !field.default.is_empty() {
                div.box dir="auto" {
                    @if field.default.is_empty() { span.soft { (field.kind) } } @else {
                        (field.default) " " span.soft { "(" (field.kind) ")" }
                    }
                }
            }
            (items(&field.items))
            @if !field.validation.is_empty() {
                p.soft.small { "If it does not fit: " (value(&field.validation)) }
            }
        }
    }
}

fn items(items: &[ItemView]) -> Markup {
    let list = html! { ul.items { @for item in items { li dir="auto" { (item_view(item)) } } } };
    html! {
        @if items.len() > MAX_ITEMS { details { summary { (items.len()) " items to choose from" } (list) } }
        @else if !items.is_empty() { (list) }
    }
}

fn item_view(item: &ItemView) -> Markup {
    html! {
        (item.label)
        @if let Some(compared) = &item.value { " " span.soft { "(in conditions " (value(compared)) ")" } }
    }
}
