//! Liveness of facts: a backward may-analysis over the control-flow graph.
//!
//! A fact about a variable is live at a point if a path leads from there to a read, or to a condition, that depends on
//! it. The interpreter drops dead facts, so that paths that differ only in these become one state. Writes do not end
//! liveness here. A fact that is kept for too long costs time, but changes no result.

use std::collections::BTreeSet;

use petgraph::Direction;
use petgraph::graph::NodeIndex;

use super::control::{ControlFlow, Step};
use super::effects::{Effects, VarId, Written};
use super::slots::{Slot, Slots};
use super::state::AbstractState;

/// Larger tables are not computed, and every fact then counts as live. In bits.
const MAX_TABLE: usize = 16_000_000;

#[derive(Debug)]
pub struct Liveness {
    /// Whether a path leads to a read of the variable.
    read_later: Table,
    /// Whether a path leads to a condition on it, or to a copy, which may be tested.
    tested_later: Table,
}

/// A set of slots for each point; without rows, all slots of all points.
#[derive(Debug, Default)]
struct Table {
    words: Vec<u64>,
    /// Words of each point.
    row: usize,
}

impl Liveness {
    pub fn new(control: &ControlFlow, slots: &Slots, effects: &[Effects<'_>]) -> Self {
        let points = control.graph.node_count();
        if slots.variables().len().saturating_mul(points) > MAX_TABLE {
            return Self { read_later: Table::default(), tested_later: Table::default() };
        }
        let (reads, tests) = uses(control, slots, effects);
        Self { read_later: Table::new(control, slots, &reads), tested_later: Table::new(control, slots, &tests) }
    }

    /// Drops the facts of a state that are dead at a point.
    pub fn prune(&self, point: NodeIndex, state: &mut AbstractState) {
        state.prune(|slot| self.read_later.contains(point, slot), |slot| self.is_tested_later(point, slot));
    }

    /// Whether a path leads from a point to a condition on a variable, or to a copy of it.
    pub fn is_tested_later(&self, point: NodeIndex, slot: Slot) -> bool {
        self.tested_later.contains(point, slot)
    }
}

impl Table {
    /// Marks every point from which a use can be reached: a worklist algorithm along the edges in reverse.
    fn new(control: &ControlFlow, slots: &Slots, uses: &Uses) -> Self {
        let row = slots.variables().len().div_ceil(u64::BITS as usize);
        let mut table = Self { words: vec![0; row * control.graph.node_count()], row };
        for &(point, slot) in uses {
            table.insert(point, slot);
        }
        // Points are numbered in document order, so few have to be visited again: the ends of loops.
        let mut again = BTreeSet::new();
        for point in control.graph.node_indices().rev() {
            table.visit(control, point, |predecessor| {
                if predecessor >= point {
                    again.insert(predecessor);
                }
            });
        }
        while let Some(point) = again.pop_last() {
            table.visit(control, point, |predecessor| {
                again.insert(predecessor);
            });
        }
        table
    }

    /// Adds the uses after a point to its predecessors, and calls a function with those that did not have all of them.
    fn visit(&mut self, control: &ControlFlow, point: NodeIndex, mut grown: impl FnMut(NodeIndex)) {
        for predecessor in control.graph.neighbors_directed(point, Direction::Incoming) {
            if self.merge(point, predecessor) {
                grown(predecessor);
            }
        }
    }

    fn insert(&mut self, point: NodeIndex, slot: Slot) {
        let (word, bit) = self.place(point, slot);
        if let Some(word) = self.words.get_mut(word) {
            *word |= bit;
        }
    }

    /// Adds the slots of one point to those of another. Returns whether that adds any.
    fn merge(&mut self, from: NodeIndex, to: NodeIndex) -> bool {
        let mut grows = false;
        for index in 0..self.row {
            let added = self.words.get(from.index() * self.row + index).copied().unwrap_or(0);
            if let Some(word) = self.words.get_mut(to.index() * self.row + index) {
                grows |= added & !*word != 0;
                *word |= added;
            }
        }
        grows
    }

    fn contains(&self, point: NodeIndex, slot: Slot) -> bool {
        let (word, bit) = self.place(point, slot);
        self.words.get(word).is_none_or(|word| word & bit != 0)
    }

    /// The index of the word, and the bit in it.
    fn place(&self, point: NodeIndex, slot: Slot) -> (usize, u64) {
        let bits = u64::BITS as usize;
        (point.index() * self.row + slot.index() / bits, 1 << (slot.index() % bits))
    }
}

/// The points that read a variable, and those that test or copy it.
fn uses(control: &ControlFlow, slots: &Slots, effects: &[Effects<'_>]) -> (Uses, Uses) {
    let (mut reads, mut tests) = (Uses::new(), Uses::new());
    for point in control.graph.node_indices() {
        let Some(&Step::Run(id)) = control.graph.node_weight(point) else { continue };
        let Some(effects) = effects.get(id.0 as usize) else { continue };
        let at = |id: VarId| slots.get(id).map(|slot| (point, slot));
        reads.extend(effects.reads.iter().filter_map(|read| at(read.variable)));
        tests.extend(tested(effects).filter_map(at));
    }
    (reads, tests)
}

type Uses = Vec<(NodeIndex, Slot)>;

/// The variables that an activity tests, or copies to another one, which may be tested.
pub fn tested<'e>(effects: &'e Effects<'_>) -> impl Iterator<Item = VarId> + 'e {
    let copied = effects.writes.own().iter().filter_map(|write| match write.value {
        Written::Copy(from) => Some(from),
        _ => None,
    });
    effects.condition.iter().flat_map(|condition| condition.variables()).chain(copied)
}
