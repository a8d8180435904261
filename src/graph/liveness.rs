//! Liveness of facts: a backward may-analysis over the control-flow graph.
//!
//! A fact about a variable is live at a point if a path leads from there to a read, or to a condition, that depends on
//! it. The interpreter drops dead facts, so that paths that differ only in these become one state. Writes do not end
//! liveness here. A fact that is kept for too long costs time, but changes no result.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use petgraph::Direction;
use petgraph::graph::NodeIndex;

use super::control::{ControlFlow, Step};
use super::effects::{Effects, VarId, Written};
use super::state::{AbstractState, Slot, Slots};

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
