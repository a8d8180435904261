//! Giving a parameter a literal value.

use crate::document::{Document, Editor, NewValue, NodeId, NodeKind};
use crate::facts::provider_site::ProviderSite;
use crate::model::Parameter;
use crate::text::diagnostic::Edit;

/// The members of a parameter that say nothing about which one it is, but for its name.
const GENERAL: [&str; 9] = [
    "name", "value", "providerParameterType", "required", "isAdditional", "hasValue", "needsValue", "isDuplicate",
    "isValid",
];

/// The edits that make a string the value of a parameter, and of its copy in `allProviderParameters`. `None` where a part
/// of it cannot be read.
pub fn literal_edits(site: &ProviderSite<'_, '_>, parameter: &Parameter<'_>, text: &str) -> Option<Vec<Edit>> {
    let document = site.analysis.document;
    let mut editor = Editor::new(document, site.analysis.file);
    let value = parameter.value.get()?;
    let is_equal = |copy: &&Parameter<'_>| copy.value.get().is_some_and(|copy| copy.has_value_of(value));
    for parameter in std::iter::once(parameter).chain(site.provider.copy(parameter).filter(is_equal)) {
        let binding = parameter.value.get()?;
        match binding.value.node() {
            Some(node) => {
                editor.replace(node, text);
                if let Some(state) = document.member(binding.node, "state") {
                    editor.replace(state, "static");
                }
            }
            None => editor.replace(binding.node, literal(document, binding.node, text)),
        }
        flag_value(&mut editor, parameter);
    }
    Some(editor.finish())
}

/// The edits that set `state` of a parameter with a literal to `static`, also in its copy in `allProviderParameters` if that
/// has the same literal.
pub fn static_edits(site: &ProviderSite<'_, '_>, parameter: &Parameter<'_>) -> Vec<Edit> {
    let mut editor = Editor::new(site.analysis.document, site.analysis.file);
    let is_equal = |copy: &&Parameter<'_>| match (copy.value.get(), parameter.value.get()) {
        (Some(copy), Some(own)) => copy.state.value() == own.state.value() && copy.value.value() == own.value.value(),
        _ => false,
    };
    for parameter in std::iter::once(parameter).chain(site.provider.copy(parameter).filter(is_equal)) {
        if let Some(state) = parameter.value.get().and_then(|binding| binding.state.node()) {
            editor.replace(state, "static");
            flag_value(&mut editor, parameter);
        }
    }
    editor.finish()
}

/// What the editor saves about a parameter with a value.
fn flag_value(editor: &mut Editor<'_>, parameter: &Parameter<'_>) {
    for (flag, is) in [(&parameter.has_value, true), (&parameter.needs_value, false)] {
        if let Some((node, _)) = flag.known().filter(|(_, written)| **written != is) {
            editor.replace(node, is);
        }
    }
}

/// A binding as it is, but with a literal.
fn literal(document: &Document, binding: NodeId, text: &str) -> NewValue {
    let members = document.children(binding).filter_map(|member| Some((document.key(member)?, member)));
    let mut members: Vec<(String, NewValue)> = members
        .map(|(key, member)| (key.to_owned(), if key == "state" { "static".into() } else { NewValue::Copy(member) }))
        .filter(|(key, _)| key != "value")
        .collect();
    members.push(("value".to_owned(), text.into()));
    NewValue::Object(members)
}

/// The edits that add a parameter with a literal value after another one with a literal, in each array that has that one.
/// `None` where the neighbor has members of its own, such as an id, which only an export knows.
pub fn inserted_literal(
    site: &ProviderSite<'_, '_>,
    neighbor: &Parameter<'_>,
    name: &str,
    text: &str,
) -> Option<Vec<Edit>> {
    let document = site.analysis.document;
    let mut editor = Editor::new(document, site.analysis.file);
    for neighbor in std::iter::once(neighbor).chain(site.provider.copy(neighbor)) {
        let (old, _) = neighbor.value.get()?.literal_text()?;
        let members = document.children(neighbor.node).map(|member| {
            let key = document.key(member).filter(|key| GENERAL.contains(key))?;
            let value = match key {
                "name" => name.into(),
                "value" if document.kind(member) == NodeKind::Object => with_text(document, member, old, text),
                "value" => text.into(),
                _ => NewValue::Copy(member),
            };
            Some((key.to_owned(), value))
        });
        let members: Option<Vec<_>> = members.collect();
        editor.insert_item(document.parent(neighbor.node)?, Some(neighbor.node), NewValue::Object(members?));
    }
    Some(editor.finish())
}

/// A binding as it is, but with another literal.
fn with_text(document: &Document, binding: NodeId, old: NodeId, text: &str) -> NewValue {
    let members = document.children(binding).filter_map(|member| {
        let value = if member == old { text.into() } else { NewValue::Copy(member) };
        Some((document.key(member)?.to_owned(), value))
    });
    NewValue::Object(members.collect())
}
