//! The abstract interpreter: a worklist algorithm over the control-flow graph (docs/how-it-thinks.md, Flow).
//!
//! The domain at a point is a powerset: one abstract state for each different set of facts that paths bring there, so
//! that conditions on the same variable stay correlated. States are united where that loses nothing (`unions`). Past a
//! limit the set is widened to the join of its states, and rules that need certainty report nothing there. `transfer`
//! says what an activity does to a state.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::analysis::Analysis;
use super::control::{Flow, Step};
use super::effects::{Condition, VarId};
use super::path_query::PathQuery;
use super::paths::{Paths, Reason};
use super::program_slice::ProgramSlice;
use super::refinement::decides;
use super::state::{AbstractState, Decision, FactOrigin};
use super::state_sets::{States, Visited};
use super::value::Constant;
use crate::common::limits::{MAX_FACTS, MAX_SEARCH_STEPS, MAX_STATES, max_held_facts};
use crate::model::{Activity, ActivityId, ActivityKind};

/// Reasons that are kept of one condition.
const MAX_REASONS: usize = 8;
/// Decisions of a path that are searched for the reason of a condition.
const MAX_STEPS_BACK: usize = 256;
/// A case status that every lookup returns, to find out whether a loop handles it.
#[derive(Debug, Clone, Copy)]
pub struct FixedStatus<'p> {
    pub variable: VarId,
    pub status: Constant<'p>,
}

pub struct Interpreter<'a, 'p> {
    pub(super) analysis: &'a Analysis<'p>,
    pub(super) fixed: &'a [FixedStatus<'p>],
    query: Option<&'a mut dyn PathQuery>,
    /// What the answer to the query depends on.
    slice: Option<ProgramSlice>,
    /// Whether paths are kept apart with their decisions, which explain what is found.
    pub(super) keeps_paths: bool,
    /// Reaching this point ends a path.
    stop: Option<NodeIndex>,
    /// The condition of the loop that is explored.
    repeated: Option<NodeIndex>,
    /// Whether the first path that leaves the loop, or ends the order in it, ends the exploration.
    is_until_exit: bool,
    has_exit: bool,
    pub(super) paths: Paths<'p>,
    visited: BTreeMap<NodeIndex, Visited<'p>>,
    /// The states that are still to be explored, by the point that they have reached.
    pending: BTreeMap<NodeIndex, States<'p>>,
    /// The entries of the states in both.
    held: usize,
    max_held: usize,
    cost: usize,
    max_cost: usize,
    /// States at one point that are kept apart.
    max_states: usize,
}

impl<'a, 'p> Interpreter<'a, 'p> {
    pub fn new(analysis: &'a Analysis<'p>) -> Self {
        let document = analysis.document;
        let points = analysis.control.graph.node_count();
        Self {
            analysis,
            fixed: &[],
            query: None,
            slice: None,
            keeps_paths: false,
            stop: None,
            repeated: None,
            is_until_exit: false,
            has_exit: false,
            // Of the right size: there may be very many small workflows.
            paths: Paths { reached: FixedBitSet::with_capacity(points), ..Paths::default() },
            visited: BTreeMap::new(),
            pending: BTreeMap::new(),
            held: 0,
            max_held: max_held_facts(document.span(document.root()).range().len()),
            cost: 0,
            max_cost: MAX_FACTS,
            max_states: MAX_STATES,
        }
    }

    /// Keeps paths apart with their decisions, within a smaller budget.
    pub fn explaining(self) -> Self {
        Self { keeps_paths: true, max_cost: MAX_SEARCH_STEPS, ..self }
    }

