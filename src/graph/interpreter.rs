//! The abstract interpreter: a worklist algorithm over the control-flow graph (docs/concepts.md, Flow).
//!
//! The domain at a point is a powerset: one abstract state for each different set of facts that paths bring there, so
//! that conditions on the same variable stay correlated. States are united where that loses nothing (`unions`). Past a
//! limit the set is widened to the join of its states, and rules that need certainty report nothing there. `transfer`
//! says what an activity does to a state.

mod arrival;

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use petgraph::graph::NodeIndex;

use super::control::{Flow, Step};
use super::effects::{Condition, VarId};
use super::path_query::{Followed, PathQuery};
use super::paths::{Paths, Reason};
use super::program::{FixedStatus, Program};
use super::relevance::Relevance;
use super::state::{AbstractState, FactOrigin};
use super::structure::ShapeKind;
use super::trail::Decision;
use super::turns::Turn;
use super::visited::{States, Visited};
use crate::model::ActivityId;

/// Entries of states that one exploration may handle, some hundred milliseconds. Past them it stops, and
/// `Paths::is_incomplete` is set.
const MAX_COST: usize = 20_000_000;
/// As [`MAX_COST`], to explain what was found: some tens of milliseconds.
const MAX_EXPLAINING_COST: usize = 4_000_000;
/// Reasons that are kept of one condition.
const MAX_REASONS: usize = 8;
/// Decisions of a path that are searched for the reason of a condition.
const MAX_STEPS_BACK: usize = 256;

/// Entries of states from which an exploration is large. An entry takes some 50 bytes.
const MIN_LARGE: usize = 5_000;

pub struct Interpreter<'a, 'p> {
    pub(super) program: Program<'a, 'p>,
    pub(super) fixed: Vec<FixedStatus>,
    query: Option<&'a mut dyn PathQuery>,
    /// What the answer to the query depends on.
    relevance: Option<Relevance>,
    /// Whether paths are kept apart with their decisions, which explain what is found.
    pub(super) keeps_paths: bool,
    /// Reaching this point ends a path.
    stop: Option<NodeIndex>,
    /// The condition of the loop that is explored.
    repeated: Option<NodeIndex>,
    /// Whether the first path that leaves the loop, or ends the order in it, ends the exploration.
    is_until_exit: bool,
    has_exit: bool,
    pub(super) paths: Paths,
    visited: BTreeMap<NodeIndex, Visited>,
    /// The entries of the states that are held at present.
    held: usize,
    /// Once it is large.
    turn: Option<Turn>,
    /// The states that are still to be explored, by the point that they have reached.
    pending: BTreeMap<NodeIndex, States>,
    cost: usize,
    max_cost: usize,
}

impl<'a, 'p> Interpreter<'a, 'p> {
    pub fn new(program: Program<'a, 'p>) -> Self {
        let points = program.control.graph.node_count();
        Self {
            program,
            fixed: Vec::new(),
            query: None,
            relevance: None,
            keeps_paths: false,
            stop: None,
            repeated: None,
            is_until_exit: false,
            has_exit: false,
            // Of the right size: there may be very many small workflows.
            paths: Paths { reached: FixedBitSet::with_capacity(points), ..Paths::default() },
            visited: BTreeMap::new(),
            held: 0,
            turn: None,
            pending: BTreeMap::new(),
            cost: 0,
            max_cost: MAX_COST,
        }
    }

    /// Keeps paths apart with their decisions, within a smaller budget.
    pub fn explaining(self) -> Self {
        Self { keeps_paths: true, max_cost: MAX_EXPLAINING_COST, ..self }
    }

    /// Explores all paths from the entry of the workflow.
    pub fn run(mut self, start: AbstractState) -> Paths {
        self.begin(start);
        self.run_worklist();
        self.pending.clear();
        self.forget_decisions(&mut States::new());
        // Without the values that only this exploration knew.
        self.paths.entries.values_mut().for_each(|entry| *entry = entry.for_exploration());
        self.paths
    }

