use crate::collections::HashSet;
use crate::diagnostic::{Severity, quote};
use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::model::{Field, FieldType, Member};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF609",
    name: "invalid-data-source",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF609-invalid-data-source.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        let words: HashSet<&str> = form.form.script_words().collect();
        // A script may choose fields by their kind, `Z('#[type=dropdown]')`, and so any of them.
        let may_fill_any = form.form.scripts().any(|script| script.contains("[type="));
        for field in form.form.fields.iter().filter(|field| field.field_type == FieldType::DropDown) {
            let place = |node: NodeId| Place::value(form.file, node);
            match field.properties.is_dynamic {
                Member::Known(node, true) => {
                    if let Some((node, message)) = wrong_source(field, node) {
                        out.report(&place(node), message).help(SHAPE);
                    }
                }
                Member::Unknown(_) => {}
                _ => {
                    let is_filled_by_script =
                        may_fill_any || field.name.value().is_some_and(|name| words.contains(name));
                    if let Some(node) = without_entries(field).filter(|_| !is_filled_by_script) {
                        let message = "this list has no entries: it has no items, and is not dynamic";
                        out.report(&place(node), message)
                            .help("add items, or set `isDynamicBind` to true and name a `dataSource`");
                    }
                }
            }
        }
    }
}

const SHAPE: &str = "write the package and the name of the source around a `/`, such as `Package/DropDown.ADUser`";

/// What is wrong with the source of a dynamic list.
fn wrong_source(field: &Field<'_>, dynamic: NodeId) -> Option<(NodeId, String)> {
    let (node, source) = match field.properties.data_source {
        Member::Unknown(_) => return None,
        Member::Absent => (dynamic, ""),
        Member::Known(node, source) => (node, source),
    };
    if source.trim().is_empty() {
        return Some((node, "this dynamic list names no source, so it stays empty".to_owned()));
    }
    let parts: Vec<&str> = source.split('/').map(str::trim).collect();
    let is_pair = matches!(parts.as_slice(), [package, name] if !package.is_empty() && !name.is_empty());
    (!is_pair).then(|| {
        (node, format!("{} is not the package and the name of a source, so the list stays empty", quote(source)))
    })
}

/// Where a list that is not dynamic has no items. What is left out tells nothing: people trim exports.
fn without_entries(field: &Field<'_>) -> Option<NodeId> {
    let properties = &field.properties;
    let has_no_items = match &properties.items {
        Member::Known(_, items) => items.is_empty(),
        Member::Absent => properties.is_dynamic.value() == Some(false),
        Member::Unknown(_) => false,
    };
    let names_a_source = properties.data_source.value().is_some_and(|source| !source.is_empty());
    let may_be_dynamic = properties.is_dynamic.is_absent() && names_a_source;
    let place = properties.data_source.node().or(properties.items.node()).or(properties.is_dynamic.node());
    place.filter(|_| has_no_items && !may_be_dynamic)
}
