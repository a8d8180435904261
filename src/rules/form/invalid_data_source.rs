use crate::document::{Document, NodeId};
use crate::facts::{Context, FilledByScripts, Place};
use crate::model::{Field, FieldType, Member};
use crate::rules::form::describe;
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF609-invalid-data-source", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        let filled = FilledByScripts::changed(cx, form.form);
        let Some(document) = cx.document(form.file) else { continue };
        for field in form.form.fields.iter().filter(|field| field.field_type == FieldType::DropDown) {
            let place = |node: NodeId| Place::value(form.file, node);
            match field.properties().is_dynamic {
                Member::Known(node, true) => {
                    if let Some((node, message)) = invalid_source(document, field, node) {
                        out.report(&place(node), message).help(HELP);
                    }
                }
                Member::Unknown(_) => {}
                _ => {
                    if let Some(node) = without_entries(document, field).filter(|_| !filled.contains(field, None)) {
                        let message = format!("missing items in {}, which is not dynamic", describe(field));
                        out.report(&place(node), message)
                            .help("add items, or set `isDynamicBind` to `true` and `dataSource` to a data source");
                    }
                }
            }
        }
    }
}

const HELP: &str = "set `dataSource` to a package and a source in it, for example `Package/DropDown.ADUser`";

/// Why the data source of a dynamic `DropDown` is invalid, and where.
fn invalid_source(document: &Document, field: &Field<'_>, dynamic: NodeId) -> Option<(NodeId, String)> {
    let (node, source) = match field.properties().data_source {
        Member::Unknown(_) => return None,
        Member::Absent => (document.parent(dynamic).unwrap_or(dynamic), ""),
        Member::Known(node, source) => (node, source),
    };
    if source.trim().is_empty() {
        return Some((node, format!("missing data source of dynamic {}", describe(field))));
    }
    let parts: Vec<&str> = source.split('/').map(str::trim).collect();
    let is_pair = matches!(parts.as_slice(), [package, name] if !package.is_empty() && !name.is_empty());
    (!is_pair).then(|| {
        (node, format!("invalid data source {} in {}, expected `Package/Name`", quote(source), describe(field)))
    })
}

/// Where a `DropDown` that is not dynamic has no items. A missing key is not evidence: exports are often trimmed by
/// hand.
fn without_entries(document: &Document, field: &Field<'_>) -> Option<NodeId> {
    let properties = field.properties();
    let has_no_items = match &properties.items {
        Member::Known(_, items) => items.is_empty(),
        Member::Absent => properties.is_dynamic.value() == Some(false),
        Member::Unknown(_) => false,
    };
    let names_a_source = properties.data_source.value().is_some_and(|source| !source.is_empty());
    let may_be_dynamic = properties.is_dynamic.is_absent() && names_a_source;
    let place = properties.data_source.node().or_else(|| {
        let other = properties.items.node().or(properties.is_dynamic.node())?;
        document.parent(other)
    });
    place.filter(|_| has_no_items && !may_be_dynamic)
}
