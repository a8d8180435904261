//! Conditions because of which other conditions are constant: the writes that would bring another value are never
//! reached, or one that always runs replaces it.

use crate::collections::HashMap;
use crate::document::NodeId;
use crate::graph::{Analysis, Reason, VarId};
use crate::model::{Activity, ActivityId};

/// Maximum number of writes that are considered for one variable of a condition, the nearest first.
const MAX_WRITES: usize = 16;

/// The activities that write variables and that no path reaches.
pub struct UnreachedWrites<'c, 'a> {
    analysis: &'c Analysis<'a>,
    by_variable: HashMap<VarId, Vec<ActivityId>>,
}

impl<'c, 'a> UnreachedWrites<'c, 'a> {
    pub fn of(analysis: &'c Analysis<'a>) -> Self {
        let mut by_variable: HashMap<VarId, Vec<ActivityId>> = HashMap::default();
        for activity in analysis.workflow.activities.iter().filter(|activity| !analysis.reaches(activity.id)) {
            for write in analysis.effects(activity.id).into_iter().flat_map(|effects| effects.writes.own()) {
                by_variable.entry(write.variable).or_default().push(activity.id);
            }
        }
        Self { analysis, by_variable }
    }

    /// The expressions around the writes before a constant condition that are never reached, or that make it constant.
    pub fn deciding(&self, activity: &Activity<'_>) -> impl Iterator<Item = NodeId> {
        let condition = self.analysis.effects(activity.id).and_then(|effects| effects.condition.as_deref());
        let before = |variable| {
            let writers = self.by_variable.get(&variable).map_or(&[][..], Vec::as_slice);
            let end = writers.partition_point(|writer| *writer < activity.id);
            writers.iter().take(end).rev().take(MAX_WRITES).copied()
        };
        let unreached = condition.into_iter().flat_map(|condition| condition.variables()).flat_map(before);
        let reasons = self.analysis.paths.reasons.get(&activity.id).into_iter().flatten();
        let made_by = reasons.filter_map(|reason| match reason {
            Reason::Write(_, by) => Some(*by),
            Reason::Start(_) | Reason::Test(..) => None,
        });
        let workflow = self.analysis.workflow;
        let around =
            unreached.chain(made_by).filter_map(|id| workflow.activity(id)).flat_map(|it| workflow.ancestors(it));
        around.filter_map(|around| around.expression()).map(|expression| expression.node)
    }
}
