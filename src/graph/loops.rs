//! Loops that wait for something that never comes (docs/concepts.md, Case status).

use std::collections::BTreeMap;

use petgraph::Direction;
use petgraph::visit::EdgeRef;

use super::control::Flow;
use super::effects::{Condition, Effects, Value, VarId, Writer, Written};
use super::exploration::Exploration;
use super::explore::{Explorer, Forced, Terrain};
use super::outputs::Receiver;
use super::state::{Constant, Knowledge};
use crate::catalog::{Method, ParameterKind, Purpose, Status};
use crate::document::{Document, Limits, NodeId};
use crate::model::{Activity, ActivityId, Kind, Literal, Provider, case_key};
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

/// A loop that waits for a case that can expire, and ends on documented statuses alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlindToExpiry {
    /// The While.
    pub activity: ActivityId,
    /// The status variable.
    pub variable: VarId,
    /// The request that lets the case expire.
    pub request: ActivityId,
}

/// Finds the loops without a fault that wait for a case that can expire, and that no status but the
/// documented ones ends.
pub fn blind_to_expiry<'p>(
    terrain: &Terrain<'_, 'p>,
    exploration: &Exploration,
    variables: &StatusVariables<'p>,
    faults: &BTreeMap<ActivityId, LoopFault<'p>>,
) -> Vec<BlindToExpiry> {
    let requests = expiring_requests(terrain);
    if requests.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for activity in terrain.workflow.loops().filter(|activity| !faults.contains_key(&activity.id)) {
        let judge = Judge { terrain, exploration, variables, strange: &[], activity };
        if !judge.cannot_be_read() {
            found.extend(judge.blind_to_expiry(&requests));
        }
    }
    found
}

/// The providers that let a case expire, by the variable that gets its id.
fn expiring_requests(terrain: &Terrain<'_, '_>) -> BTreeMap<VarId, ActivityId> {
    let mut found = BTreeMap::new();
    for (activity, effects) in terrain.workflow.activities.iter().zip(terrain.effects) {
        let method = effects.provider.as_deref().and_then(|outputs| outputs.method);
        let (Some(provider), Some(method)) = (activity.provider(), method) else { continue };
        if !sets_expiry(provider, method) {
            continue;
        }
        for write in effects.writes.iter().filter(|write| matches!(write.by, Writer::Output { .. })) {
            found.entry(write.variable).or_insert(activity.id);
        }
    }
    found
}

/// Whether a call gives a signing case a time to expire after (reference, Endpoints, and Signing case
/// description): a number over 0, or one that a variable holds.
fn sets_expiry(provider: &Provider<'_>, method: &Method) -> bool {
    let binding = |name| provider.parameter(name).and_then(|parameter| parameter.value.get());
    let declared = method.parameter_for(Purpose::Expiry).and_then(|parameter| binding(&parameter.name));
    let by_parameter = declared.is_some_and(|binding| {
        let literal = binding.literal().map(|(_, literal)| literal);
        literal.map_or(binding.target().is_some(), |literal| literal.as_number().is_some_and(|days| days > 0.0))
    });
    by_parameter || {
        let case = method.parameter_of_kind(ParameterKind::CaseJson).and_then(|json| binding(&json.name));
        let text = case.and_then(|binding| binding.literal_text()).map(|(_, text)| text);
        let case = text.and_then(|text| Document::parse(text, Limits::default()).ok());
        case.is_some_and(|case| {
            let days = case.member(case.root(), case_key::EXPIRE_AFTER_DAYS).and_then(|days| case.integer(days));
            days.is_some_and(|days| days > 0)
        })
    }
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

    fn blind_to_expiry(&self, requests: &BTreeMap<VarId, ActivityId>) -> Option<BlindToExpiry> {
        // A text that no service gives.
        const UNHEARD_OF: &str = "\u{0}";
        let condition = self.condition()?;
        for (&variable, statuses) in self.variables {
            let waits = self.body_looks_up(variable)
                && condition.variables().any(|compared| compared == variable || self.body_writes(compared));
            let Some(request) = self.expiring_request(variable, requests).filter(|_| waits) else { continue };
            if !self.knows_other_statuses(variable, statuses) && self.never_ends_on(variable, UNHEARD_OF) {
                return Some(BlindToExpiry { activity: self.activity.id, variable, request });
            }
        }
        None
    }

    /// The expiring request whose case a lookup in the body asks for.
    fn expiring_request(&self, status: VarId, requests: &BTreeMap<VarId, ActivityId>) -> Option<ActivityId> {
        let lookups = self.body_effects().filter(|effects| effects.writes.iter().any(|write| write.variable == status));
        lookups.flat_map(|effects| &effects.reads).find_map(|read| requests.get(&read.variable).copied())
    }

    /// Whether the loop compares the status, or a copy of it, with a text that is not documented.
    fn knows_other_statuses(&self, status: VarId, documented: &[&Status]) -> bool {
        let copies =
            self.terrain.effects.iter().flat_map(|effects| &effects.writes).filter_map(|write| match write.value {
                Written::Copy(from) if from == status => Some(write.variable),
                _ => None,
            });
        let is_status = copies.chain([status]).collect::<Vec<_>>();
        let inside = self.terrain.workflow.inside(self.activity).map(|inner| inner.id);
        inside.chain([self.activity.id]).filter_map(|id| condition_of(self.terrain, id)).any(|condition| {
            let compares = condition.variables().any(|variable| is_status.contains(&variable));
            let is_other = |value| match value {
                Value::Literal(Literal::Text(text)) => {
                    !documented.iter().any(|status| status.documented && status.value == text)
                }
                _ => false,
            };
            compares && (is_other(condition.left) || is_other(condition.right))
        })
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
