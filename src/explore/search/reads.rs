//! Which variables activities read and write.

use std::collections::BTreeSet;

use crate::graph::placeholders;
use crate::model::{Activity, ActivityKind, Binding, SCRIPT_RESULT};
use crate::simulate::{Plan, Slot};

/// What an activity itself reads, without its children.
pub fn own_reads(plan: &Plan<'_>, activity: &Activity<'_>) -> BTreeSet<Slot> {
    let mut slots = BTreeSet::new();
    activity.bindings(|binding, role| {
        if let Some((_, name)) = binding.target().filter(|_| !role.writes()) {
            slots.extend(plan.names.slot(name));
        }
    });
    if let ActivityKind::Assign(assign) = &activity.kind {
        let body = assign.body.value().unwrap_or_default();
        slots.extend(placeholders(body).filter_map(|placeholder| plan.names.slot(placeholder.name)));
    }
    slots
}

/// What an activity itself has written whenever the run continues after it.
pub fn own_writes(plan: &Plan<'_>, activity: &Activity<'_>) -> BTreeSet<Slot> {
    let slot = |binding: Option<&Binding<'_>>| plan.names.slot(binding?.target()?.1);
    match &activity.kind {
        ActivityKind::Assign(assign) => slot(assign.result.get()).into_iter().collect(),
        ActivityKind::Code(_) => plan.names.slot(SCRIPT_RESULT).into_iter().collect(),
        ActivityKind::Approval(approval) => slot(approval.result.get()).into_iter().collect(),
        ActivityKind::Provider(provider) => {
            let common = &plan.config.catalog.common_outputs;
            let common = common.iter().filter_map(|name| plan.names.slot(name));
            slot(provider.result.get()).into_iter().chain(common).collect()
        }
        _ => BTreeSet::new(),
    }
}
