//! Loops that wait for something that never comes (docs/concepts.md, Case status).

use std::collections::BTreeMap;

use petgraph::Direction;
use petgraph::visit::EdgeRef;

use super::control::Flow;
use super::effects::{Condition, Effects, Value, VarId, Writer};
use super::exploration::Exploration;
use super::explore::{Explorer, Forced, Terrain};
use super::outputs::Receiver;
use super::state::{Constant, Knowledge};
use crate::catalog::Status;
use crate::document::NodeId;
use crate::model::{Activity, ActivityId, Kind, Literal};
use crate::suggest::Suggester;

/// What is wrong with a loop; the first that holds, as each names the cause of the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoopFault<'p> {
    /// It waits for a case status that its body never looks up.
    StalePoll(VarId),
    /// It goes on for ever when the case has one of these statuses.
    Unhandled(VarId, Vec<&'p str>),
    /// Nothing in it can end it.
    Endless,
}

/// A case status compared with a text that is no known status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrangeStatus<'p> {
    /// The While or If.
    pub activity: ActivityId,
    /// The status variable.
    pub variable: VarId,
    /// The operand with the text.
    pub operand: NodeId,
    /// The text.
    pub text: &'p str,
    /// The known status that it is near to.
    pub near: Option<&'p str>,
}

/// The case status variables of a workflow, each with the statuses of its lookups.
pub type StatusVariables<'p> = BTreeMap<VarId, Vec<&'p Status>>;

/// Finds the variables that a status lookup writes.
pub fn status_variables<'p>(terrain: &Terrain<'_, 'p>) -> StatusVariables<'p> {
    let mut found = StatusVariables::new();
    for effects in terrain.effects {
        let Some(method) = effects.provider.as_ref().and_then(|provider| provider.method) else { continue };
        for write in &effects.writes {
            if write.by == (Writer::Output { is_status: true }) {
                let statuses = found.entry(write.variable).or_default();
                statuses.extend(method.statuses().filter(|status| !statuses.contains(status)).collect::<Vec<_>>());
            }
        }
    }
    found
}

/// Finds comparisons of a case status with a text that is no known status.
pub fn strange_statuses<'p>(
    terrain: &Terrain<'_, 'p>,
    variables: &StatusVariables<'p>,
    suggester: &Suggester,
) -> Vec<StrangeStatus<'p>> {
    let mut found = Vec::new();
    for (activity, expression) in terrain.workflow.conditions() {
        let Some(condition) = condition_of(terrain, activity.id) else { continue };
        let sides =
            [(condition.left, condition.right, &expression.right), (condition.right, condition.left, &expression.left)];
        for (variable, literal, operand) in sides {
            let (Value::Variable(variable), Value::Literal(Literal::Text(text))) = (variable, literal) else {
                continue;
            };
            let (Some(statuses), Some(operand)) = (variables.get(&variable), operand.get()) else { continue };
            // An unset variable equals the empty text, so that is a question of its own.
            if text.is_empty() || statuses.iter().any(|status| status.value == text) {
                continue;
            }
            let near = suggester.nearest(text, statuses.iter().map(|status| status.value.as_str()));
            found.push(StrangeStatus { activity: activity.id, variable, operand: operand.node, text, near });
        }
    }
    found
}

/// Finds what is wrong with each loop.
pub fn faults<'p>(
    terrain: &Terrain<'_, 'p>,
    exploration: &Exploration,
    variables: &StatusVariables<'p>,
    strange: &[StrangeStatus<'p>],
    is_system: impl Fn(VarId) -> bool,
) -> BTreeMap<ActivityId, LoopFault<'p>> {
    let mut found = BTreeMap::new();
    let mut loops: Vec<_> = terrain.workflow.loops().collect();
    // Inner loops first: where one never ends, the outer one's fault is the same.
    loops.reverse();
    for activity in loops {
        let judge = Judge { terrain, exploration, variables, strange, activity };
        let is_told_inside = terrain.workflow.inside(activity).any(|inner| found.contains_key(&inner.id));
        if is_told_inside || judge.cannot_be_read() {
            continue;
        }
        let fault = judge.stale_poll().or_else(|| judge.unhandled()).or_else(|| judge.endless(&is_system));
        found.extend(fault.map(|fault| (activity.id, fault)));
    }
    found
}

fn condition_of<'a, 'p>(terrain: &Terrain<'a, 'p>, id: ActivityId) -> Option<&'a Condition<'p>> {
    terrain.effects.get(id.0 as usize)?.condition.as_ref()
}

struct Judge<'a, 'p> {
    terrain: &'a Terrain<'a, 'p>,
    exploration: &'a Exploration,
    variables: &'a StatusVariables<'p>,
    strange: &'a [StrangeStatus<'p>],
    activity: &'a Activity<'p>,
}

