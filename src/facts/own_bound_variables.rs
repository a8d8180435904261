//! Edits of `ownBoundVariables`, the variables that an activity uses (docs/platform.md, Activity).

use super::used_variables::UsedVariables;
use crate::diagnostic::Edit;
use crate::document::NodeId;
use crate::graph::Analysis;
use crate::model::Activity;
use crate::source::Span;

/// The edit that removes a name when the target of a binding is cleared; `None` if the activity still uses the name.
pub fn removal_after_clearing(
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    binding: NodeId,
    name: &str,
) -> Option<Edit> {
    let (_, entries) = activity.own_bound_variables.known()?;
    let index = entries.iter().position(|(_, entry)| *entry == Some(name))?;
    let is_used = UsedVariables::after_clearing(analysis, activity, binding).is_none_or(|used| used.contains(name));
    let removed: Vec<bool> = (0..entries.len()).map(|at| at == index).collect();
    if is_used { None } else { removal_of_entry(analysis, activity, &removed, index) }
}

/// The edit that removes the entry `index`, one of the `removed` entries. These edits never overlap, so that they can
/// be applied together or one by one. If no entry remains, the edit of the first one empties the array, and the others
/// have none.
pub fn removal_of_entry(
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    removed: &[bool],
    index: usize,
) -> Option<Edit> {
    let (list, entries) = activity.own_bound_variables.known()?;
    let document = analysis.document;
    let span = |at: usize| entries.get(at).map(|(node, _)| document.span(*node));
    let entry = span(index)?;
    if removed.iter().all(|&is_removed| is_removed) {
        return (index == 0).then(|| Edit { span: document.span(list), new_text: "[]".to_owned() });
    }
    // With the comma after it. If no entry after it remains, with the comma before it.
    let is_at_the_end = removed.iter().skip(index).all(|&is_removed| is_removed);
    let span = if is_at_the_end {
        Span::new(span(index.checked_sub(1)?)?.end, entry.end)
    } else {
        Span::new(entry.start, span(index + 1)?.start)
    };
    Some(Edit { span, new_text: String::new() })
}
