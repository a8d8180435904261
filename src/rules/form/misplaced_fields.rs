use std::cell::OnceCell;

use crate::common::collections::HashSet;
use crate::document::removal_of;
use crate::facts::{Context, Place};
use crate::model::{Field, FieldType};
use crate::project::FormDocument;
use crate::rules::form::describe;
use crate::rules::{Fixes, Reporter, Rule};
use crate::schema::Element;
use crate::text::diagnostic::{Applicability, Edit};

pub const RULE: Rule = rule!("WF613-misplaced-fields", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        let words = OnceCell::new();
        for field in &form.form.fields {
            let Some((node, ())) = field.view_model.known() else { continue };
            if field.children.is_unknown() {
                continue;
            }
            let has_children = field.children.get().is_some_and(|children| !children.is_empty());
            let (message, help) = match field.field_type {
                FieldType::FormSection if !has_children => (
                    format!("empty section: {} has no child fields", describe(field)),
                    "add fields, or remove the FormSection",
                ),
                FieldType::InputText | FieldType::InputFile | FieldType::DropDown if has_children => {
                    let message = format!("misplaced fields in {}, only a FormSection shows fields", describe(field));
                    (message, "move the fields into a FormSection, or next to their parent field")
                }
                _ => continue,
            };
            let mut draft = out.report(&Place::value(form.file, node), message);
            let is_mentioned =
                |name: &str| words.get_or_init(|| form.form.script_words().collect::<HashSet<_>>()).contains(name);
            match (!has_children).then(|| removal(form, field, is_mentioned)).flatten() {
                Some(edit) => draft.help("add fields to it, if some are missing").fix(
                    Applicability::Unsafe,
                    "remove the empty section",
                    vec![edit],
                ),
                None => draft.help(help),
            };
        }
    }
}

/// The edit that removes a section; none if it explains something, has a variable, or a script may show or hide it.
fn removal(form: &FormDocument<'_>, field: &Field<'_>, is_mentioned: impl Fn(&str) -> bool) -> Option<Edit> {
    let (document, name) = (form.document, field.name.value()?);
    let is_known = |member| {
        let is_shown = |key| document.key_is(member, key);
        Element::Field.known_members().contains_key_of(document, member)
            && !["description", "properties"].into_iter().any(is_shown)
    };
    let says_more = document.children(field.node).any(|member| !is_known(member) && document.has_text(member));
    let has_script =
        field.details().scripts.iter().any(|script| script.value().is_some_and(|text| !text.trim().is_empty()));
    let is_used = field.target().is_some() || has_script || is_mentioned(name);
    (!says_more && !is_used).then(|| removal_of(document, form.file, field.node)).flatten()
}
