//! Assigns of a variable to itself, which change nothing.

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

/// The self-assignments of a workflow that some path reaches, in document order.
pub struct SelfAssignments<'c, 'a>(Vec<(&'c Activity<'a>, VarId)>);

impl<'c, 'a> SelfAssignments<'c, 'a> {
    pub fn of(analysis: &'c Analysis<'a>) -> Self {
        let activities = analysis.workflow.activities.iter().zip(&analysis.effects);
        let assigned = activities.filter_map(|(activity, effects)| Some((activity, self_assigned(activity, effects)?)));
        Self(assigned.filter(|(activity, _)| analysis.reaches(activity.id)).collect())
    }

    /// Those of variables that a condition compares, from which a path may lead to it: they are before it, or in a loop
    /// around it or its own.
    pub fn before(&self, analysis: &Analysis<'_>, activity: &Activity<'_>) -> impl Iterator<Item = &'c Activity<'a>> {
        let around = std::iter::once(activity).chain(analysis.workflow.ancestors(activity));
        let loops = around.filter(|around| matches!(around.kind, ActivityKind::While { .. }));
        let end = loops.map(|around| around.end).max().unwrap_or(activity.id).max(activity.id);
        let condition = analysis.effects(activity.id).and_then(|effects| effects.condition.as_deref());
        let assigned = self.0.iter().take_while(move |(assigned, _)| assigned.id < end);
        assigned.filter_map(move |&(assigned, variable)| {
            condition?.variables().any(|compared| compared == variable).then_some(assigned)
        })
    }
}
