//! States that arrive at a point: whether they are explored from there.

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::Interpreter;
use crate::graph::control::{Flow, Step};
use crate::graph::program::Program;
use crate::graph::state::AbstractState;
use crate::graph::structure::ShapeKind;
use crate::graph::visited::{MAX_STATES, States, drop_equal};
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

    pub(super) fn enter(&mut self, mut from: NodeIndex, mut to: NodeIndex, mut flow: Flow, state: AbstractState) {
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
        let next = self.program.passing.next(point).or_else(|| self.after_irrelevant(point))?;
        (self.stop != Some(point) && !self.is_queried(point)).then_some(next)
    }

    /// The point after an If, if nothing in it matters to the query.
    pub(super) fn after_irrelevant(&self, point: NodeIndex) -> Option<NodeIndex> {
        let relevance = self.relevance.as_ref()?;
        let &Step::Run(id) = self.program.control.graph.node_weight(point)? else { return None };
        let is_if = self.program.structure.get(id)?.kind == ShapeKind::If;
        (is_if && !relevance.has_condition(id)).then(|| self.program.control.after(id)).flatten()
    }

    /// Whether a query looks at an activity, so that the facts may be others after it.
    fn is_queried(&self, point: NodeIndex) -> bool {
        match self.program.control.graph.node_weight(point) {
            Some(&Step::Run(id)) => self.query.as_deref().is_some_and(|query| query.concerns(id)),
            _ => false,
        }
    }

    fn record_loop_entry(&mut self, id: ActivityId, state: &AbstractState) {
        if self.program.structure.is_loop(id) && !self.skips(id, state) {
            if !self.paths.entries.contains_key(&id) {
                self.held += state.size();
            }
            self.paths.entries.entry(id).and_modify(|known| known.join(state)).or_insert_with(|| state.clone());
        }
    }

    /// Whether the condition of a loop is false in a state, whose variables are set.
    fn skips(&self, id: ActivityId, state: &AbstractState) -> bool {
        let effects = self.program.effects.get(id.0 as usize);
        let condition = effects.and_then(|effects| effects.condition.as_deref());
        let is_set = |variable| state.variable(variable).is_some_and(|known| known.assigned);
        condition.is_some_and(|condition| condition.variables().all(is_set) && state.evaluate(condition) == Some(false))
    }

    /// Adds a state to those that are to be explored from a point.
    pub(super) fn enqueue(&mut self, point: NodeIndex, mut state: AbstractState) {
        // Before the comparison: states that differ only in dead facts become equal.
        self.prune(point, &mut state);
        self.visited.entry(point).or_default();
        self.push(point, state);
        let Some(states) = self.pending.get_mut(&point).filter(|states| is_long(states)) else { return };
        let held = size(states);
        drop_equal(states);
        self.cost += held;
        self.held = self.held + size(states) - held;
    }

    fn prune(&self, point: NodeIndex, state: &mut AbstractState) {
        let Some(relevance) = &self.relevance else { return self.program.liveness.prune(point, state) };
        let is_tested = |slot| relevance.contains(slot) && self.program.liveness.is_tested_later(point, slot);
        state.prune(is_tested, is_tested);
        // Only the findings of the other exploration have to be certain.
        state.merged = false;
    }

    fn push(&mut self, point: NodeIndex, state: AbstractState) {
        self.held += state.size();
        self.pending.entry(point).or_default().push(state);
    }

    /// The states that are explored from a point, of those that have arrived there: none that has been explored already.
    pub(super) fn settle(&mut self, point: NodeIndex, mut states: States) -> States {
        if !self.visited.contains_key(&point) {
            // Those that have passed the points before, which differ.
            return states;
        }
        self.unite(point, &mut states);
        let Some(visited) = self.visited.get_mut(&point) else { return states };
        let held = visited.size + size(&states);
        let states = visited.add(states);
        self.held = self.held + visited.size + size(&states) - held;
        if visited.join.is_some() {
            self.paths.merged.grow_and_insert(point.index());
        }
        states
    }

    /// Replaces states at a point by fewer that stand for the same paths.
    fn unite(&mut self, point: NodeIndex, states: &mut States) {
        let Program { unions, liveness, .. } = self.program;
        if states.len() < 2 || self.keeps_paths {
            return;
        }
        let held = size(states);
        let united = unions.unite(states, |slot| !liveness.is_tested_later(point, slot));
        self.paths.has_unions |= united.values;
        self.cost += united.cost;
        self.held = self.held + size(states) - held;
    }
}

/// Whether so many states wait at a point that equal ones are dropped before it is explored.
fn is_long(states: &States) -> bool {
    states.len() > MAX_STATES && states.len().is_power_of_two()
}

/// In entries.
fn size(states: &States) -> usize {
    states.iter().map(AbstractState::size).sum()
}
