use std::hash::Hash;

use crate::common::collections::{HashMap, RandomState};
use crate::document::{NodeId, removal_of};
use crate::facts::{Context, Place};
use crate::model::{Field, FieldType, Item, Literal};
use crate::project::FormDocument;
use crate::rules::form::describe;
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, FileId};

pub const RULE: Rule = rule!("WF610-duplicate-dropdown-item", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        for field in form.form.fields.iter().filter(|field| field.field_type == FieldType::DropDown) {
            let Some(items) = field.properties().items.get() else { continue };
            report_duplicates(form, field, items, out);
            report_selected(form.file, field, items, out);
        }
    }
}

/// Reports each item whose id or value an earlier one has.
fn report_duplicates(form: &FormDocument<'_>, field: &Field<'_>, items: &[Item<'_>], out: &mut Reporter<'_>) {
    let (file, document) = (form.file, form.document);
    let with_room = || HashMap::with_capacity_and_hasher(items.len(), RandomState::default());
    let (mut ids, mut values) = (with_room(), with_room());
    for item in items {
        let id = item.id.value().and_then(key);
        let value = item.value.value().filter(|value| !value.is_empty());
        let same_id = earlier(&mut ids, id, item.node);
        let same_value = earlier(&mut values, value, item.node);
        let (first, duplicate) = match (same_id, same_value) {
            (Some(first), None) => {
                (first, format!("id {}", item.id.value().map_or_else(String::new, |id| id.describe())))
            }
            (_, Some(first)) => (first, format!("value {}", Literal::Text(value.unwrap_or_default()).describe())),
            (None, None) => continue,
        };
        let message = format!("duplicate item {duplicate} in {}", describe(field));
        let mut draft = out.report(&Place::value(file, item.node), message);
        draft.help("give each item its own id and value").related(&Place::value(file, first), "first used here");
        let removal = document.is_equal(first, item.node).then(|| removal_of(document, file, item.node)).flatten();
        if let Some(edit) = removal {
            draft.fix(Applicability::Unsafe, "remove the second item, which is equal", vec![edit]);
        }
    }
}

/// An id as a string, whether it is a number or a string; 0 and an empty one are not ids.
fn key(id: Literal<'_>) -> Option<&str> {
    match id {
        Literal::Number(text) | Literal::Text(text) => Some(text.trim()),
        Literal::Null | Literal::Boolean(_) => None,
    }
    .filter(|text| !text.is_empty() && text.parse::<f64>() != Ok(0.0))
}

/// The earlier node with this key; without one, the node is noted as the first.
fn earlier<K: Hash + Eq>(seen: &mut HashMap<K, NodeId>, key: Option<K>, node: NodeId) -> Option<NodeId> {
    let key = key?;
    let known = seen.get(&key).copied();
    if known.is_none() {
        seen.insert(key, node);
    }
    known
}

/// Reports the second of several selected items where only one can be selected.
fn report_selected(file: FileId, field: &Field<'_>, items: &[Item<'_>], out: &mut Reporter<'_>) {
    let multiple = field.properties().is_multi_select;
    if multiple.is_true() || multiple.is_unknown() {
        return;
    }
    let mut selected = items.iter().filter(|item| item.selected.is_true());
    let (Some(first), Some(second)) = (selected.next(), selected.next()) else { return };
    let message = format!("several selected items in {}, but `isMultiSelect` is not `true`", describe(field));
    out.report(&Place::value(file, second.node), message)
        .help("select one item, or set `isMultiSelect` to `true`")
        .related(&Place::value(file, first.node), "first selected item");
}
