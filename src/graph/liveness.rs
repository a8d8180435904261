//! Which knowledge of a variable can still be of use at a point: paths that differ in nothing else
//! are one.

use std::rc::Rc;

use petgraph::Direction;
use petgraph::graph::NodeIndex;

use super::control::{ControlFlow, Step};
use super::effects::{Condition, Effects, VarId, Written};
use super::slots::{Slot, Slots};
use super::state::AbstractState;

/// Tables of more entries than this are not made; everything then counts as of use.
const MAX_TABLE: usize = 16_000_000;

/// By point and slot: whether a read, or a condition, can come later.
#[derive(Debug)]
pub struct Liveness {
    slots: Rc<Slots>,
    read_later: Vec<bool>,
    tested_later: Vec<bool>,
}

impl Liveness {
    /// The tables of a workflow.
    pub fn new(control: &ControlFlow, slots: Rc<Slots>, effects: &[Effects<'_>]) -> Self {
        let points = control.graph.node_count();
        let mut found = Self { slots, read_later: Vec::new(), tested_later: Vec::new() };
        if found.slots.variables().len().saturating_mul(points) <= MAX_TABLE {
            let (reads, tests) = found.uses(control, effects);
            found.read_later = found.backwards(control, reads);
            found.tested_later = found.backwards(control, tests);
        }
        found
    }

    /// Drops from a state what is of no use from a point on.
    pub fn prune(&self, point: NodeIndex, state: &mut AbstractState) {
        let row = point.index() * self.slots.variables().len();
        let of_use = |table: &[bool], slot: Slot| table.get(row + slot.index()).copied().unwrap_or(true);
        state.prune(|slot| of_use(&self.read_later, slot), |slot| of_use(&self.tested_later, slot));
    }

    /// Where variables are read, and where their values decide a condition, possibly as copies.
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

    /// Marks, for each use, every point from which it can be reached.
    fn backwards(&self, control: &ControlFlow, uses: Uses) -> Vec<bool> {
        let slots = self.slots.variables().len();
        let mut table = vec![false; slots * control.graph.node_count()];
        let mut open: Uses = Vec::new();
        let mut mark = |point: NodeIndex, slot: Slot, open: &mut Uses| {
            if let Some(entry) = table.get_mut(point.index() * slots + slot.index())
                && !std::mem::replace(entry, true)
            {
                open.push((point, slot));
            }
        };
        for (point, slot) in uses {
            mark(point, slot, &mut open);
        }
        while let Some((point, slot)) = open.pop() {
            for before in control.graph.neighbors_directed(point, Direction::Incoming) {
                mark(before, slot, &mut open);
            }
        }
        table
    }
}

type Uses = Vec<(NodeIndex, Slot)>;

/// The variables whose value an activity tests, or copies to one that something may test.
pub fn tested<'e>(effects: &'e Effects<'_>) -> impl Iterator<Item = VarId> + 'e {
    let copied = effects.writes.iter().filter_map(|write| match write.value {
        Written::Copy(from) => Some(from),
        _ => None,
    });
    effects.condition.iter().flat_map(Condition::variables).chain(copied)
}
