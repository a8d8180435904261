//! Assigns of a variable to itself, which change nothing.

use crate::collections::HashMap;
use crate::graph::{Analysis, Effects, VarId, Written};
use crate::model::{Activity, ActivityKind};

/// The variable that an Assign writes to itself.
pub fn self_assigned(activity: &Activity<'_>, effects: &Effects<'_>) -> Option<VarId> {
    if !matches!(activity.kind, ActivityKind::Assign(_)) {
        return None;
    }
    let guessed = effects.reads.iter().any(|read| read.guessed);
    let write = effects.writes.own().iter().find(|write| write.value == Written::Copy(write.variable))?;
    (!write.guessed && !guessed).then_some(write.variable)
}

/// Maximum number of self-assignments that are considered for one variable of a condition, the nearest first.
const MAX_NEAREST: usize = 16;

/// The self-assignments of a workflow that some path reaches: by variable, in document order.
pub struct SelfAssignments<'c, 'a>(HashMap<VarId, Vec<&'c Activity<'a>>>);

impl<'c, 'a> SelfAssignments<'c, 'a> {
    pub fn of(analysis: &'c Analysis<'a>) -> Self {
        let mut by_variable: HashMap<VarId, Vec<&'c Activity<'a>>> = HashMap::default();
        for (activity, effects) in analysis.workflow.activities.iter().zip(&analysis.effects) {
            if let Some(variable) = self_assigned(activity, effects).filter(|_| analysis.reaches(activity.id)) {
                by_variable.entry(variable).or_default().push(activity);
            }
        }
        Self(by_variable)
    }

    /// Those of variables that a condition compares, from which a path may lead to it: they are before it, or in a loop
    /// around it or its own.
    pub fn before(&self, analysis: &Analysis<'_>, activity: &Activity<'_>) -> impl Iterator<Item = &'c Activity<'a>> {
        let around = std::iter::once(activity).chain(analysis.workflow.ancestors(activity));
        let loops = around.filter(|around| matches!(around.kind, ActivityKind::While { .. }));
        let end = loops.map(|around| around.end).max().unwrap_or(activity.id).max(activity.id);
        let condition = analysis.effects(activity.id).and_then(|effects| effects.condition.as_deref());
        condition.into_iter().flat_map(|condition| condition.variables()).flat_map(move |variable| {
            let assigned = self.0.get(&variable).map_or(&[][..], Vec::as_slice);
            let before = assigned.partition_point(|assigned| assigned.id < end);
            assigned.iter().take(before).rev().take(MAX_NEAREST).copied()
        })
    }
}
