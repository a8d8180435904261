//! Edits of `assignedVariables`, the variables that the body of an Assign uses (docs/platform.md, Assign).

use std::collections::BTreeSet;

use super::context::Context;
use super::own_bound_variables::exchange;
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::Edit;
use crate::graph::{Analysis, placeholders};
use crate::model::{Activity, Assign};

/// The edits that rebuild the array for a body with placeholders of these names, and change `ownBoundVariables` along:
/// entries that are used stay as they are, missing ones are added. `None` if a missing variable has no known id.
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
    let mut entries = Vec::new();
    let used = unique(used.iter().copied());
    for &name in &used {
        entries.push(match first.get(name) {
            Some(binding) => document.slice(document.span(binding.node)).to_owned(),
            None => {
                let id = analysis.scope.declarations.variable(name)?.variable.id.value()?;
                let name = serde_json::Value::from(name);
                format!("{{\"isBound\": true, \"value\": null, \"boundTo\": {name}, \"boundToId\": {id}}}")
            }
        });
    }
    let added: Vec<&str> = used.iter().copied().filter(|name| !first.contains_key(name)).collect();
    let names = listed.iter().filter_map(|entry| Some(entry.target()?.1));
    let before = unique(names.chain(placeholders(body).map(|placeholder| placeholder.name)));
    let used: HashSet<&str> = used.into_iter().collect();
    let gone: Vec<&str> = before.into_iter().filter(|name| !used.contains(name)).collect();
    let mut edits = exchange(cx, analysis, activity, &[list, body_node], &gone, &added);
    let new_text = format!("[{}]", entries.join(", "));
    edits.push(Edit { file: analysis.file, span: document.span(list), new_text });
    Some(edits)
}

fn unique<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}