    /// Explores all paths from the entry of the workflow with a query, and reduces `max_cost` by what it took.
    pub fn run_query(
        mut self,
        mut start: AbstractState,
        query: &'a mut dyn PathQuery,
        max_cost: &mut usize,
    ) -> Followed {
        query.start(&mut start.facts);
        self.relevance.get_or_insert_with(|| Relevance::new(&self.program, &start, query));
        self.query = Some(query);
        self.max_cost = *max_cost;
        self.begin(start);
        self.run_worklist();
        *max_cost = max_cost.saturating_sub(self.cost);
        Followed { is_complete: !self.paths.is_incomplete }
    }

    fn begin(&mut self, start: AbstractState) {
        let entry = self.program.control.entry;
        self.reach(entry);
        self.enqueue(entry, start);
    }

    /// Follows all conditions of a query.
    #[cfg(test)]
    pub fn unsliced(self) -> Self {
        Self { relevance: Some(Relevance::of_all(&self.program)), ..self }
    }

    /// Asks only whether a path leaves a loop, or ends the order in it: the exploration ends with the first that does, and
    /// knows nothing of the others.
    pub fn until_exit(self) -> Self {
        Self { is_until_exit: true, ..self }
    }

    /// Explores the paths from the start of a loop's body until they leave the loop, with the lookups returning
    /// `fixed` (docs/concepts.md, Case status).
    pub fn run_loop(mut self, activity: ActivityId, start: &AbstractState, fixed: Vec<FixedStatus>) -> Paths {
        let start = start.for_exploration();
        self.keeps_paths = true;
        self.fixed = fixed;
        self.stop = self.program.control.after(activity);
        self.repeated = self.program.control.point(activity);
        if let Some(point) = self.program.control.point(activity) {
            self.propagate(point, &[Flow::True], start);
        }
        self.run_worklist();
        self.paths
    }