impl<'p> Judge<'_, 'p> {
    fn condition(&self) -> Option<&Condition<'p>> {
        condition_of(self.terrain, self.activity.id)
    }

    /// Whether the body is ever run: some path comes to the loop, and not always past it.
    fn is_entered(&self) -> bool {
        let outcomes = self.exploration.outcomes.get(&self.activity.id);
        outcomes.is_some_and(|outcomes| outcomes.is_true || outcomes.open)
    }

    /// Whether the end of the body leads back to the condition.
    fn comes_round(&self) -> bool {
        let control = self.terrain.control;
        let Some(point) = control.point(self.activity.id) else { return false };
        control.graph.edges_directed(point, Direction::Incoming).any(|edge| {
            (*edge.weight() == Flow::Back || edge.source() == point) && self.exploration.reaches(edge.source())
        })
    }

    /// Whether a part of the loop cannot be read, which may be what ends it.
    fn cannot_be_read(&self) -> bool {
        std::iter::once(self.activity)
            .chain(self.terrain.workflow.inside(self.activity))
            .any(|inner| inner.children.is_unknown())
    }

    fn body_effects(&self) -> impl Iterator<Item = &Effects<'p>> {
        let inside = self.terrain.workflow.inside(self.activity);
        inside.filter_map(|inner| self.terrain.effects.get(inner.id.0 as usize))
    }

    fn body_writes(&self, variable: VarId) -> bool {
        let name = self.terrain.names.name(variable);
        self.body_effects().any(|effects| {
            effects.may_write.is_some_and(|prefix| name.starts_with(prefix))
                || effects.writes.iter().any(|write| write.variable == variable)
        })
    }

    /// Whether a lookup in the body loses the status, which is told (WF301).
    fn body_loses_a_status(&self) -> bool {
        self.body_effects().filter_map(|effects| effects.provider.as_ref()).any(|provider| {
            provider.outputs.iter().any(|output| output.is_status && output.receiver == Receiver::Nobody)
        })
    }

    fn body_looks_up(&self, variable: VarId) -> bool {
        self.body_effects()
            .flat_map(|effects| &effects.writes)
            .any(|write| write.variable == variable && write.by == Writer::Output { is_status: true })
    }

    fn contains_terminate(&self, activity: &Activity<'p>) -> bool {
        self.terrain.workflow.inside(activity).any(|inner| matches!(inner.kind, Kind::Terminate))
    }

    fn stale_poll(&self) -> Option<LoopFault<'p>> {
        let waits_for = self.condition()?.variables().find(|variable| self.variables.contains_key(variable))?;
        let is_stale =
            !self.body_writes(waits_for) && !self.body_loses_a_status() && self.is_entered() && self.comes_round();
        is_stale.then_some(LoopFault::StalePoll(waits_for))
    }

    fn unhandled(&self) -> Option<LoopFault<'p>> {
        let condition = self.condition()?;
        if self.strange.iter().any(|strange| strange.activity == self.activity.id) {
            return None;
        }
        for (&variable, statuses) in self.variables {
            let waits = self.body_looks_up(variable)
                && condition.variables().any(|compared| compared == variable || self.body_writes(compared));
            if !waits {
                continue;
            }
            let for_ever: Vec<&str> = statuses
                .iter()
                .filter(|status| status.terminal && status.documented)
                .map(|status| status.value.as_str())
                .filter(|status| self.never_ends_on(variable, status))
                .collect();
            if !for_ever.is_empty() && !self.is_meant_to_handle(variable, &for_ever) {
                return Some(LoopFault::Unhandled(variable, for_ever));
            }
        }
        None
    }

    /// Whether the loop's head is reached again and nothing leads out, when every lookup gives one
    /// status.
    fn never_ends_on(&self, variable: VarId, status: &str) -> bool {
        let (control, id) = (self.terrain.control, self.activity.id);
        let Some(start) = self.exploration.entries.get(&id) else { return false };
        let mut start = start.clone();
        start.write(variable, Knowledge::Any);
        let forced = Forced { variable, status: Constant::text(status) };
        let found = Explorer::new(*self.terrain).run_loop(id, start, forced);
        let reaches = |point: Option<_>| point.is_some_and(|point| found.reaches(point));
        let leaves = reaches(control.after(id))
            || self
                .terrain
                .workflow
                .inside(self.activity)
                .any(|inner| matches!(inner.kind, Kind::Terminate) && reaches(control.point(inner.id)));
        !found.gave_up && !leaves && reaches(control.point(id))
    }

    /// Whether a condition inside was meant to handle it: it compares the status with an unknown
    /// text that is near an unhandled one, or that leads to a Terminate.
    fn is_meant_to_handle(&self, variable: VarId, unhandled: &[&str]) -> bool {
        self.terrain.workflow.inside(self.activity).any(|inner| {
            self.strange.iter().filter(|strange| strange.activity == inner.id && strange.variable == variable).any(
                |strange| strange.near.is_some_and(|near| unhandled.contains(&near)) || self.contains_terminate(inner),
            )
        })
    }

    fn endless(&self, is_system: impl Fn(VarId) -> bool) -> Option<LoopFault<'p>> {
        let condition = self.condition()?;
        let is_known = condition.left != Value::Unknown && condition.right != Value::Unknown;
        let is_strange = self.strange.iter().any(|strange| strange.activity == self.activity.id);
        let can_change = condition.variables().any(|variable| self.body_writes(variable) || is_system(variable));
        let is_endless = is_known
            && !is_strange
            && !can_change
            && !self.body_loses_a_status()
            && !self.contains_terminate(self.activity)
            && self.is_entered();
        is_endless.then_some(LoopFault::Endless)
    }
}
