//! Edits of `ownBoundVariables` and `assignedVariables`, the variables that an activity, or the body of an Assign, uses
//! (docs/platform.md).
//!
//! It is not documented whether a container lists the variables of its children, so the arrays of the activities around one
//! are edited as well.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::collections::{HashMap, HashSet};
use crate::document::{Document, Editor, NewValue, NodeId, NodeKind};
use crate::facts::context::Context;
use crate::graph::Analysis;
use crate::model::{Activity, ActivityId, ActivityKind, Assign, Binding};
use crate::text::diagnostic::Edit;

/// The edits that replace an undefined name by that of a variable.
pub fn renaming(analysis: &Analysis<'_>, activity: &Activity<'_>, old: &str, new: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    for activity in with_ancestors(analysis, activity) {
        let names: Vec<Option<&str>> = names(activity).collect();
        let removed: Vec<bool> = names.iter().map(|&name| name == Some(old)).collect();
        let added: &[&str] = if removed.contains(&true) && !names.contains(&Some(new)) { &[new] } else { &[] };
        edits.extend(self::edits(analysis, activity, &removed, added));
    }
    edits
}

/// The edits that remove names that the activities no longer use once the values `cleared` are.
pub fn removals_after_clearing(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    cleared: &[NodeId],
    gone: &[&str],
) -> Vec<Edit> {
    let mut edits = Vec::new();
    for activity in with_ancestors(analysis, activity) {
        edits.extend(self::edits(analysis, activity, &unused_entries(cx, analysis, activity, cleared, gone), &[]));
    }
    edits
}

/// The edits that remove a name from the arrays of all activities.
pub fn unlisted_everywhere(cx: &Context<'_>, name: &str) -> Vec<Edit> {
    let edits = |(analysis, activity): (&Analysis<'_>, &Activity<'_>)| {
        let removed: Vec<bool> = names(activity).map(|entry| entry == Some(name)).collect();
        if removed.contains(&true) { self::edits(analysis, activity, &removed, &[]) } else { Vec::new() }
    };
    cx.activities().flat_map(edits).collect()
}

/// The edits of the activities around some that are removed: they no longer list what only those used.
pub fn removals_around(cx: &Context<'_>, analysis: &Analysis<'_>, removed: &[&Activity<'_>]) -> Vec<Edit> {
    let Some(used) = cx.used_variables(analysis) else { return Vec::new() };
    let cleared: Vec<NodeId> = removed.iter().map(|activity| activity.node).collect();
    let mut around: BTreeMap<ActivityId, &Activity<'_>> = BTreeMap::new();
    for activity in removed {
        around.extend(analysis.workflow.ancestors(activity).map(|outer| (outer.id, outer)));
    }
    let edits = |outer: &Activity<'_>| {
        let is_used = |name: &&str| removed.iter().any(|activity| used.uses(activity, name, &[]));
        let gone: Vec<&str> = names(outer).flatten().filter(is_used).collect();
        self::edits(analysis, outer, &unused_entries(cx, analysis, outer, &cleared, &gone), &[])
    };
    around.into_values().flat_map(edits).collect()
}

/// As [`removals_after_clearing`], and the activity itself uses the variables `added` then.
pub fn exchange(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    cleared: &[NodeId],
    gone: &[&str],
    added: &[&str],
) -> Vec<Edit> {
    let ancestors = analysis.workflow.ancestors(activity);
    let removals =
        |activity| self::edits(analysis, activity, &unused_entries(cx, analysis, activity, cleared, gone), &[]);
    let mut edits: Vec<Edit> = ancestors.flat_map(removals).collect();
    if activity.own_bound_variables.get().is_none() {
        return edits;
    }
    let own: HashSet<&str> = names(activity).flatten().collect();
    let added: Vec<&str> = added.iter().copied().filter(|name| !own.contains(name)).collect();
    let removed = unused_entries(cx, analysis, activity, cleared, gone);
    edits.extend(self::edits(analysis, activity, &removed, &added));
    edits
}

fn with_ancestors<'c, 'a>(
    analysis: &'c Analysis<'a>,
    activity: &'c Activity<'a>,
) -> impl Iterator<Item = &'c Activity<'a>> {
    std::iter::once(activity).chain(analysis.workflow.ancestors(activity))
}

/// The entries, `None` for one that is not a string.
fn names<'c>(activity: &'c Activity<'_>) -> impl Iterator<Item = Option<&'c str>> {
    activity.own_bound_variables.get().into_iter().flat_map(|entries| entries.iter()).map(|(_, name)| name)
}

