//! Liveness of facts: a backward may-analysis over the control-flow graph.
//!
//! A fact about a variable is live at a point if a path leads from there to a read, or to a condition, that depends on
//! it. The interpreter drops dead facts, so that paths that differ only in these become one state. Writes do not end
//! liveness here. A fact that is kept for too long costs time, but changes no result.

use std::rc::Rc;

use petgraph::Direction;
use petgraph::graph::NodeIndex;

use super::control::{ControlFlow, Step};
use super::effects::{Condition, Effects, VarId, Written};
use super::slots::{Slot, Slots};
use super::state::AbstractState;

/// Larger tables are not computed, and every fact then counts as live.
const MAX_TABLE: usize = 16_000_000;

/// Tables by point and slot.
#[derive(Debug)]
pub struct Liveness {
    slots: Rc<Slots>,
    /// Whether a path leads to a read of the variable.
    read_later: Vec<bool>,
    /// Whether a path leads to a condition on it, or to a copy, which may be tested.
    tested_later: Vec<bool>,
}

impl Liveness {
    pub fn new(control: &ControlFlow, slots: Rc<Slots>, effects: &[Effects<'_>]) -> Self {
        let points = control.graph.node_count();
        let mut liveness = Self { slots, read_later: Vec::new(), tested_later: Vec::new() };
        if liveness.slots.variables().len().saturating_mul(points) <= MAX_TABLE {
            let (reads, tests) = liveness.uses(control, effects);
            liveness.read_later = liveness.propagate_backward(control, reads);
            liveness.tested_later = liveness.propagate_backward(control, tests);
        }
        liveness
    }

    /// Drops the facts of a state that are dead at a point.
    pub fn prune(&self, point: NodeIndex, state: &mut AbstractState) {
        let row = point.index() * self.slots.variables().len();
        let is_live = |table: &[bool], slot: Slot| table.get(row + slot.index()).copied().unwrap_or(true);
        state.prune(|slot| is_live(&self.read_later, slot), |slot| is_live(&self.tested_later, slot));
    }

    /// The points that read a variable, and those that test or copy it.
    fn uses(&self, control: &ControlFlow, effects: &[Effects<'_>]) -> (Uses, Uses) {
        let (mut reads, mut tests) = (Uses::new(), Uses::new());
        for point in control.graph.node_indices() {
            let Some(&Step::Run(id)) = control.graph.node_weight(point) else { continue };
            let Some(effects) = effects.get(id.0 as usize) else { continue };
            let at = |id: VarId| self.slots.get(id).map(|slot| (point, slot));
            reads.extend(effects.reads.iter().filter_map(|read| at(read.variable)));
            tests.extend(tested(effects).filter_map(at));
        }
        (reads, tests)
    }

    /// Marks every point from which a use can be reached: a worklist algorithm along the edges in reverse.
    fn propagate_backward(&self, control: &ControlFlow, uses: Uses) -> Vec<bool> {
        let slots = self.slots.variables().len();
        let mut table = vec![false; slots * control.graph.node_count()];
        let mut worklist: Uses = Vec::new();
        let mut mark = |point: NodeIndex, slot: Slot, worklist: &mut Uses| {
            // An entry is marked, and put on the worklist, at most once.
            if let Some(entry) = table.get_mut(point.index() * slots + slot.index())
                && !std::mem::replace(entry, true)
            {
                worklist.push((point, slot));
            }
        };
        for (point, slot) in uses {
            mark(point, slot, &mut worklist);
        }
        while let Some((point, slot)) = worklist.pop() {
            for predecessor in control.graph.neighbors_directed(point, Direction::Incoming) {
                mark(predecessor, slot, &mut worklist);
            }
        }
        table
    }
}

type Uses = Vec<(NodeIndex, Slot)>;

/// The variables that an activity tests, or copies to another one, which may be tested.
pub fn tested<'e>(effects: &'e Effects<'_>) -> impl Iterator<Item = VarId> + 'e {
    let copied = effects.writes.iter().filter_map(|write| match write.value {
        Written::Copy(from) => Some(from),
        _ => None,
    });
    effects.condition.iter().flat_map(Condition::variables).chain(copied)
}
