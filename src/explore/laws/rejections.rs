//! The variables that Approvals write on rejections.

use crate::collections::HashMap;
use crate::graph::Analysis;
use crate::model::{Activity, ActivityId, ActivityKind, ON_APPROVE};
use crate::simulate::{Plan, Slot};

/// By Approval, the variables that it may write on a rejection; `None` if it may write any. An Approval that writes none
/// is left out.
#[derive(Debug)]
pub struct Rejections(HashMap<ActivityId, Option<Vec<Slot>>>);

impl Rejections {
    pub fn new(plan: &Plan<'_>, analysis: &Analysis<'_>) -> Self {
        let activities = analysis.workflow.activities.iter();
        let approvals = activities.filter(|activity| matches!(activity.kind, ActivityKind::Approval(_)));
        let written = approvals.map(|approval| (approval.id, written(plan, analysis, approval)));
        Self(written.filter(|(_, slots)| slots.as_ref().is_none_or(|slots| !slots.is_empty())).collect())
    }

    /// Whether it matters that the timeout of an Approval has ended it, where these variables can still be read (sorted):
    /// one that it writes on a rejection then does not count as unset.
    pub fn matter(&self, timed_out: ActivityId, live: &[Slot]) -> bool {
        self.0.get(&timed_out).is_some_and(|written| {
            let is_live = |slot: &Slot| live.binary_search(slot).is_ok();
            written.as_ref().is_none_or(|written| written.iter().any(is_live))
        })
    }
}

fn written(plan: &Plan<'_>, analysis: &Analysis<'_>, approval: &Activity<'_>) -> Option<Vec<Slot>> {
    let mut slots = Vec::new();
    for event in approval.children().iter().filter_map(|id| analysis.workflow.activity(*id)) {
        if !matches!(&event.kind, ActivityKind::Event { event } if event.value() != Some(ON_APPROVE)) {
            continue;
        }
        for inner in analysis.workflow.inside(event) {
            let Some(effects) = analysis.effects(inner.id) else { continue };
            // The form of an Approval may write as well.
            if effects.may_write.is_some() || matches!(inner.kind, ActivityKind::Approval(_)) {
                return None;
            }
            for write in effects.writes.own() {
                slots.push(plan.names.slot(analysis.names.name(write.variable))?);
            }
        }
    }
    Some(slots)
}
