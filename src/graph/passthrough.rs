//! Points that every state passes unchanged: most activities use no variable that is tracked.
//!
//! The interpreter does not stop there: states are compared at the next point that changes them. A query may still look at
//! the activity, and have other facts after it.

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::control::{ControlFlow, Flow, Step};
use super::effects::{Effects, VarId};
use super::state::Slots;
use crate::collections::HashSet;
use crate::model::{Activity, ActivityKind, Workflow};

/// By point: the next one, if every state passes the point unchanged and only this one follows.
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
