//! Finds the activities of a workflow that differ from an older version.

use super::change::Site;
use crate::document::{Document, Layout, NodeId};
use crate::model::{Activity, ActivityId, NOT_OF_MEANING, Workflow};
use crate::text::alignment;

/// Activities of one list, in both versions together, that are aligned; of longer lists all have changed.
const MAX_ALIGNED: usize = 20_000;

/// The keys of objects in an activity that do not affect its meaning: editor state, and ids, which an export may
/// renumber.
const NOT_OF_VALUES: [&str; 4] = ["boundToId", "hasWarning", "id", "warningText"];

/// Whether each activity has changed, by its id: its own members or their values, or where it is. White space, escapes,
/// the order of members, ids and editor state do not count.
pub fn changed(new: &Site<'_>, old: &Site<'_>) -> Vec<bool> {
    let mut comparison = Comparison { new: *new, old: *old, changed: vec![true; new.workflow.activities.len()] };
    comparison.compare(roots(new.workflow), roots(old.workflow));
    comparison.changed
}

fn roots<'w>(workflow: &'w Workflow<'_>) -> &'w [ActivityId] {
    workflow.roots.get().map_or(&[], Vec::as_slice)
}

struct Comparison<'d> {
    new: Site<'d>,
    old: Site<'d>,
    /// Whether each activity of the new version changed.
    changed: Vec<bool>,
}

impl<'d> Comparison<'d> {
    /// Compares the children of two activities that are the same one. Recurses as deep as activities are nested.
    fn compare(&mut self, new: &[ActivityId], old: &[ActivityId]) {
        if new.len() + old.len() > MAX_ALIGNED {
            return;
        }
        let ([new, old], [new_texts, old_texts]) = (
            [activities(self.new.workflow, new), activities(self.old.workflow, old)],
            [own_texts(&self.new, new), own_texts(&self.old, old)],
        );
        for block in alignment::blocks(&old_texts, &new_texts) {
            let (old, new) = (old.get(block.before), new.get(block.after));
            self.compare_pairs(new.unwrap_or_default(), old.unwrap_or_default(), block.is_equal);
        }
    }

    /// Compares activities that lie between the same neighbors. Those that are not equal belong together when they
    /// have the same name and type.
    fn compare_pairs(&mut self, new: &[&'d Activity<'d>], old: &[&'d Activity<'d>], are_equal: bool) {
        let mut left: Vec<&Activity<'_>> = old.iter().rev().copied().collect();
        for activity in new {
            let is_same = |other: &&Activity<'_>| {
                are_equal
                    || other.name.value() == activity.name.value()
                        && other.type_name.value() == activity.type_name.value()
            };
            let Some(at) = left.iter().rposition(is_same) else { continue };
            let other = left.remove(at);
            left.truncate(at);
            if let Some(changed) = self.changed.get_mut(activity.id.0 as usize) {
                *changed = !are_equal;
            }
            self.compare(activity.children(), other.children());
        }
    }
}

fn activities<'d>(workflow: &'d Workflow<'d>, ids: &[ActivityId]) -> Vec<&'d Activity<'d>> {
    ids.iter().filter_map(|&id| workflow.activity(id)).collect()
}

/// The text of each activity in one form, without its children.
fn own_texts(site: &Site<'_>, ids: &[ActivityId]) -> Vec<String> {
    activities(site.workflow, ids).into_iter().map(|activity| own_text(site.document, activity.node)).collect()
}

fn own_text(document: &Document, activity: NodeId) -> String {
    let layout = Layout {
        indent: 0,
        members: &|object| {
            let mut members: Vec<NodeId> = document.children(object).collect();
            let is_meant = |key| match key {
                "activities" => object != activity,
                key if object == activity => !NOT_OF_MEANING.contains(&key),
                key => !NOT_OF_VALUES.contains(&key),
            };
            members.retain(|&member| document.key(member).is_none_or(is_meant));
            members.sort_by(|&a, &b| document.key(a).cmp(&document.key(b)));
            members
        },
        replaced: &|_| None,
        keeps_escape: &|_| false,
    };
    document.laid_out_value(activity, &layout)
}
