//! States that arrive at a point: whether they are explored from there.

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::Interpreter;
use crate::graph::control::{Flow, Step};
use crate::graph::state::AbstractState;
use crate::model::ActivityId;

impl Interpreter<'_, '_> {
    /// Sends a state along all edges of these kinds.
    pub(super) fn propagate(&mut self, point: NodeIndex, flows: &[Flow], state: AbstractState) {
        let control = self.program.control;
        let edges = control.graph.edges_directed(point, Direction::Outgoing);
        let mut edges = edges.filter(|edge| flows.contains(edge.weight())).peekable();
        while let Some(edge) = edges.next() {
            // The last target takes the state itself; most points have one successor.
            if edges.peek().is_none() {
                self.enter(point, edge.target(), *edge.weight(), state);
                return;
            }
            self.enter(point, edge.target(), *edge.weight(), state.clone());
        }
    }

    fn enter(&mut self, mut from: NodeIndex, mut to: NodeIndex, mut flow: Flow, state: AbstractState) {
        loop {
            // An empty body leads from the condition directly back to it.
            let is_repetition = flow == Flow::Back || from == to;
            // Queries do not ask for it.
            if !is_repetition
                && self.query.is_none()
                && let Some(&Step::Run(id)) = self.program.control.graph.node_weight(to)
            {
                self.record_loop_entry(id, &state);
            }
            if is_repetition && self.repeated == Some(to) {
                self.paths.repetition = self.paths.repetition.or(state.trail);
            }
            self.reach(to);
            if !self.program.passing.is_following(to) || self.is_queried(from) {
                return self.enqueue(to, state);
            }
            if self.paths.merged.contains(from.index()) {
                self.paths.merged.grow_and_insert(to.index());
            }
            let Some(next) = self.passed(to) else { return self.push(to, state) };
            self.cost += 1;
            (from, to, flow) = (to, next, Flow::Next);
        }
    }

    pub(super) fn reach(&mut self, point: NodeIndex) {
        self.paths.reached.grow_and_insert(point.index());
        self.has_exit |= self.is_until_exit && (self.stop == Some(point) || self.program.is_terminate(point));
    }

    /// The next point, if nothing happens to a state at a point.
    fn passed(&self, point: NodeIndex) -> Option<NodeIndex> {
        let next = self.program.passing.next(point)?;
        (self.stop != Some(point) && !self.is_queried(point)).then_some(next)
    }

    /// Whether a query looks at an activity, so that the facts may be others after it.
    fn is_queried(&self, point: NodeIndex) -> bool {
        match self.program.control.graph.node_weight(point) {
            Some(&Step::Run(id)) => self.query.as_deref().is_some_and(|query| query.concerns(id)),
            _ => false,
        }
    }

    fn record_loop_entry(&mut self, id: ActivityId, state: &AbstractState) {
        if self.program.structure.is_loop(id) {
            if !self.paths.entries.contains_key(&id) {
                self.held += state.size();
            }
            self.paths.entries.entry(id).and_modify(|known| known.join(state)).or_insert_with(|| state.clone());
        }
    }

    /// Adds a state to the worklist unless an equal one has already reached the point.
    pub(super) fn enqueue(&mut self, point: NodeIndex, mut state: AbstractState) {
        // Before the comparison: states that differ only in dead facts become equal.
        self.program.liveness.prune(point, &mut state);
        let visited = self.visited.entry(point).or_default();
        let size = visited.size;
        let added = visited.add(state);
        self.held = self.held + visited.size - size;
        if visited.join.is_some() {
            self.paths.merged.grow_and_insert(point.index());
        }
        if let Some(state) = added {
            self.push(point, state);
        }
    }

    fn push(&mut self, point: NodeIndex, state: AbstractState) {
        self.held += state.size();
        self.pending.entry(point).or_default().push(state);
    }
}
