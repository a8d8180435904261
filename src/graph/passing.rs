//! Points that every state passes unchanged: most activities use no variable that is tracked.
//!
//! The interpreter does not stop there. After such a point it does not compare states either, unless other paths lead to
//! the next point as well: they differ as before.

use fixedbitset::FixedBitSet;
use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::control::{ControlFlow, Flow, Step};
use super::effects::Effects;
use super::slots::Slots;
use super::structure::{ShapeKind, Structure};

#[derive(Debug)]
pub struct Passing {
    /// By point: the next one, if every state passes the point unchanged and only this one follows.
    next: Vec<Option<NodeIndex>>,
    /// Points that only one such point leads to.
    following: FixedBitSet,
}

impl Passing {
    pub fn new(control: &ControlFlow, structure: &Structure, slots: &Slots, effects: &[Effects<'_>]) -> Self {
        let graph = &control.graph;
        let next = |point: NodeIndex| {
            let changes = match graph.node_weight(point)? {
                Step::Entry | Step::After(_) => false,
                &Step::Run(id) => {
                    let kind = structure.get(id)?.kind;
                    !is_simple(kind) || uses_tracked(effects.get(id.0 as usize)?, slots)
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

/// Whether an activity reads or writes a tracked variable, or may do so.
fn uses_tracked(effects: &Effects<'_>, slots: &Slots) -> bool {
    let is_tracked = |variable| slots.get(variable).is_some();
    effects.may_read
        || effects.may_write.is_some()
        || !effects.shows().is_empty()
        || effects.reads.iter().any(|read| is_tracked(read.variable))
        || effects.writes.iter().any(|write| is_tracked(write.variable))
}