    fn run_worklist(&mut self) {
        // Points are numbered in document order, so the body of a loop reaches its fixpoint before what comes after
        // the loop runs, and few states are explored twice.
        while let Some((point, mut states)) = self.pending.pop_first() {
            self.forget_before(point);
            let known = states.first().map_or(0, |state| state.values().size());
            if self.turn.is_none() && self.held + known > MIN_LARGE {
                self.turn = Some(Turn::wait());
            }
            if self.paths.trail.is_long() {
                self.forget_decisions(&mut states);
            }
            for state in self.settle(point, states) {
                self.cost += state.size();
                self.held -= state.size();
                let held = self.held + state.values().size();
                if self.cost > self.max_cost || held > self.program.max_held {
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
        let start = self.program.control.start_of_loops(point);
        while let Some(first) = self.visited.first_entry().filter(|first| *first.key() < start) {
            self.held -= first.remove().size;
        }
    }

    /// Frees the decisions of the paths that nothing asks for any more. These are most: the states that were at a point
    /// are only compared with others.
    fn forget_decisions(&mut self, next: &mut States) {
        let Paths { trail, unassigned, repetition, .. } = &mut self.paths;
        let open = next.iter_mut().chain(self.pending.values_mut().flatten()).map(|state| &mut state.trail);
        let recorded = unassigned.values_mut().map(|unassigned| &mut unassigned.trail);
        trail.forget_others(open.chain(recorded).chain([repetition]).collect());
    }

    fn execute(&mut self, point: NodeIndex, mut state: AbstractState) {
        let is_over = |query: &dyn PathQuery| query.is_over(point, &state.facts);
        if Some(point) == self.stop || self.query.as_deref().is_some_and(is_over) {
            return;
        }
        if let Some(next) = self.after_irrelevant(point) {
            return self.enter(point, next, Flow::Next, state);
        }
        match self.program.control.graph.node_weight(point) {
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

    fn run_activity(&mut self, point: NodeIndex, id: ActivityId, mut state: AbstractState) {
        let program = self.program;
        let (Some(activity), Some(effects)) = (program.structure.get(id), program.effects.get(id.0 as usize)) else {
            return;
        };
        let unset_operands = self.read(id, effects, &mut state);
        match activity.kind {
            ShapeKind::While | ShapeKind::If => {
                self.query_run(id, false, &mut state);
                let condition = effects.condition.as_deref();
                let on_unset = condition.and_then(|condition| state.evaluate_unset(condition, &unset_operands));
                self.branch(point, id, condition.filter(|_| unset_operands.is_empty()), on_unset, &state);
            }
            // With `stopOnError` false, a failed call is a path of its own on which no output is written
            // (docs/platform.md, Provider activity). Otherwise a failure ends the order, so that path does not exist. A
            // lookup with a fixed status succeeds.
            ShapeKind::Provider { stops_on_error: false } if !self.writes_fixed_status(effects) => {
                let mut failed = state.clone();
                self.record_decision(id, false, &mut failed);
                self.write_failure(id, effects, &mut failed);
                self.query_run(id, true, &mut failed);
                self.propagate(point, &[Flow::Next, Flow::Back], failed);
                self.record_decision(id, true, &mut state);
                self.query_run(id, false, &mut state);
                self.write(id, effects, &mut state);
                self.propagate(point, &[Flow::Next, Flow::Back], state);
            }
            _ => {
                self.query_run(id, false, &mut state);
                self.write(id, effects, &mut state);
                self.propagate(point, &[Flow::Next, Flow::Back], state);
            }
        }
    }

    pub(super) const fn is_query(&self) -> bool {
        self.query.is_some()
    }

    fn query_run(&mut self, id: ActivityId, failed: bool, state: &mut AbstractState) {
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
        id: ActivityId,
        condition: Option<&Condition<'_>>,
        on_unset: Option<bool>,
        state: &AbstractState,
    ) {
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
                state.merged |= state.excludes_all_choices(condition, self.program.choices);
            }
            if on_unset.is_some_and(|decided| decided != holds) {
                self.assign_all(&mut state);
            }
            if let Some(query) = &mut self.query {
                query.branch(id, holds, &mut state.facts);
            }
            if holds {
                self.write_unread_children(id, &mut state);
            }
            self.record_decision(id, holds, &mut state);
            self.propagate(point, &[flow], state);
        }
    }

    /// Records what the outcome of a condition is known from.
    fn record_reasons(&mut self, id: ActivityId, condition: &Condition<'_>, state: &AbstractState) {
        for (variable, origin) in state.origins(condition) {
            let reason = match origin {
                FactOrigin::Start => Some(Reason::Start(variable)),
                FactOrigin::Write(by) => Some(Reason::Write(variable, by)),
                FactOrigin::Test => self.deciding_test(variable, condition, state.trail),
            };
            let reasons = self.paths.reasons.entry(id).or_default();
            if reasons.len() < MAX_REASONS {
                reasons.extend(reason);
            }
        }
    }

    /// The last condition on a path whose outcome decides this one by what it says of a variable.
    fn deciding_test(&mut self, variable: VarId, condition: &Condition<'_>, trail: Option<u32>) -> Option<Reason> {
        let mut steps = 0;
        let found = self.paths.decisions(trail).take(MAX_STEPS_BACK).find(|decision| {
            steps += 1;
            let effects = self.program.effects.get(decision.activity.0 as usize);
            let test = effects.and_then(|effects| effects.condition.as_deref());
            test.is_some_and(|test| AbstractState::decides(test, decision.outcome, variable, condition))
        });
        let reason = found.map(|decision| Reason::Test(decision.activity, decision.outcome));
        self.cost += steps;
        reason
    }

    pub(super) fn record_decision(&mut self, activity: ActivityId, outcome: bool, state: &mut AbstractState) {
        if self.keeps_paths {
            state.trail = self.paths.trail.push(Decision { previous: state.trail, activity, outcome });
        }
    }
}

#[cfg(test)]
mod tests;
