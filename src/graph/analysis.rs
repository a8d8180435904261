//! The analysis of one workflow: effects, control flow and paths.

use std::cell::RefCell;
use std::sync::Arc;

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::calls::{Call, Calls};
use super::choices::{Choice, Choices};
use super::constant::Constant;
use super::control::{ControlFlow, Flow, Step};
use super::effects::{Effects, VarId, VariableNames};
use super::interpreter::Interpreter;
use super::liveness::Liveness;
use super::mistyped::MistypedOutput;
use super::passing::Passing;
use super::path_query::{Followed, PathQuery};
use super::paths::{LoopOutcome, Paths};
use super::program::{FixedStatus, Program, max_held};
use super::scope::Scope;
use super::slots::Slots;
use super::state::AbstractState;
use super::structure::{ShapeKind, Structure};
use super::trail::Decision;
use super::unions::Unions;
use super::value::AbstractValue;
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::FileId;
use crate::document::Document;
use crate::model::{ActivityId, Workflow};

/// Decisions of an iteration that are kept.
const MAX_REPETITION_STEPS: usize = 100;

/// Case status variables, each with a status.
type OwnedStatuses = Vec<(VarId, String)>;

#[derive(Debug)]
pub struct Analysis<'p> {
    pub file: FileId,
    pub document: &'p Document,
    pub workflow: &'p Workflow<'p>,
    pub scope: Scope<'p>,
    /// The variables that it declares or uses.
    pub names: VariableNames<'p>,
    /// By activity.
    pub effects: Vec<Effects<'p>>,
    pub control: ControlFlow,
    pub paths: Paths,
    pub(super) structure: Structure,
    /// What loops do on statuses, as far as some rule has asked.
    pub(super) loop_outcomes: RefCell<HashMap<(ActivityId, OwnedStatuses), LoopOutcome>>,
    pub mistyped: Vec<MistypedOutput>,
    /// The state in which the workflow starts.
    pub(super) start: AbstractState,
    pub(super) slots: Arc<Slots>,
    pub(super) liveness: Liveness,
    pub(super) passing: Passing,
    pub(super) unions: Unions,
    /// Variables that different provider calls write.
    pub(super) colliding: HashSet<VarId>,
    /// Inputs of repeated provider calls that may change between two of them.
    pub(super) changing_inputs: HashSet<VarId>,
    /// Those of provider activities.
    pub(super) calls: HashMap<ActivityId, Call<'p>>,
    pub(super) choices: Choices,
    /// By variable.
    pub(super) output_calls: HashMap<VarId, Calls>,
}

