//! Variables that depend on results of scripts, of whose values only a sample is tried.

use std::collections::BTreeSet;

use super::search::own_reads;
use crate::graph::placeholders;
use crate::model::{Activity, ActivityKind, Binding, SCRIPT_RESULT};
use crate::simulate::{Plan, Slot};

pub struct Sampled(BTreeSet<Slot>);

/// The variables that scripts write, and their copies.
pub fn sampled(plan: &Plan<'_>) -> Sampled {
    let has_script = plan.workflow.activities.iter().any(|activity| matches!(activity.kind, ActivityKind::Code(_)));
    let mut slots: BTreeSet<Slot> = plan.names.slot(SCRIPT_RESULT).filter(|_| has_script).into_iter().collect();
    loop {
        let before = slots.len();
        for activity in &plan.workflow.activities {
            let ActivityKind::Assign(assign) = &activity.kind else { continue };
            let body = assign.body.value().unwrap_or_default();
            let is_sampled = placeholders(body)
                .filter_map(|placeholder| plan.names.slot(placeholder.name))
                .any(|slot| slots.contains(&slot));
            if is_sampled && let Some((_, target)) = assign.result.get().and_then(Binding::target) {
                slots.extend(plan.names.slot(target));
            }
        }
        if slots.len() == before {
            return Sampled(slots);
        }
    }
}

impl Sampled {
    /// Whether an activity reads one of them.
    pub fn is_read_by(&self, plan: &Plan<'_>, activity: &Activity<'_>) -> bool {
        own_reads(plan, activity).iter().any(|slot| self.0.contains(slot))
    }
}
