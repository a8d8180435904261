//! Edits of `ownBoundVariables`, the editor's list of the variables that an activity uses.

use super::used_variables::UsedVariables;
use crate::diagnostic::Edit;
use crate::document::NodeId;
use crate::graph::Analysis;
use crate::model::Activity;
use crate::source::Span;

/// The edit that removes a name from the list of an activity that no longer uses it once the target of a
/// binding is cleared.
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

/// The edit that removes the entry `index`, one of those that are `removed`. The edits of one list never
/// overlap, so that all can be applied together as well as each alone. When no entry remains, the edit of the
/// first empties the list, and the others have none.
pub fn removal_of_entry(
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    removed: &[bool],
    index: usize,
) -> Option<Edit> {
    let (list, entries) = activity.own_bound_variables.known()?;
    let document = analysis.document;
    let span = |at: usize| entries.get(at).map(|(node, _)| document.span(*node));
    let own = span(index)?;
    if removed.iter().all(|&is_removed| is_removed) {
        return (index == 0).then(|| Edit { span: document.span(list), new_text: "[]".to_owned() });
    }
    // With the comma after it; at the end of the list, where there is none, with the comma before it.
    let is_at_the_end = removed.iter().skip(index).all(|&is_removed| is_removed);
    let span = if is_at_the_end {
        Span::new(span(index.checked_sub(1)?)?.end, own.end)
    } else {
        Span::new(own.start, span(index + 1)?.start)
    };
    Some(Edit { span, new_text: String::new() })
}
