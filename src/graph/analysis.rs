//! The analysis of one workflow: effects, control flow and paths, and all that the abstract interpreter has to know.

use std::cell::RefCell;
use std::rc::Rc;

use petgraph::Direction;
use petgraph::visit::EdgeRef;

use super::calls::{Call, Calls, RepeatedCalls, calls, output_calls};
use super::collector::{MistypedOutput, WorkflowEffects};
use super::control::{ControlFlow, Flow, Step};
use super::effects::{Effects, VarId, VariableNames};
use super::liveness::{self, Liveness, Passthrough};
use super::paths::{LoopOutcome, Paths};
use super::scope::Scope;
use super::start::{BeforeStart, Choice, Choices, Start, choices_of_workflow};
use super::state::{AbstractState, Slots};
use super::state_sets::Unions;
use super::usage::Usage;
use super::value::Constant;

use crate::common::collections::{HashMap, HashSet};
use crate::document::Document;
use crate::model::{ActivityId, Workflow};
use crate::text::diagnostic::FileId;

/// By loop and its case status variables, each with a status.
type LoopOutcomes = HashMap<(ActivityId, Vec<(VarId, String)>), LoopOutcome>;

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
    pub paths: Paths<'p>,
    pub mistyped: Vec<MistypedOutput>,
    /// The state in which the workflow starts.
    pub(super) start: AbstractState<'p>,
    pub(super) slots: Rc<Slots>,
    pub(super) liveness: Liveness,
    pub(super) passthrough: Passthrough,
    pub(super) unions: Unions,
    /// Variables that different provider calls write.
    pub(super) colliding: HashSet<VarId>,
    /// Inputs of repeated provider calls that may change between two of them.
    pub(super) changing_inputs: HashSet<VarId>,
    /// Those of provider activities.
    pub(super) calls: HashMap<ActivityId, Call<'p>>,
    pub(super) choices: Choices<'p>,
    /// By variable.
    output_calls: HashMap<VarId, Calls>,
    /// What loops do on statuses, as far as some rule has asked.
    pub(super) loop_outcomes: RefCell<LoopOutcomes>,
}

impl<'p> Analysis<'p> {
    /// Before its paths are explored.
    pub(super) fn new(before: &BeforeStart<'p>, workflow: WorkflowEffects<'p>, usage: &Usage<'p>) -> Self {
        let WorkflowEffects { document, scope, names, effects, mistyped } = workflow;
        let workflow = document.workflow;
        let control = ControlFlow::new(workflow);
        let calls = calls(workflow, &scope);
        let output_calls = output_calls(&effects, &calls);
        // Every call writes the common outputs.
        let is_common = |id| scope.config.catalog.is_common_output(names.name(id));
        let several = output_calls.iter().filter(|(_, calls)| **calls == Calls::Several).map(|(&id, _)| id);
        let RepeatedCalls { outputs, changing_inputs } = RepeatedCalls::new(&effects, &calls);
        let colliding: HashSet<VarId> = several.chain(outputs).filter(|&id| !is_common(id)).collect();
        let choices = choices_of_workflow(before, &scope, &names, &effects, usage);
        let initial = Start { before, file: document.file, scope: &scope, names: &names, usage };
        let tested = names.set(effects.iter().flat_map(liveness::tested));
        let read = names.set(effects.iter().flat_map(|effects| &effects.reads).map(|read| read.variable));
        let may_be_unset = |id: VarId| read.contains(id.0 as usize) && !initial.of(id).0;
        let is_tracked = |id: VarId| tested.contains(id.0 as usize) || colliding.contains(&id) || may_be_unset(id);
        let slots = Rc::new(Slots::new(names.ids(), is_tracked));
        Self {
            start: AbstractState::new(Rc::clone(&slots), slots.variables().iter().map(|&id| initial.of(id))),
            liveness: Liveness::new(&control, &slots, &effects),
            passthrough: Passthrough::new(&control, workflow, &slots, &effects, &changing_inputs),
            unions: Unions::new(&slots, &effects),
            paths: Paths::default(),
            loop_outcomes: RefCell::default(),
            file: document.file,
            document: document.document,
            workflow,
            scope,
            names,
            effects,
            control,
            mistyped,
            slots,
            colliding,
            changing_inputs,
            calls,
            choices,
            output_calls,
        }
    }

    pub fn effects(&self, id: ActivityId) -> Option<&Effects<'p>> {
        self.effects.get(id.0 as usize)
    }

    /// Whether a condition compares a variable.
    pub fn compares(&self, name: &str) -> bool {
        let reads = self.effects.iter().flat_map(|effects| &effects.reads);
        self.names.id(name).is_some_and(|id| reads.clone().any(|read| read.in_condition && read.variable == id))
    }

    /// Whether some path reaches an activity.
    pub fn reaches(&self, id: ActivityId) -> bool {
        self.control.point(id).is_some_and(|point| self.paths.reaches(point))
    }

    /// Whether some path leads past the last activity.
    pub fn completes(&self) -> bool {
        let graph = &self.control.graph;
        let exit = graph.node_indices().find(|&point| graph.node_weight(point) == Some(&Step::Exit));
        exit.is_some_and(|exit| self.paths.reaches(exit))
    }

    /// Whether a variable may have this value when a path enters a loop.
    pub fn may_enter_with(&self, id: ActivityId, variable: VarId, value: &str) -> bool {
        self.paths.entries.get(&id).is_some_and(|entry| entry.may_equal(variable, Constant::text(value)))
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

    /// What a person chooses for a variable of a condition in the order form; `None` if that is not limited to items, or the
    /// workflow writes the variable.
    pub fn choice(&self, variable: VarId) -> Option<&Choice<'p>> {
        self.choices.get(&variable)
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
