//! Dead stores: whether anything reads the value of a variable after an activity.

use petgraph::Direction;
use petgraph::graph::NodeIndex;

use super::control::Step;
use super::effects::VarId;
use super::{Analysis, Effects};
use crate::collections::HashSet;
use crate::model::{Activity, ActivityId, ActivityKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreUse {
    /// Something may read the value.
    MayBeRead,
    /// The budget is used up.
    Unknown,
    /// Every path overwrites the variable, or ends, before anything reads it. With some activity that overwrites it.
    Dead(Option<ActivityId>),
}

pub struct StoreQuery<'q, 'p> {
    pub variable: VarId,
    /// Whether something reads the variable after the workflow has ended, in whatever way.
    pub is_live_at_end: bool,
    /// Whether an activity always overwrites the variable.
    pub overwrites: &'q dyn Fn(&Activity<'p>, &Effects<'p>) -> bool,
}

impl<'p> Analysis<'p> {
    /// What happens to the value that a variable has after an activity: a search along all edges, whatever the
    /// conditions are. `budget` is reduced for each point, read and write that is visited.
    pub fn store_use(&self, after: ActivityId, query: &StoreQuery<'_, 'p>, budget: &mut usize) -> StoreUse {
        let Some(start) = self.control.point(after) else { return StoreUse::MayBeRead };
        let mut visited: HashSet<NodeIndex> = HashSet::default();
        let mut worklist: Vec<NodeIndex> = self.successors(start).collect();
        let mut overwritten_by = None;
        while let Some(point) = worklist.pop() {
            if !visited.insert(point) {
                continue;
            }
            let step = self.control.graph.node_weight(point);
            let effects = match step {
                Some(&Step::Run(id)) => self.effects.get(id.0 as usize),
                _ => None,
            };
            let cost = 1 + effects.map_or(0, |effects| effects.reads.len() + effects.writes.own().len());
            let Some(left) = budget.checked_sub(cost) else { return StoreUse::Unknown };
            *budget = left;
            let access = match step {
                Some(&Step::Run(id)) => self.access(id, query),
                Some(Step::Exit) if query.is_live_at_end => Access::Reads,
                _ => Access::None,
            };
            match access {
                Access::Reads => return StoreUse::MayBeRead,
                // This path needs no further search.
                Access::Overwrites(id) => overwritten_by = overwritten_by.or(Some(id)),
                Access::None => worklist.extend(self.successors(point)),
            }
        }
        StoreUse::Dead(overwritten_by)
    }

    fn successors(&self, point: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        self.control.graph.neighbors_directed(point, Direction::Outgoing)
    }

    fn access(&self, id: ActivityId, query: &StoreQuery<'_, 'p>) -> Access {
        let (Some(activity), Some(effects)) = (self.workflow.activity(id), self.effects.get(id.0 as usize)) else {
            return Access::Reads;
        };
        let variable = query.variable;
        // Reads come first: an activity that reads and overwrites the variable uses its old value.
        let reads = effects.may_read
            || effects.reads.iter().any(|read| read.variable == variable)
            || effects.shows_variable(variable);
        if reads || query.is_live_at_end && may_end_workflow(activity) {
            Access::Reads
        } else if (query.overwrites)(activity, effects) {
            Access::Overwrites(id)
        } else {
            Access::None
        }
    }
}

/// What an activity does with the variable of a query.
enum Access {
    Reads,
    Overwrites(ActivityId),
    None,
}

/// Whether the workflow may end at an activity: by a Terminate, or because the activity fails.
fn may_end_workflow(activity: &Activity<'_>) -> bool {
    match &activity.kind {
        ActivityKind::Provider(provider) => provider.stops_on_error(),
        ActivityKind::Terminate | ActivityKind::Code(_) => true,
        _ => false,
    }
}
