//! Edits of `assignedVariables`, the variables that the body of an Assign uses (docs/platform.md, Assign).

use std::collections::BTreeSet;

use super::array_edits::{EditedArray, Entry, is_compact, with_new};
use super::context::Context;
use super::own_bound_variables::exchange;
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::Edit;
use crate::document::{Document, NodeId};
use crate::graph::{Analysis, placeholders};
use crate::model::{Activity, Assign, Binding};
use crate::source::Span;

/// The edits that rebuild the array for a body with placeholders of these names, and update `ownBoundVariables`: used
/// entries stay unchanged, missing ones are added. `None` if a missing variable has no known id.
pub fn rebuilt_assigned_variables(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    assign: &Assign<'_>,
    used: &[&str],
) -> Option<Vec<Edit>> {
    let (list, listed) = assign.variables.known()?;
    let (body_node, body) = assign.body.known()?;
    let document = analysis.document;
    let mut first = HashMap::default();
    for binding in listed {
        if let Some((_, name)) = binding.target() {
            first.entry(name).or_insert(binding);
        }
    }
    let used = unique(used.iter().copied());
    let is_used: HashSet<&str> = used.iter().copied().collect();
    let stays = |binding: &Binding<'_>| {
        let name = binding.target().map(|(_, name)| name).filter(|name| is_used.contains(name));
        name.and_then(|name| first.get(name)).is_some_and(|first| first.node == binding.node)
    };
    let listed_at = || listed.iter().enumerate().filter(|(_, binding)| stays(binding));
    let places: HashMap<NodeId, usize> = listed_at().map(|(index, binding)| (binding.node, index)).collect();
    let like = listed.last().map(|last| last.node);
    let (mut new, mut before) = (Vec::new(), None);
    for &name in &used {
        if let Some(known) = first.get(name) {
            before = places.get(&known.node).copied();
        } else {
            let id = analysis.scope.declarations.variable(name)?.variable.id.value()?;
            new.push((before, entry(document, list, like, name, id)));
        }
    }
    let entries = with_new(listed_at().map(|(index, _)| Entry::Kept(index)), new);
    let added: Vec<&str> = used.iter().copied().filter(|name| !first.contains_key(name)).collect();
    let names = listed.iter().filter_map(|entry| Some(entry.target()?.1));
    let before = unique(names.chain(placeholders(body).map(|placeholder| placeholder.name)));
    let gone: Vec<&str> = before.into_iter().filter(|name| !is_used.contains(name)).collect();
    let mut edits = exchange(cx, analysis, activity, &[list, body_node], &gone, &added);
    edits.extend(EditedArray { document, file: analysis.file, list, model: None }.edits(entries));
    Some(edits)
}

/// The JSON text of an entry of a list, in the layout of another one.
fn entry(document: &Document, list: NodeId, like: Option<NodeId>, name: &str, id: i64) -> String {
    let (colon, comma) = if is_compact(document, list) { (":", ",") } else { (": ", ", ") };
    let (name, id) = (serde_json::Value::from(name).to_string(), id.to_string());
    let members = [("isBound", "true"), ("value", "null"), ("boundTo", &name), ("boundToId", &id)];
    let members = members.map(|(key, value)| format!("\"{key}\"{colon}{value}"));
    let layout = like.and_then(|like| {
        let (object, mut members) = (document.span(like), document.children(like));
        let first = document.key_span(members.next()?)?;
        let last = document.span(members.next_back()?);
        let before = document.slice(Span::new(object.start + 1, first.start));
        Some((before, document.slice(Span::new(last.end, object.end - 1))))
    });
    let (before, after) = layout.unwrap_or_default();
    let between = if before.is_empty() { comma.to_owned() } else { format!(",{before}") };
    format!("{{{before}{}{after}}}", members.join(&between))
}

fn unique<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}
