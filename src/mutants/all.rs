//! All changes of a workflow.

use super::change::{Change, Site};
use super::{activities, conditions, parameters, texts};
use crate::model::ActivityId;

/// The changes in the order of the document, those of the same place in the order of the documentation.
pub fn changes(site: &Site<'_>) -> Vec<Change> {
    let lists = site.workflow.roots.get().map(Vec::as_slice).into_iter();
    let lists = lists.chain(site.workflow.activities.iter().map(|activity| activity.children()));
    let mut changes: Vec<Change> = lists.flat_map(|list: &[ActivityId]| activities::changes(site, list)).collect();
    for activity in &site.workflow.activities {
        changes.extend(conditions::changes(site, activity));
        changes.extend(texts::changes(site, activity));
        changes.extend(parameters::changes(site, activity));
    }
    changes.sort_by_key(|change| (site.document.anchor(change.node), change.activity, change.mutation));
    changes
}
