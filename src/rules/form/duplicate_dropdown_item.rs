use std::hash::Hash;

use crate::collections::HashMap;
use crate::diagnostic::{FileId, Severity, quote};
use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::model::{Field, FieldType, Item, Literal};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF610",
    name: "duplicate-dropdown-item",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF610-duplicate-dropdown-item.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        for field in form.form.fields.iter().filter(|field| field.field_type == FieldType::DropDown) {
            let Some(items) = field.properties.items.get() else { continue };
            tell_doubles(form.file, items, out);
            tell_selected(form.file, field, items, out);
        }
    }
}

/// Tells each item whose id or value an earlier one has.
fn tell_doubles(file: FileId, items: &[Item<'_>], out: &mut Reporter<'_>) {
    let (mut ids, mut values) = (HashMap::default(), HashMap::default());
    for item in items {
        let id = item.id.value().and_then(key);
        let value = item.value.value().filter(|value| !value.is_empty());
        let same_id = earlier(&mut ids, id.clone(), item.node);
        let same_value = earlier(&mut values, value, item.node);
        let (first, what) = match (same_id, same_value) {
            (Some(first), None) => (first, format!("the id {}", quote(&id.unwrap_or_default()))),
            (_, Some(first)) => (first, format!("the value {}", quote(value.unwrap_or_default()))),
            (None, None) => continue,
        };
        out.report(
            &Place::value(file, item.node),
            format!("two items of this list have {what}, so it does not tell which was chosen"),
        )
        .help("give each item an id and a value of its own")
        .related(&Place::value(file, first), "the first one");
    }
}

/// An id in one form, whether it is a number or a text; 0 and nothing are no ids.
fn key(id: Literal<'_>) -> Option<String> {
    match id {
        Literal::Number(text) | Literal::Text(text) => Some(text.trim().to_owned()),
        Literal::Null | Literal::Boolean(_) => None,
    }
    .filter(|text| !text.is_empty() && text.parse::<f64>() != Ok(0.0))
}

/// The earlier node with this key, which is noted where there is none.
fn earlier<K: Hash + Eq>(seen: &mut HashMap<K, NodeId>, key: Option<K>, node: NodeId) -> Option<NodeId> {
    let key = key?;
    let known = seen.get(&key).copied();
    if known.is_none() {
        seen.insert(key, node);
    }
    known
}

/// Tells a second item that is chosen from the start in a list of which one can be chosen.
fn tell_selected(file: FileId, field: &Field<'_>, items: &[Item<'_>], out: &mut Reporter<'_>) {
    let multiple = field.properties.is_multi_select;
    if multiple.is_true() || multiple.is_unknown() {
        return;
    }
    let mut selected = items.iter().filter(|item| item.selected.is_true());
    let (Some(first), Some(second)) = (selected.next(), selected.next()) else { return };
    out.report(
        &Place::value(file, second.node),
        "two items of this list are selected from the start, but only one can be chosen",
    )
    .help("select one of them, or set `isMultiSelect` to true")
    .related(&Place::value(file, first.node), "the first one");
}
