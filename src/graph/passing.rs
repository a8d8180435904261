//! Points that every state passes unchanged: most activities use no variable that is tracked.
//!
//! The interpreter does not stop there. After such a point it does not compare states either, unless other paths lead to
//! the next point as well: they differ as before. A query may still look at the activity, and have other facts after it.

use fixedbitset::FixedBitSet;
use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::control::{ControlFlow, Flow, Step};
use super::effects::{Effects, VarId};
use super::slots::Slots;
use super::structure::{ShapeKind, Structure};
use crate::collections::HashSet;

#[derive(Debug)]
pub struct Passing {
    /// By point: the next one, if every state passes the point unchanged and only this one follows.
    next: Vec<Option<NodeIndex>>,
    /// Points that only one such point leads to.
    following: FixedBitSet,
}

impl Passing {
    /// `changing_inputs` as in [`Program`](super::program::Program): a state says of outputs whether they have changed since.
    pub fn new(
        control: &ControlFlow,
        structure: &Structure,
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
                    let kind = structure.get(id)?.kind;
                    !is_simple(kind) || uses(effects.get(id.0 as usize)?, is_tracked, is_written)
                }
                Step::Decide(..) | Step::TimeOut(..) | Step::Exit => true,
            };
            let mut edges = graph.edges(point).filter(|_| !changes);
            edges.next().filter(|edge| edges.next().is_none() && *edge.weight() == Flow::Next).map(|edge| edge.target())
        };
        let next: Vec<Option<NodeIndex>> = graph.node_indices().map(next).collect();
        let only_one = |point: &NodeIndex| graph.edges_directed(*point, Direction::Incoming).count() == 1;
        let following = next.iter().flatten().filter(|point| only_one(point)).map(|point| point.index()).collect();
        Self { next, following }
    }

    /// The only point after one that every state passes unchanged.
    pub fn next(&self, point: NodeIndex) -> Option<NodeIndex> {
        self.next.get(point.index()).copied().flatten()
    }

    /// Whether all states at a point come from one point that they have passed unchanged.
    pub fn is_following(&self, point: NodeIndex) -> bool {
        self.following.contains(point.index())
    }
}

/// Whether an activity of this kind does nothing but what its effects are.
const fn is_simple(kind: ShapeKind) -> bool {
    matches!(kind, ShapeKind::Provider { stops_on_error: true } | ShapeKind::Other(_))
}

/// Whether an activity reads or writes a variable of which states know something, or may do so.
fn uses(effects: &Effects<'_>, is_read: impl Fn(VarId) -> bool, is_written: impl Fn(VarId) -> bool) -> bool {
    effects.may_read
        || effects.may_write.is_some()
        || !effects.shows().is_empty()
        || effects.reads.iter().any(|read| is_read(read.variable))
        || effects.writes.iter().any(|write| is_written(write.variable))
}