    /// Explores all paths from the entry of the workflow.
    pub fn run(mut self) -> Paths<'p> {
        self.begin(self.analysis.start.clone());
        self.run_worklist();
        self.paths
    }

    /// Keeps one state at each point, which all paths to it share.
    pub fn merging(self) -> Self {
        Self { max_states: 1, ..self }
    }

    /// Explores all paths from the entry of the workflow with a query, and reduces `budget` by what it took. Returns whether
    /// it has followed all, or until nothing more could be found out.
    pub fn run_query(mut self, query: &'a mut dyn PathQuery, budget: &mut usize) -> bool {
        let mut start = self.analysis.start.clone();
        query.start(&mut start.facts);
        if self.max_states > 1 {
            self.slice.get_or_insert_with(|| ProgramSlice::new(self.analysis, query));
        }
        self.query = Some(query);
        self.max_cost = *budget;
        self.begin(start);
        self.run_worklist();
        *budget = budget.saturating_sub(self.cost);
        !self.paths.is_incomplete
    }

    fn begin(&mut self, start: AbstractState<'p>) {
        let entry = self.analysis.control.entry;
        self.reach(entry);
        self.enqueue(entry, start);
    }

    #[cfg(test)]
    pub fn within(self, max_cost: usize) -> Self {
        Self { max_cost, ..self }
    }

    /// Follows all conditions of a query.
    #[cfg(test)]
    pub fn unsliced(self) -> Self {
        Self { slice: Some(ProgramSlice::of_all(self.analysis)), ..self }
    }

    /// Asks only whether a path leaves a loop, or ends the order in it: the exploration ends with the first that does, and
    /// knows nothing of the others.
    pub fn until_exit(self) -> Self {
        Self { is_until_exit: true, ..self }
    }

    /// Explores the paths from the start of a loop's body until they leave the loop, with the lookups returning
    /// `fixed` (docs/how-it-thinks.md, Case status).
    pub fn run_loop(
        mut self,
        activity: ActivityId,
        start: AbstractState<'p>,
        fixed: &'a [FixedStatus<'p>],
    ) -> Paths<'p> {
        self.keeps_paths = true;
        self.fixed = fixed;
        self.stop = self.analysis.control.after(activity);
        self.repeated = self.analysis.control.point(activity);
        if let Some(point) = self.analysis.control.point(activity) {
            self.propagate(point, &[Flow::True], start);
        }
        self.run_worklist();
        self.paths
    }

    fn run_worklist(&mut self) {
        // Points are numbered in document order, so the body of a loop reaches its fixpoint before what comes after
        // the loop runs, and few states are explored twice.
        while let Some((point, states)) = self.pending.pop_first() {
            self.forget_before(point);
            self.held -= states.iter().map(AbstractState::size).sum::<usize>();
            for state in self.settle(point, states) {
                self.cost += state.size();
                if self.cost > self.max_cost || self.held > self.max_held {
                    self.paths.is_incomplete = true;
                    return;
                }
                self.execute(point, state);
                if self.has_exit || self.query.as_deref().is_some_and(PathQuery::is_done) {
                    return;
                }
            }
        }
    }

    /// Frees the states of the points that no path reaches again: those before the outermost loop around a point.
    fn forget_before(&mut self, point: NodeIndex) {
        let start = self.analysis.control.start_of_loops(point);
        while let Some(first) = self.visited.first_entry().filter(|first| *first.key() < start) {
            self.held -= first.remove().size();
        }
    }

    /// The states that are explored from a point, of those that have arrived there: none that has been explored already.
    fn settle(&mut self, point: NodeIndex, mut states: States<'p>) -> States<'p> {
        if !self.keeps_paths {
            let Analysis { unions, liveness, .. } = self.analysis;
            let united = unions.unite(&mut states, |slot| !liveness.is_tested_later(point, slot));
            self.paths.has_unions |= united.values;
            self.cost += united.cost;
        }
        let visited = self.visited.entry(point).or_default();
        let before = visited.size();
        let states = visited.add(states, self.max_states);
        self.held = self.held + visited.size() - before;
        if visited.is_joined {
            self.paths.merged.grow_and_insert(point.index());
        }
        states
    }

    /// Sends a state along all edges of these kinds.
    fn propagate(&mut self, point: NodeIndex, flows: &[Flow], state: AbstractState<'p>) {
        let mut edges =
            self.analysis.control.graph.edges(point).filter(|edge| flows.contains(edge.weight())).peekable();
        while let Some(edge) = edges.next() {
            // The last target takes the state itself; most points have one successor.
            if edges.peek().is_none() {
                self.enter(point, edge.target(), *edge.weight(), state);
                return;
            }
            self.enter(point, edge.target(), *edge.weight(), state.clone());
        }
    }

    fn enter(&mut self, mut from: NodeIndex, mut to: NodeIndex, mut flow: Flow, state: AbstractState<'p>) {
        loop {
            // An empty body leads from the condition directly back to it.
            let is_repetition = flow == Flow::Back || from == to;
            if is_repetition && self.repeated == Some(to) {
                self.paths.repetition.get_or_insert_with(|| state.trail.clone());
            }
            if !is_repetition {
                self.record_loop_entry(to, &state);
            }
            self.reach(to);
            let Some(next) = self.passed(to) else { return self.enqueue(to, state) };
            if self.paths.merged.contains(from.index()) {
                self.paths.merged.grow_and_insert(to.index());
            }
            self.cost += 1;
            (from, to, flow) = (to, next, Flow::Next);
        }
    }

    fn reach(&mut self, point: NodeIndex) {
        self.paths.reached.grow_and_insert(point.index());
        let is_exit = |activity: &Activity<'_>| matches!(activity.kind, ActivityKind::Terminate);
        self.has_exit |= self.is_until_exit && (self.stop == Some(point) || self.run_at(point).is_some_and(is_exit));
    }

    /// The activity that runs at a point.
    fn run_at(&self, point: NodeIndex) -> Option<&'a Activity<'p>> {
        match self.analysis.control.graph.node_weight(point) {
            Some(&Step::Run(id)) => self.analysis.workflow.activity(id),
            _ => None,
        }
    }

    /// The next point, if nothing happens to a state at a point.
    fn passed(&self, point: NodeIndex) -> Option<NodeIndex> {
        let next = self.analysis.passthrough.next(point).or_else(|| self.after_irrelevant(point))?;
        let is_queried = |activity: &Activity<'_>| {
            // The facts may be others after it.
            self.query.as_deref().is_some_and(|query| query.concerns(activity.id))
        };
        (self.stop != Some(point) && !self.run_at(point).is_some_and(is_queried)).then_some(next)
    }

    /// The point after an If, if nothing in it matters to the query.
    fn after_irrelevant(&self, point: NodeIndex) -> Option<NodeIndex> {
        let slice = self.slice.as_ref()?;
        let activity = self.run_at(point)?;
        let is_irrelevant = matches!(activity.kind, ActivityKind::If { .. }) && !slice.has_condition(activity.id);
        is_irrelevant.then(|| self.analysis.control.after(activity.id)).flatten()
    }

    fn record_loop_entry(&mut self, point: NodeIndex, state: &AbstractState<'p>) {
        let is_loop = |activity: &&Activity<'_>| matches!(activity.kind, ActivityKind::While { .. });
        // Queries do not ask for it.
        let Some(id) = self.run_at(point).filter(is_loop).filter(|_| self.query.is_none()).map(|it| it.id) else {
            return;
        };
        // A condition whose variables are set, and that is false, skips the loop.
        let is_set = |variable| state.variable(variable).is_some_and(|known| known.assigned);
        let condition = self.analysis.effects(id).and_then(|effects| effects.condition.as_deref());
        if condition.is_some_and(|it| it.variables().all(is_set) && state.evaluate(it) == Some(false)) {
            return;
        }
        if !self.paths.entries.contains_key(&id) {
            self.held += state.size();
        }
        self.paths.entries.entry(id).and_modify(|known| known.join(state)).or_insert_with(|| state.clone());
    }

    /// Adds a state to those that are to be explored from a point.
    fn enqueue(&mut self, point: NodeIndex, mut state: AbstractState<'p>) {
        // Before the comparison: states that differ only in dead facts become equal.
        let liveness = &self.analysis.liveness;
        if let Some(slice) = &self.slice {
            let is_tested = |slot| slice.contains(slot) && liveness.is_tested_later(point, slot);
            state.prune(is_tested, is_tested);
            // Only the findings of the other exploration have to be certain.
            state.merged = false;
        } else {
            liveness.prune(point, &mut state);
        }
        self.held += state.size();
        self.pending.entry(point).or_default().push(state);
    }

    fn execute(&mut self, point: NodeIndex, mut state: AbstractState<'p>) {
        let is_over = |query: &dyn PathQuery| query.is_over(point, &state.facts);
        if Some(point) == self.stop || self.query.as_deref().is_some_and(is_over) {
            return;
        }
        if let Some(next) = self.after_irrelevant(point) {
            return self.enter(point, next, Flow::Next, state);
        }
        match self.analysis.control.graph.node_weight(point) {
            Some(&Step::Run(id)) => self.run_activity(point, id, state),
            Some(&Step::Decide(id, approved)) => {
                self.decide(id, approved, &mut state);
                self.propagate(point, &[Flow::Next], state);
            }
            Some(&Step::TimeOut(id, approved)) => {
                self.time_out(id, approved, &mut state);
                self.propagate(point, &[Flow::Next], state);
            }
            Some(Step::Exit) => {
                if let Some(query) = &mut self.query {
                    query.exit(&state.facts);
                }
            }
            _ => self.propagate(point, &[Flow::Next, Flow::Back], state),
        }
    }

    fn run_activity(&mut self, point: NodeIndex, id: ActivityId, mut state: AbstractState<'p>) {
        let analysis = self.analysis;
        let (Some(activity), Some(effects)) = (analysis.workflow.activity(id), analysis.effects(id)) else { return };
        let unset_operands = self.read(activity, effects, &mut state);
        match &activity.kind {
            ActivityKind::While { .. } | ActivityKind::If { .. } => {
                self.query_run(id, false, &mut state);
                let condition = effects.condition.as_deref();
                let on_unset = condition.and_then(|condition| state.evaluate_unset(condition, &unset_operands));
                self.branch(point, activity, condition.filter(|_| unset_operands.is_empty()), on_unset, &state);
            }
            // With `stopOnError` false, a failed call is a path of its own on which no output is written
            // (docs/platform.md, Provider activity). Otherwise a failure ends the order, so that path does not exist. A
            // lookup with a fixed status succeeds.
            ActivityKind::Provider(provider) if !provider.stops_on_error() && !self.writes_fixed_status(effects) => {
                let mut failed = state.clone();
                self.record_decision(id, false, &mut failed);
                self.write_failure(id, effects, &mut failed);
                self.query_run(id, true, &mut failed);
                self.propagate(point, &[Flow::Next, Flow::Back], failed);
                self.record_decision(id, true, &mut state);
                self.query_run(id, false, &mut state);
                self.write(activity, effects, &mut state);
                self.propagate(point, &[Flow::Next, Flow::Back], state);
            }
            _ => {
                self.query_run(id, false, &mut state);
                self.write(activity, effects, &mut state);
                self.propagate(point, &[Flow::Next, Flow::Back], state);
            }
        }
    }

    pub(super) const fn is_query(&self) -> bool {
        self.query.is_some()
    }

    fn query_run(&mut self, id: ActivityId, failed: bool, state: &mut AbstractState<'p>) {
        if let Some(query) = &mut self.query {
            query.run(id, failed, &mut state.facts);
        }
    }

    /// Propagates a state past a condition: along one edge if the condition is decided in this state, otherwise along
    /// both. `on_unset` is what a condition decides whose variables are unset. It is followed along both edges, as another
    /// finding reports the variables.
    fn branch(
        &mut self,
        point: NodeIndex,
        activity: &Activity<'p>,
        condition: Option<&Condition<'p>>,
        on_unset: Option<bool>,
        state: &AbstractState<'p>,
    ) {
        let id = activity.id;
        let outcome = condition.and_then(|condition| state.evaluate(condition));
        let outcomes = self.paths.outcomes.entry(id).or_default();
        match outcome {
            Some(true) => outcomes.is_true = true,
            Some(false) => outcomes.is_false = true,
            None => outcomes.undecided = true,
        }
        if let Some(condition) = condition.filter(|_| outcome.is_some() && self.keeps_paths) {
            self.record_reasons(id, condition, state);
        }
        for (flow, holds) in [(Flow::True, true), (Flow::False, false)] {
            if outcome.is_some_and(|outcome| outcome != holds) {
                continue;
            }
            let mut state = state.clone();
            if let Some(condition) = condition {
                // What correlates this condition with later ones on the same variables.
                state.assume(condition, holds);
                state.merged |= state.excludes_all_choices(condition, &self.analysis.choices);
            }
            if on_unset.is_some_and(|decided| decided != holds) {
                self.assign_all(&mut state);
            }
            if let Some(query) = &mut self.query {
                query.branch(id, holds, &mut state.facts);
            }
            // What runs inside: children that cannot be read may write every variable.
            if holds && activity.children.is_unknown() {
                self.write_unknown("", &mut state);
            }
            self.record_decision(id, holds, &mut state);
            self.propagate(point, &[flow], state);
        }
    }

    /// Records what the outcome of a condition is known from.
    fn record_reasons(&mut self, id: ActivityId, condition: &Condition<'p>, state: &AbstractState<'p>) {
        for (variable, origin) in state.origins(condition) {
            let reason = match origin {
                FactOrigin::Start => Some(Reason::Start(variable)),
                FactOrigin::Write(by) => Some(Reason::Write(variable, by)),
                FactOrigin::Test => self.deciding_test(variable, condition, state),
            };
            let reasons = self.paths.reasons.entry(id).or_default();
            if reasons.len() < MAX_REASONS {
                reasons.extend(reason);
            }
        }
    }

    /// The last condition on a path whose outcome decides this one by what it says of a variable.
    fn deciding_test(
        &mut self,
        variable: VarId,
        condition: &Condition<'_>,
        state: &AbstractState<'_>,
    ) -> Option<Reason> {
        let mut steps = 0;
        let found = state.trail.decisions().take(MAX_STEPS_BACK).find(|decision| {
            steps += 1;
            let effects = self.analysis.effects(decision.activity);
            let test = effects.and_then(|effects| effects.condition.as_deref());
            test.is_some_and(|test| decides(test, decision.outcome, variable, condition))
        });
        self.cost += steps;
        found.map(|decision| Reason::Test(decision.activity, decision.outcome))
    }

    pub(super) fn record_decision(&mut self, activity: ActivityId, outcome: bool, state: &mut AbstractState<'p>) {
        if self.keeps_paths {
            state.trail.push(Decision { activity, outcome });
        }
    }
}
