//! Edits of `assignedVariables`, the variables that the body of an Assign uses (docs/platform.md, Assign).

use std::collections::BTreeSet;

use super::context::Context;
use super::own_bound_variables::exchange;
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::Edit;
use crate::document::{Editor, NewValue};
use crate::graph::{Analysis, placeholders};
use crate::model::{Activity, Assign, Binding};

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
    let mut editor = Editor::new(document, analysis.file);
    for binding in listed.iter().filter(|binding| !stays(binding)) {
        editor.remove(binding.node);
    }
    let mut before = None;
    for &name in &used {
        if let Some(known) = first.get(name) {
            before = Some(known.node);
        } else {
            let id = analysis.scope.declarations.variable(name)?.variable.id.value()?;
            editor.insert_item(list, before, entry(name, id));
        }
    }
    let added: Vec<&str> = used.iter().copied().filter(|name| !first.contains_key(name)).collect();
    let names = listed.iter().filter_map(|entry| Some(entry.target()?.1));
    let before = unique(names.chain(placeholders(body).map(|placeholder| placeholder.name)));
    let gone: Vec<&str> = before.into_iter().filter(|name| !is_used.contains(name)).collect();
    let mut edits = exchange(cx, analysis, activity, &[list, body_node], &gone, &added);
    edits.extend(editor.finish());
    Some(edits)
}

fn entry(name: &str, id: i64) -> NewValue {
    NewValue::object([
        ("isBound", true.into()),
        ("value", NewValue::Scalar("null".to_owned())),
        ("boundTo", name.into()),
        ("boundToId", id.into()),
    ])
}

fn unique<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}
