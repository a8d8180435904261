//! What becomes of a variable's value after an activity.

use petgraph::Direction;
use petgraph::graph::NodeIndex;

use super::control::Step;
use super::effects::VarId;
use super::{Analysis, Effects};
use crate::collections::HashSet;
use crate::model::{Activity, ActivityId, Kind};

/// What becomes of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreUse {
    /// Something may use it, or nobody knows.
    MayBeRead,
    /// Every way from here ends, or gives the variable another value, before anything reads it; the
    /// first activity found that does.
    Dead(Option<ActivityId>),
}

/// How to judge the ways from an activity.
pub struct StoreQuery<'q, 'p> {
    /// The variable.
    pub variable: VarId,
    /// Whether something reads it when the workflow has ended, by whatever ends it.
    pub is_read_at_the_end: bool,
    /// Whether an activity is sure to give it another value.
    pub overwrites: &'q dyn Fn(&Activity<'p>, &Effects<'p>) -> bool,
}

impl<'p> Analysis<'p> {
    /// What becomes of the value that a variable has after an activity, on any way, whatever the
    /// conditions say. Takes from `budget` for each point and read that it looks at; past it, nobody knows.
    pub fn store_use(&self, after: ActivityId, question: &StoreQuery<'_, 'p>, budget: &mut usize) -> StoreUse {
        let Some(start) = self.control.point(after) else { return StoreUse::MayBeRead };
        let mut seen: HashSet<NodeIndex> = HashSet::default();
        let mut open: Vec<NodeIndex> = self.next(start).collect();
        let mut overwritten = None;
        while let Some(point) = open.pop() {
            if !seen.insert(point) {
                continue;
            }
            let step = self.control.graph.node_weight(point);
            let effects = match step {
                Some(&Step::Run(id)) => self.effects.get(id.0 as usize),
                _ => None,
            };
            let cost = 1 + effects.map_or(0, |effects| effects.reads.len() + effects.writes.len());
            let Some(left) = budget.checked_sub(cost) else { return StoreUse::MayBeRead };
            *budget = left;
            let step = match step {
                Some(&Step::Run(id)) => self.pass(id, question),
                Some(Step::Exit) if question.is_read_at_the_end => Pass::Uses,
                _ => Pass::On,
            };
            match step {
                Pass::Uses => return StoreUse::MayBeRead,
                Pass::Overwrites(id) => overwritten = overwritten.or(Some(id)),
                Pass::On => open.extend(self.next(point)),
            }
        }
        StoreUse::Dead(overwritten)
    }

    fn next(&self, point: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        self.control.graph.neighbors_directed(point, Direction::Outgoing)
    }

    fn pass(&self, id: ActivityId, question: &StoreQuery<'_, 'p>) -> Pass {
        let (Some(activity), Some(effects)) = (self.workflow.activity(id), self.effects.get(id.0 as usize)) else {
            return Pass::Uses;
        };
        let variable = question.variable;
        let reads = effects.may_read
            || effects.reads.iter().any(|read| read.variable == variable)
            || effects.shows.contains(&variable);
        if reads || question.is_read_at_the_end && may_end_here(activity) {
            Pass::Uses
        } else if (question.overwrites)(activity, effects) {
            Pass::Overwrites(id)
        } else {
            Pass::On
        }
    }
}

enum Pass {
    Uses,
    Overwrites(ActivityId),
    On,
}

/// Whether the workflow may end at an activity: on purpose, or because it fails.
fn may_end_here(activity: &Activity<'_>) -> bool {
    match &activity.kind {
        Kind::Provider(provider) => provider.stops_on_error(),
        Kind::Terminate | Kind::Code(_) => true,
        _ => false,
    }
}
