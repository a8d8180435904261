//! One workflow with all that is known of its flow.

use std::rc::Rc;

use petgraph::Direction;
use petgraph::visit::EdgeRef;

use super::constant::Constant;
use super::control::{ControlFlow, Flow};
use super::effects::{Effects, VarId, VariableNames};
use super::interpreter::Interpreter;
use super::liveness::Liveness;
use super::mistyped::Mistyped;
use super::paths::Paths;
use super::program::{FixedStatus, Program};
use super::scope::Scope;
use super::slots::Slots;
use super::value::AbstractValue;
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::FileId;
use crate::document::Document;
use crate::model::{ActivityId, Kind, Workflow};

/// One workflow with all that is known of its flow.
#[derive(Debug)]
pub struct Analysis<'p> {
    pub file: FileId,
    pub document: &'p Document,
    pub workflow: &'p Workflow<'p>,
    /// The names that it may use.
    pub scope: Scope<'p>,
    /// The variable names that it does use.
    pub names: VariableNames<'p>,
    /// What each activity reads and writes, by index.
    pub effects: Vec<Effects<'p>>,
    /// In which order activities run.
    pub control: ControlFlow,
    /// What was seen on all paths.
    pub paths: Paths,
    /// Lost outputs that are near to a variable that nobody writes.
    pub mistyped: Vec<Mistyped>,
    pub(super) slots: Rc<Slots>,
    pub(super) liveness: Liveness,
    pub(super) contested: HashSet<VarId>,
    pub(super) calls: HashMap<ActivityId, u64>,
}

impl<'p> Analysis<'p> {
    /// The effects of an activity.
    pub fn effects(&self, id: ActivityId) -> Option<&Effects<'p>> {
        self.effects.get(id.0 as usize)
    }

    /// Whether any path reaches an activity.
    pub fn reaches(&self, id: ActivityId) -> bool {
        self.control.point(id).is_some_and(|point| self.paths.reaches(point))
    }

    /// Whether paths were merged at an activity, so that what is not known there proves nothing.
    pub fn is_merged(&self, id: ActivityId) -> bool {
        self.control.point(id).is_some_and(|point| self.paths.is_merged(point))
    }

    /// Runs the body of a loop abstractly, from all that is known where it is entered, with every lookup of a case
    /// status giving this one; `None` when no path enters the loop, or there are too many paths.
    pub fn loop_on_status(&self, id: ActivityId, variable: VarId, status: &str) -> Option<LoopOutcome> {
        let mut start = self.paths.entries.get(&id)?.clone();
        start.write(variable, AbstractValue::Any);
        let program = Program {
            workflow: self.workflow,
            control: &self.control,
            effects: &self.effects,
            names: &self.names,
            slots: &self.slots,
            liveness: &self.liveness,
            contested: &self.contested,
            calls: &self.calls,
        };
        let fixed = FixedStatus { variable, status: Constant::text(status) };
        let found = Interpreter::new(program).run_loop(id, start, fixed);
        let reaches = |point: Option<_>| point.is_some_and(|point| found.reaches(point));
        let activity = self.workflow.activity(id)?;
        let ends_order = self
            .workflow
            .inside(activity)
            .any(|inner| matches!(inner.kind, Kind::Terminate) && reaches(self.control.point(inner.id)));
        (!found.is_incomplete).then(|| LoopOutcome {
            repeats: reaches(self.control.point(id)),
            ends: ends_order || reaches(self.control.after(id)),
        })
    }

    /// Whether the end of a loop's body leads back to its condition.
    pub fn repeats(&self, id: ActivityId) -> bool {
        let Some(point) = self.control.point(id) else { return false };
        self.control
            .graph
            .edges_directed(point, Direction::Incoming)
            .any(|edge| (*edge.weight() == Flow::Back || edge.source() == point) && self.paths.reaches(edge.source()))
    }
}

/// What a loop does when every lookup gives one status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopOutcome {
    /// Its condition is reached again.
    pub repeats: bool,
    /// It is left, or a Terminate inside is reached.
    pub ends: bool,
}