impl<'p> Analysis<'p> {
    pub fn effects(&self, id: ActivityId) -> Option<&Effects<'p>> {
        self.effects.get(id.0 as usize)
    }

    /// Whether some path reaches an activity.
    pub fn reaches(&self, id: ActivityId) -> bool {
        self.control.point(id).is_some_and(|point| self.paths.reaches(point))
    }

    /// Whether a variable may have this value when a path enters a loop.
    pub fn may_enter_with(&self, id: ActivityId, variable: VarId, value: &str) -> bool {
        self.paths.entries.get(&id).is_some_and(|entry| entry.may_equal(variable, &Constant::text(value)))
    }

    /// Whether a call with another method or input than that of a provider activity writes the variable.
    pub fn is_output_of_another_call(&self, id: ActivityId, variable: VarId) -> bool {
        let writers = self.output_calls.get(&variable);
        writers.is_some_and(|&writers| self.calls.get(&id).is_none_or(|call| writers != Calls::One(call.fingerprint)))
    }

    /// Whether states were merged at an activity, so that an unknown fact there proves nothing.
    pub fn is_merged(&self, id: ActivityId) -> bool {
        self.control.point(id).is_some_and(|point| self.paths.is_merged(point))
    }

    pub(super) fn program(&self) -> Program<'_, 'p> {
        Program {
            structure: &self.structure,
            max_held: max_held(self.document),
            control: &self.control,
            effects: &self.effects,
            names: &self.names,
            slots: &self.slots,
            liveness: &self.liveness,
            passing: &self.passing,
            unions: &self.unions,
            colliding: &self.colliding,
            changing_inputs: &self.changing_inputs,
            calls: &self.calls,
            choices: &self.choices,
        }
    }

    /// What a person chooses for a variable of a condition in the order form; `None` if that is not limited to items, or the
    /// workflow writes the variable.
    pub fn choice(&self, variable: VarId) -> Option<&Choice> {
        self.choices.get(&variable)
    }

    /// Whether conditions exclude some paths through the control-flow graph, so that a query finds out more than a
    /// search along its edges.
    pub fn has_infeasible_paths(&self) -> bool {
        let mut outcomes = self.paths.outcomes.values();
        let has_known = self.paths.has_unions || outcomes.any(|outcomes| outcomes.is_true || outcomes.is_false);
        has_known && !self.paths.is_incomplete
    }

    /// Whether some path takes an edge, as the exploration of all paths has seen.
    pub(super) fn is_feasible(&self, point: NodeIndex, flow: Flow) -> bool {
        let Some(&Step::Run(id)) = self.control.graph.node_weight(point) else { return true };
        let outcomes = self.paths.outcomes.get(&id).filter(|_| !self.paths.is_incomplete);
        outcomes.is_none_or(|outcomes| match flow {
            Flow::True => outcomes.is_true || outcomes.undecided,
            Flow::False => outcomes.is_false || outcomes.undecided,
            Flow::Next | Flow::Back => true,
        })
    }

    /// Follows all feasible paths; it explores no more than `budget` entries of states, which it reduces.
    pub fn follow(&self, query: &mut dyn PathQuery, budget: &mut usize) -> Followed {
        Interpreter::new(self.program()).run_query(self.start.for_exploration(), query, budget)
    }

    /// Runs the body of a loop abstractly, with every lookup of these case status variables returning their status;
    /// `None` if no path enters the loop.
    pub fn loop_on_statuses(&self, id: ActivityId, statuses: &[(VarId, &str)]) -> Option<LoopOutcome> {
        let key = (id, statuses.iter().map(|&(variable, status)| (variable, status.to_owned())).collect());
        if let Some(known) = self.loop_outcomes.borrow().get(&key) {
            return Some(known.clone());
        }
        let outcome = self.explore_loop(id, statuses)?;
        self.loop_outcomes.borrow_mut().insert(key, outcome.clone());
        Some(outcome)
    }

    fn explore_loop(&self, id: ActivityId, statuses: &[(VarId, &str)]) -> Option<LoopOutcome> {
        let entry = self.paths.entries.get(&id)?;
        let fixed_status =
            |&(variable, status): &(VarId, &str)| FixedStatus { variable, status: Constant::text(status) };
        let fixed: Vec<FixedStatus> = statuses.iter().map(fixed_status).collect();
        let found = FoundBefore::of(entry, &fixed);
        let mut start = entry.clone();
        for FixedStatus { variable, status } in &fixed {
            start.write(*variable, AbstractValue::Is(status.clone()), id);
        }
        let mut outcome = self.loop_from(id, start, &fixed)?;
        // Otherwise the lookup of some iteration is the first that finds them.
        if outcome != LoopOutcome::Ends
            && (found.is_copied || !found.is_possible)
            && !self.repeats_from_other_statuses(id, entry, &fixed)
        {
            outcome = LoopOutcome::Ends;
        }
        for other in self.loops_from_entry(id, entry, &fixed, found) {
            if matches!(outcome, LoopOutcome::NeverEnds(_)) {
                break;
            }
            let other = other?;
            if other != LoopOutcome::Ends {
                outcome = other;
            }
        }
        Some(outcome)
    }

    /// As [`Self::loop_from`], where the cases have other statuses until an iteration finds these; and if there are copies
    /// that were made before the loop, where these contain the statuses as well.
    fn loops_from_entry(
        &self,
        id: ActivityId,
        entry: &AbstractState,
        fixed: &[FixedStatus],
        found: FoundBefore,
    ) -> impl Iterator<Item = Option<LoopOutcome>> {
        let may_change = fixed.iter().all(|fixed| entry.may_differ(fixed.variable, &fixed.status));
        let starts = [(true, found.is_copied && found.is_possible), (false, may_change)];
        let starts = starts.into_iter().filter(|(_, is_possible)| *is_possible);
        starts.map(move |(is_found, _)| {
            let mut start = entry.clone();
            for FixedStatus { variable, status } in fixed {
                start.refine_with_copies(*variable, status, is_found);
                start.empty_if_unset(entry, *variable);
            }
            self.loop_from(id, start, fixed)
        })
    }

    /// Whether a loop that is entered with other statuses may repeat after the lookups of one iteration have found these.
    fn repeats_from_other_statuses(&self, id: ActivityId, entry: &AbstractState, fixed: &[FixedStatus]) -> bool {
        let mut start = entry.clone();
        for FixedStatus { variable, status } in fixed {
            start.write(*variable, AbstractValue::Not([status.clone()].into()), id);
            start.empty_if_unset(entry, *variable);
        }
        if !self.assume_condition(id, &mut start) {
            return false;
        }
        let paths = Interpreter::new(self.program()).run_loop(id, &start, fixed.to_vec());
        let repeats = paths.outcomes.get(&id).is_some_and(|outcomes| outcomes.is_true || outcomes.undecided);
        repeats || paths.is_incomplete
    }

    /// The body of a loop runs because its condition is true; false if it cannot be.
    fn assume_condition(&self, id: ActivityId, start: &mut AbstractState) -> bool {
        let Some(condition) = self.effects(id).and_then(|effects| effects.condition.as_deref()) else { return true };
        let is_possible = start.evaluate(condition) != Some(false);
        start.assume(condition, true);
        is_possible
    }

    /// What a loop does from this state on.
    fn loop_from(&self, id: ActivityId, mut start: AbstractState, fixed: &[FixedStatus]) -> Option<LoopOutcome> {
        if !self.assume_condition(id, &mut start) {
            return Some(LoopOutcome::Ends);
        }
        let paths = Interpreter::new(self.program()).until_exit().run_loop(id, &start, fixed.to_vec());
        let reaches = |point: Option<_>| point.is_some_and(|point| paths.reaches(point));
        let activity = self.structure.get(id)?;
        let ends_order = self
            .structure
            .inside(activity)
            .any(|inner| inner.kind == ShapeKind::Terminate && reaches(self.control.point(inner.id)));
        let never_ends = || {
            let decisions = paths.decisions(paths.repetition).take(MAX_REPETITION_STEPS).copied();
            let mut decisions: Vec<Decision> = decisions.collect();
            decisions.reverse();
            LoopOutcome::NeverEnds(decisions)
        };
        Some(match (reaches(self.control.point(id)), ends_order || reaches(self.control.after(id))) {
            _ if paths.is_incomplete => LoopOutcome::Unknown,
            (true, false) => never_ends(),
            _ => LoopOutcome::Ends,
        })
    }

    /// Whether some path leads from the body of a loop back to its condition.
    pub fn repeats(&self, id: ActivityId) -> bool {
        let Some(point) = self.control.point(id) else { return false };
        self.control
            .graph
            .edges_directed(point, Direction::Incoming)
            // The edge of an empty body starts at the condition itself.
            .any(|edge| (*edge.weight() == Flow::Back || edge.source() == point) && self.paths.reaches(edge.source()))
    }
}

/// What the last lookups before a loop may have found.
#[derive(Debug, Clone, Copy)]
struct FoundBefore {
    /// They may have found the statuses.
    is_possible: bool,
    /// Other variables may contain what they have found.
    is_copied: bool,
}

impl FoundBefore {
    fn of(entry: &AbstractState, fixed: &[FixedStatus]) -> Self {
        Self {
            is_possible: fixed.iter().all(|fixed| entry.may_equal(fixed.variable, &fixed.status)),
            is_copied: fixed.iter().any(|fixed| entry.is_copied(fixed.variable)),
        }
    }
}
