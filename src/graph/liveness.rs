//! Liveness of facts: a backward may-analysis over the control-flow graph.
//!
//! A fact about a variable is live at a point if a path leads from there to a read, or to a condition, that depends on
//! it. The interpreter drops dead facts, so that paths that differ only in these become one state. Writes do not end
//! liveness here. A fact that is kept for too long costs time, but changes no result.
//!
//! Most activities use no variable that is tracked, so that every state passes them unchanged.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::control::{ControlFlow, Flow, Step};
use super::effects::{Effects, VarId, Written};
use super::state::{AbstractState, Slot, Slots};
use crate::common::collections::HashSet;
use crate::model::{Activity, ActivityKind, Workflow};

/// Larger tables are not computed, and every fact then counts as live. In bits.
const MAX_TABLE: usize = 16_000_000;

#[derive(Debug)]
pub struct Liveness {
    /// The number of slots.
    slots: usize,
    /// By point: the slots that are read later, and after them those that are tested later, or copied to a variable that
    /// may be tested. Empty if the table would be too large.
    live: Vec<FixedBitSet>,
}

impl Liveness {
    pub fn new(control: &ControlFlow, slots: &Slots, effects: &[Effects<'_>]) -> Self {
        let (count, points) = (slots.variables().len(), control.graph.node_count());
        let mut liveness = Self { slots: count, live: Vec::new() };
        if count == 0 || count.saturating_mul(2 * points) > MAX_TABLE {
            return liveness;
        }
        liveness.live.resize(points, FixedBitSet::with_capacity(2 * count));
        for (point, live) in control.graph.node_indices().zip(&mut liveness.live) {
            let Some(&Step::Run(id)) = control.graph.node_weight(point) else { continue };
            let Some(effects) = effects.get(id.0 as usize) else { continue };
            let slot = |id: VarId| slots.get(id).map(Slot::index);
            live.extend(effects.reads.iter().filter_map(|read| slot(read.variable)));
            live.extend(tested(effects).filter_map(slot).map(|slot| count + slot));
        }
        // Points are numbered in document order, so that only the ends of loops are visited again.
        let mut open: BTreeSet<NodeIndex> = control.graph.node_indices().collect();
        while let Some(point) = open.pop_last() {
            let Some(later) = liveness.live.get_mut(point.index()).map(std::mem::take) else { continue };
            for predecessor in control.graph.neighbors_directed(point, Direction::Incoming) {
                if let Some(live) = liveness.live.get_mut(predecessor.index()).filter(|_| predecessor != point)
                    && !later.is_subset(live)
                {
                    live.union_with(&later);
                    open.insert(predecessor);
                }
            }
            if let Some(live) = liveness.live.get_mut(point.index()) {
                *live = later;
            }
        }
        liveness
    }

    /// Drops the facts of a state that are dead at a point.
    pub fn prune(&self, point: NodeIndex, state: &mut AbstractState<'_>) {
        state.prune(|slot| self.is_live(point, slot.index()), |slot| self.is_tested_later(point, slot));
    }

    /// Whether a path leads from a point to a condition on a variable, or to a copy of it.
    pub fn is_tested_later(&self, point: NodeIndex, slot: Slot) -> bool {
        self.is_live(point, self.slots + slot.index())
    }

    fn is_live(&self, point: NodeIndex, bit: usize) -> bool {
        self.live.get(point.index()).is_none_or(|live| live.contains(bit))
    }
}

/// The variables that an activity tests, or copies to another one, which may be tested.
pub fn tested<'e>(effects: &'e Effects<'_>) -> impl Iterator<Item = VarId> + 'e {
    let copied = effects.writes.own().iter().filter_map(|write| match write.value {
        Written::Copy(from) => Some(from),
        _ => None,
    });
    effects.condition.iter().flat_map(|condition| condition.variables()).chain(copied)
}

/// By point: the next one, if every state passes the point unchanged and only this one follows. The interpreter does not
/// stop there: states are compared at the next point that changes them. A query may still look at the activity, and have
/// other facts after it.
#[derive(Debug)]
pub struct Passthrough(Vec<Option<NodeIndex>>);

impl Passthrough {
    /// `changing_inputs` as in [`Analysis`](super::Analysis): a state says of outputs whether they have changed since.
    pub fn new(
        control: &ControlFlow,
        workflow: &Workflow<'_>,
        slots: &Slots,
        effects: &[Effects<'_>],
        changing_inputs: &HashSet<VarId>,
    ) -> Self {
        let is_tracked = |variable| slots.get(variable).is_some();
        let is_written = |variable| is_tracked(variable) || changing_inputs.contains(&variable);
        let graph = &control.graph;
        let next = |point: NodeIndex| {
            let changes = match graph.node_weight(point)? {
                Step::Entry | Step::After(_) => false,
                &Step::Run(id) => {
                    !has_only_effects(workflow.activity(id)?)
                        || uses(effects.get(id.0 as usize)?, is_tracked, is_written)
                }
                Step::Decide(..) | Step::TimeOut(..) | Step::Exit => true,
            };
            let mut edges = graph.edges(point).filter(|_| !changes);
            edges.next().filter(|edge| edges.next().is_none() && *edge.weight() == Flow::Next).map(|edge| edge.target())
        };
        Self(graph.node_indices().map(next).collect())
    }

    /// The only point after one that every state passes unchanged.
    pub fn next(&self, point: NodeIndex) -> Option<NodeIndex> {
        self.0.get(point.index()).copied().flatten()
    }
}

/// Whether an activity does nothing but what its effects are.
fn has_only_effects(activity: &Activity<'_>) -> bool {
    match &activity.kind {
        ActivityKind::Provider(provider) => provider.stops_on_error(),
        ActivityKind::While { .. }
        | ActivityKind::If { .. }
        | ActivityKind::Approval(_)
        | ActivityKind::Terminate
        | ActivityKind::Declared { .. } => false,
        _ => true,
    }
}

/// Whether an activity reads or writes a variable of which states know something, or may do so.
fn uses(effects: &Effects<'_>, is_read: impl Fn(VarId) -> bool, is_written: impl Fn(VarId) -> bool) -> bool {
    effects.may_read
        || effects.may_write.is_some()
        || !effects.shows().is_empty()
        || effects.reads.iter().any(|read| is_read(read.variable))
        || effects.writes.iter().any(|write| is_written(write.variable))
}
