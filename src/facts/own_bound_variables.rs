//! Edits of `ownBoundVariables`, the variables that an activity uses (docs/platform.md, Activity).
//!
//! It is not documented whether a container lists the variables of its children, so the arrays of the activities
//! around one are edited as well.

use super::context::Context;
use crate::collections::HashSet;
use crate::diagnostic::Edit;
use crate::document::NodeId;
use crate::graph::Analysis;
use crate::model::Activity;
use crate::source::Span;

/// The edits that replace an undefined name by that of a variable.
pub fn renaming(analysis: &Analysis<'_>, activity: &Activity<'_>, old: &str, new: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    for activity in with_ancestors(analysis, activity) {
        let names: Vec<Option<&str>> = names(activity).collect();
        let removed: Vec<bool> = names.iter().map(|&name| name == Some(old)).collect();
        let added: &[&str] = if removed.contains(&true) && !names.contains(&Some(new)) { &[new] } else { &[] };
        edits.extend(replacements(analysis, activity, removed, added));
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
        edits.extend(removals_of_entries(analysis, activity, &unused_entries(cx, analysis, activity, cleared, gone)));
    }
    edits
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
    let removals = |activity| {
        removals_of_entries(analysis, activity, &unused_entries(cx, analysis, activity, cleared, gone))
            .collect::<Vec<_>>()
    };
    let mut edits: Vec<Edit> = ancestors.flat_map(removals).collect();
    if activity.own_bound_variables.get().is_none() {
        return edits;
    }
    let own: HashSet<&str> = names(activity).flatten().collect();
    let added: Vec<&str> = added.iter().copied().filter(|name| !own.contains(name)).collect();
    let removed = unused_entries(cx, analysis, activity, cleared, gone);
    edits.extend(replacements(analysis, activity, removed, &added));
    edits
}

/// The edit that removes the entry `index`; `last_kept` is the last entry that is not removed. These edits never overlap, so that they can
/// be applied together or one by one. If no entry remains, the edit of the first one empties the array, and the others
/// have none.
pub fn removal_of_entry(
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    last_kept: Option<usize>,
    index: usize,
) -> Option<Edit> {
    let (list, entries) = activity.own_bound_variables.known()?;
    let document = analysis.document;
    let span = |at: usize| entries.get(at).map(|node| document.span(node));
    let entry = span(index)?;
    let Some(last_kept) = last_kept else {
        return (index == 0).then(|| edit(analysis, document.span(list), "[]"));
    };
    // With the comma after it. If no entry after it remains, with the comma before it.
    let span = if index > last_kept {
        Span::new(span(index.checked_sub(1)?)?.end, entry.end)
    } else {
        Span::new(entry.start, span(index + 1)?.start)
    };
    Some(edit(analysis, span, ""))
}

fn removals_of_entries(
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    removed: &[bool],
) -> impl Iterator<Item = Edit> {
    let last_kept = removed.iter().rposition(|is_removed| !is_removed);
    let indices = removed.iter().enumerate().filter(|(_, is_removed)| **is_removed);
    indices.filter_map(move |(index, _)| removal_of_entry(analysis, activity, last_kept, index))
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
fn replacements(analysis: &Analysis<'_>, activity: &Activity<'_>, mut removed: Vec<bool>, added: &[&str]) -> Vec<Edit> {
    let mut edits = Vec::new();
    if !added.is_empty() {
        match removed.iter_mut().enumerate().find(|(_, is_removed)| **is_removed) {
            Some((index, is_removed)) => {
                *is_removed = false;
                edits.extend(replacement(analysis, activity, index, added));
            }
            None => edits.extend(addition(analysis, activity, added)),
        }
    }
    edits.extend(removals_of_entries(analysis, activity, &removed));
    edits
}

fn replacement(analysis: &Analysis<'_>, activity: &Activity<'_>, index: usize, names: &[&str]) -> Option<Edit> {
    let node = activity.own_bound_variables.get()?.get(index)?;
    Some(edit(analysis, analysis.document.span(node), &json(names, ", ")))
}

fn addition(analysis: &Analysis<'_>, activity: &Activity<'_>, names: &[&str]) -> Option<Edit> {
    let (list, entries) = activity.own_bound_variables.known()?;
    let document = analysis.document;
    let mut from_last = entries.iter().rev().map(|(node, _)| document.span(node));
    let Some(last) = from_last.next() else {
        return Some(edit(analysis, document.span(list), &format!("[{}]", json(names, ", "))));
    };
    // What is between the last two entries, or before the only one, is repeated: a blank, or a line's indentation.
    let between = match from_last.next() {
        Some(before) => document.slice(Span::new(before.end, last.start)).to_owned(),
        None => format!(",{}", document.slice(Span::new(document.span(list).start + 1, last.start))),
    };
    let between = if between == "," { ", " } else { &between };
    Some(edit(analysis, Span::new(last.end, last.end), &format!("{between}{}", json(names, between))))
}

fn json(names: &[&str], separator: &str) -> String {
    let names: Vec<String> = names.iter().map(|&name| serde_json::Value::from(name).to_string()).collect();
    names.join(separator)
}

fn edit(analysis: &Analysis<'_>, span: Span, new_text: &str) -> Edit {
    Edit { file: analysis.file, span, new_text: new_text.to_owned() }
}