/// For each entry, whether it is one of `gone` that the activity no longer uses once the values `cleared` are.
fn unused_entries(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    cleared: &[NodeId],
    gone: &[&str],
) -> Vec<bool> {
    let used = cx.used_variables(analysis);
    let is_unused = |name: &&str| used.is_some_and(|used| !used.uses(activity, name, cleared));
    let unused: HashSet<&str> = gone.iter().copied().filter(is_unused).collect();
    names(activity).map(|name| name.is_some_and(|name| unused.contains(name))).collect()
}

/// The edits that remove entries and add names: in place of the first removed entry, otherwise at the end.
fn edits(analysis: &Analysis<'_>, activity: &Activity<'_>, removed: &[bool], added: &[&str]) -> Vec<Edit> {
    let Some((list, entries)) = activity.own_bound_variables.known() else { return Vec::new() };
    let mut editor = Editor::new(analysis.document, analysis.file);
    for ((node, _), _) in entries.iter().zip(removed).filter(|(_, is_removed)| **is_removed) {
        editor.remove(node);
    }
    let place = removed.iter().position(|is_removed| *is_removed).unwrap_or(removed.len());
    let after = place.checked_sub(1).and_then(|before| entries.get(before));
    for &name in added {
        editor.insert_item(list, after, name);
    }
    editor.finish()
}

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
    let (body_node, _) = assign.body.known()?;
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
            editor.insert_item(
                list,
                before,
                entry(analysis, listed, |key| bound_member(key, name, id, cx.is_system(name))),
            );
        }
    }
    let added: Vec<&str> = used.iter().copied().filter(|name| !first.contains_key(name)).collect();
    let names = listed.iter().filter_map(|entry| Some(entry.target()?.1));
    let before = unique(names.chain(analysis.scope.placeholders_of(assign).map(|placeholder| placeholder.name)));
    let gone: Vec<&str> = before.into_iter().filter(|name| !is_used.contains(name)).collect();
    let mut edits = exchange(cx, analysis, activity, &[list, body_node], &gone, &added);
    edits.extend(editor.finish());
    Some(edits)
}

/// An entry with the members of the others, or of those of another Assign.
fn entry(analysis: &Analysis<'_>, listed: &[Binding<'_>], member: impl Fn(&str) -> Option<NewValue>) -> NewValue {
    let document = analysis.document;
    let of_assign = |activity: &Activity<'_>| match &activity.kind {
        ActivityKind::Assign(assign) => assign.variables.get().and_then(|list| first_bound(list)),
        _ => None,
    };
    let model = first_bound(listed).or_else(|| analysis.workflow.activities.iter().find_map(of_assign));
    let keys: Vec<&str> = match model {
        Some(model) => document.children(model).filter_map(|member| document.key(member)).collect(),
        None => vec!["isBound", "value", "boundTo", "boundToId"],
    };
    let of_model = |key: &str| model.and_then(|model| no_literal(document, model, key)).or_else(|| member(key));
    let members = keys.into_iter().filter_map(|key| Some((key.to_owned(), of_model(key)?)));
    let value = NewValue::Object(members.collect());
    match model {
        Some(model) => NewValue::Like(model, Box::new(value)),
        None => value,
    }
}

/// The `value` of a binding that has no literal there, an empty string or null, as it is.
pub fn no_literal(document: &Document, binding: NodeId, key: &str) -> Option<NewValue> {
    let value = document.member(binding, key).filter(|_| key == "value")?;
    let is_none = document.kind(value) == NodeKind::Null || document.string(value) == Some("");
    is_none.then_some(NewValue::Copy(value))
}

fn first_bound(listed: &[Binding<'_>]) -> Option<NodeId> {
    listed.iter().find(|entry| entry.target().is_some()).map(|entry| entry.node)
}

/// What a value that is bound to a variable has under a key; `None` for a key that says nothing about that.
pub fn bound_member(key: &str, variable: &str, id: i64, is_system: bool) -> Option<NewValue> {
    Some(match key {
        "isBound" => true.into(),
        "value" => NewValue::Scalar("null".to_owned()),
        "hasWarning" => false.into(),
        "warningText" => "".into(),
        "isBoundToSystemVariable" => is_system.into(),
        "boundToId" => id.into(),
        "boundTo" => variable.into(),
        _ => return None,
    })
}

fn unique<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}
