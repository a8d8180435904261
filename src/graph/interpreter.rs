//! Runs a workflow abstractly, along every path, keeping what each path knows.
//!
//! At a point up to 64 states are kept apart; past that they are merged into one, and rules that
//! need certainty are silent there (docs/concepts.md, Flow).

use std::collections::{BTreeSet, VecDeque};

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::constant::Constant;
use super::control::{Flow, Step, is_approve_event};
use super::effects::{Condition, Effects, VarId, Writer, Written};
use super::paths::{Decision, Paths, Unassigned};
use super::program::{FixedStatus, Program};
use super::state::AbstractState;
use super::value::AbstractValue;
use crate::collections::{HashMap, HashSet};
use crate::model::{ActivityId, Kind};

/// States at one point that are kept apart.
const MAX_STATES: usize = 64;
/// Facts that one exploration may handle; some hundred milliseconds. Past them it gives up, and
/// what rests on it is silent.
const BUDGET: usize = 20_000_000;

/// Explores from a point on.
pub struct Interpreter<'a, 'p> {
    program: Program<'a, 'p>,
    fixed: Option<FixedStatus>,
    /// Reaching this point ends a path.
    stop: Option<NodeIndex>,
    found: Paths,
    seen: HashMap<NodeIndex, Seen>,
    waiting: BTreeSet<NodeIndex>,
    queues: HashMap<NodeIndex, VecDeque<AbstractState>>,
    spent: usize,
}

#[derive(Default)]
struct Seen {
    fingerprints: HashSet<u64>,
    states: Vec<AbstractState>,
    merged: Option<AbstractState>,
}

impl<'a, 'p> Interpreter<'a, 'p> {
    /// An explorer of a workflow.
    pub fn new(program: Program<'a, 'p>) -> Self {
        Self {
            program,
            fixed: None,
            stop: None,
            found: Paths::default(),
            seen: HashMap::default(),
            waiting: BTreeSet::new(),
            queues: HashMap::default(),
            spent: 0,
        }
    }

    /// Follows all paths from the beginning.
    pub fn run(mut self, start: AbstractState) -> Paths {
        self.arrive(self.program.control.entry, start);
        self.work();
        self.found
    }

    /// Follows all paths from inside a loop, with every lookup giving one status, until they leave
    /// it.
    pub fn run_loop(mut self, activity: ActivityId, start: AbstractState, fixed: FixedStatus) -> Paths {
        self.fixed = Some(fixed);
        self.stop = self.program.control.after(activity);
        if let Some(point) = self.program.control.point(activity) {
            self.follow(point, &[Flow::True], start);
        }
        self.work();
        self.found
    }

    fn work(&mut self) {
        // Points in the order of the text: a loop's body is done before what comes after it.
        while let Some(point) = self.waiting.pop_first() {
            for state in self.queues.remove(&point).unwrap_or_default() {
                self.spent += state.size();
                if self.spent > BUDGET {
                    self.found.is_incomplete = true;
                    return;
                }
                self.step(point, state);
            }
        }
    }

    fn step(&mut self, point: NodeIndex, state: AbstractState) {
        if Some(point) == self.stop {
            return;
        }
        match self.program.control.graph.node_weight(point) {
            Some(&Step::Run(id)) => self.run_activity(point, id, state),
            Some(&Step::Decide(id, how)) => {
                let mut state = state;
                if let Some(how) = how {
                    self.decide(id, how, &mut state);
                }
                self.follow(point, &[Flow::Next], state);
            }
            _ => self.follow(point, &[Flow::Next, Flow::Back], state),
        }
    }

    fn run_activity(&mut self, point: NodeIndex, id: ActivityId, mut state: AbstractState) {
        let program = self.program;
        let (Some(activity), Some(effects)) = (program.workflow.activity(id), program.effects.get(id.0 as usize))
        else {
            return;
        };
        let certain = self.read(id, effects, &mut state);
        match &activity.kind {
            Kind::While { .. } | Kind::If { .. } => {
                self.branch(point, id, effects.condition.as_ref().filter(|_| certain), &state);
            }
            Kind::Provider(provider) if !provider.stops_on_error() && !self.is_fixed(effects) => {
                let mut failed = state.clone();
                self.note_decision(id, false, &mut failed);
                for write in effects.writes.iter().filter(|write| write.by == Writer::ProviderResult) {
                    failed.write(write.variable, AbstractValue::Is(Constant::text("false")));
                }
                self.follow(point, &[Flow::Next, Flow::Back], failed);
                self.note_decision(id, true, &mut state);
                self.write(id, effects, &mut state);
                self.follow(point, &[Flow::Next, Flow::Back], state);
            }
            _ => {
                self.write(id, effects, &mut state);
                self.follow(point, &[Flow::Next, Flow::Back], state);
            }
        }
    }

    fn is_fixed(&self, effects: &Effects<'_>) -> bool {
        self.fixed.as_ref().is_some_and(|fixed| effects.writes.iter().any(|write| write.variable == fixed.variable))
    }

    /// Notes the reads of an activity. Returns whether all that it compares has a value.
    fn read(&mut self, id: ActivityId, effects: &Effects<'_>, state: &mut AbstractState) -> bool {
        let mut certain = true;
        for (index, read) in effects.reads.iter().enumerate() {
            let merged = state.merged;
            let Some(fact) = state.variable_mut(read.variable) else { continue };
            if let Some((writer, was_read)) = &mut fact.output_of {
                *was_read = true;
                self.found.read_outputs.insert((*writer, read.variable));
            }
            if fact.assigned || read.guessed {
                continue;
            }
            if read.in_condition && self.waits_for(id, read.variable) {
                // An unset variable compares as the empty text (docs/concepts.md, Flow), so the loop is entered.
                fact.value = AbstractValue::Is(Constant::text(""));
                continue;
            }
            certain &= !read.in_condition;
            // Told once: later reads on this path have the same cause.
            fact.assigned = true;
            if !merged {
                let unassigned = Unassigned { activity: id, read: index, trail: state.trail };
                self.found.unassigned.entry((id, index)).or_insert(unassigned);
            }
        }
        let shown = effects.shows.iter().filter(|_| !effects.may_read);
        let contested = self.program.contested.iter().filter(|_| effects.may_read);
        for &variable in shown.chain(contested) {
            if let Some((writer, was_read)) = state.variable_mut(variable).and_then(|fact| fact.output_of.as_mut()) {
                *was_read = true;
                self.found.read_outputs.insert((*writer, variable));
            }
        }
        certain
    }

    /// Whether an activity is a While whose body writes a variable of its condition.
    fn waits_for(&self, id: ActivityId, variable: VarId) -> bool {
        let program = self.program;
        let Some(activity) = program.workflow.activity(id) else { return false };
        matches!(activity.kind, Kind::While { .. })
            && program.workflow.inside(activity).any(|inner| {
                program.effects.get(inner.id.0 as usize).is_some_and(|effects| {
                    effects.may_write.is_some() || effects.writes.iter().any(|write| write.variable == variable)
                })
            })
    }

    fn write(&mut self, id: ActivityId, effects: &Effects<'_>, state: &mut AbstractState) {
        if let Some(prefix) = effects.may_write {
            self.may_write(prefix, state);
        }
        for write in &effects.writes {
            let value = match (write.value, write.by) {
                (Written::Copy(from), _) => {
                    state.copy(from, write.variable);
                    continue;
                }
                (Written::Constant(text), _) => AbstractValue::Is(Constant::text(text)),
                (Written::Unknown, Writer::ProviderResult) => AbstractValue::Is(Constant::text("true")),
                (Written::Unknown, Writer::Output { is_status: true }) => self
                    .fixed
                    .as_ref()
                    .filter(|fixed| fixed.variable == write.variable)
                    .map_or(AbstractValue::Any, |fixed| AbstractValue::Is(fixed.status.clone())),
                (Written::Unknown, _) => AbstractValue::Any,
            };
            let is_contested =
                matches!(write.by, Writer::Output { .. }) && self.program.contested.contains(&write.variable);
            if is_contested {
                self.note_overwrite(id, write.variable, state);
            }
            state.write(write.variable, value);
            if let Some(fact) = state.variable_mut(write.variable).filter(|_| is_contested) {
                fact.output_of = Some((id, false));
            }
        }
    }

    fn may_write(&self, prefix: &str, state: &mut AbstractState) {
        for &id in self.program.slots.variables() {
            if !self.program.names.name(id).starts_with(prefix) {
                continue;
            }
            state.forget(id);
            if let Some(fact) = state.variable_mut(id) {
                fact.assigned = true;
                fact.output_of = None;
            }
        }
    }

    fn note_overwrite(&mut self, id: ActivityId, variable: VarId, state: &AbstractState) {
        let Some((earlier, was_read)) = state.variable(variable).and_then(|fact| fact.output_of) else { return };
        if state.merged || earlier == id || self.program.calls.get(&earlier) == self.program.calls.get(&id) {
            return;
        }
        let (unread, read) = self.found.overwrites.entry((id, variable, earlier)).or_default();
        *unread |= !was_read;
        *read |= was_read;
    }

    fn decide(&mut self, id: ActivityId, how: bool, state: &mut AbstractState) {
        self.note_decision(id, how, state);
        self.forget_events(id, how, state);
        let effects = self.program.effects.get(id.0 as usize);
        let writes = effects.into_iter().flat_map(|effects| &effects.writes);
        for write in writes.filter(|write| write.by == Writer::ApprovalResult) {
            state.write(write.variable, AbstractValue::Is(Constant::text(if how { "true" } else { "false" })));
        }
    }

    /// What the events before a decision have done is not documented to the letter: of a rejection
    /// by timeout nobody knows whether it ran the reject event, so what that writes counts as written.
    fn forget_events(&self, id: ActivityId, approved: bool, state: &mut AbstractState) {
        let workflow = self.program.workflow;
        let Some(approval) = workflow.activity(id) else { return };
        for event in approval.children().iter().filter_map(|&event| workflow.activity(event)) {
            let may_have_run = !approved && !is_approve_event(event);
            for inner in workflow.inside(event) {
                let effects = self.program.effects.get(inner.id.0 as usize);
                for write in effects.into_iter().flat_map(|effects| &effects.writes) {
                    let Some(fact) = state.variable_mut(write.variable) else { continue };
                    fact.output_of = None;
                    if may_have_run && !fact.assigned {
                        state.write(write.variable, AbstractValue::Any);
                    }
                }
            }
        }
    }

    /// Sends a state on through a condition: only one way when it is known, else both ways.
    fn branch(&mut self, point: NodeIndex, id: ActivityId, condition: Option<&Condition<'_>>, state: &AbstractState) {
        let outcome = condition.and_then(|condition| state.evaluate(condition));
        let depends_on_unset = condition.is_some_and(|condition| {
            condition.variables().any(|variable| state.variable(variable).is_some_and(|fact| !fact.assigned))
        });
        let outcomes = self.found.outcomes.entry(id).or_default();
        match outcome {
            Some(true) if !depends_on_unset => outcomes.is_true = true,
            Some(false) if !depends_on_unset => outcomes.is_false = true,
            _ => outcomes.open = true,
        }
        for way in [true, false] {
            if outcome.is_some_and(|outcome| outcome != way) {
                continue;
            }
            let mut state = state.clone();
            if let Some(condition) = condition {
                state.assume(condition, way);
            }
            self.note_decision(id, way, &mut state);
            self.follow(point, &[if way { Flow::True } else { Flow::False }], state);
        }
    }

    fn note_decision(&mut self, activity: ActivityId, outcome: bool, state: &mut AbstractState) {
        self.found.trail.push(Decision { previous: state.trail, activity, outcome });
        state.trail = u32::try_from(self.found.trail.len() - 1).ok();
    }

    fn follow(&mut self, point: NodeIndex, ways: &[Flow], state: AbstractState) {
        let control = self.program.control;
        let mut targets = control.graph.edges_directed(point, Direction::Outgoing).filter_map(|edge| {
            let from_outside = *edge.weight() != Flow::Back && edge.target() != point;
            ways.contains(edge.weight()).then_some((edge.target(), from_outside))
        });
        let Some(mut last) = targets.next() else { return };
        for target in targets {
            self.go(last, state.clone());
            last = target;
        }
        self.go(last, state);
    }

    fn go(&mut self, (target, from_outside): (NodeIndex, bool), state: AbstractState) {
        if from_outside && let Some(&Step::Run(id)) = self.program.control.graph.node_weight(target) {
            self.note_entry(id, &state);
        }
        self.arrive(target, state);
    }

    fn note_entry(&mut self, id: ActivityId, state: &AbstractState) {
        let is_loop =
            self.program.workflow.activity(id).is_some_and(|activity| matches!(activity.kind, Kind::While { .. }));
        if is_loop {
            self.found.entries.entry(id).and_modify(|known| known.join(state)).or_insert_with(|| state.clone());
        }
    }

    /// Queues a state at a point unless it is known there.
    fn arrive(&mut self, point: NodeIndex, mut state: AbstractState) {
        self.found.reached.insert(point);
        self.program.liveness.prune(point, &mut state);
        let seen = self.seen.entry(point).or_default();
        if let Some(merged) = &mut seen.merged {
            let mut joined = merged.clone();
            joined.join(&state);
            if joined == *merged {
                return;
            }
            joined.trail = state.trail;
            merged.clone_from(&joined);
            state = joined;
        } else {
            let fingerprint = state.fingerprint();
            if seen.fingerprints.contains(&fingerprint) && seen.states.contains(&state) {
                return;
            }
            seen.fingerprints.insert(fingerprint);
            seen.states.push(state.clone());
            if seen.states.len() > MAX_STATES {
                for known in std::mem::take(&mut seen.states) {
                    state.join(&known);
                }
                seen.merged = Some(state.clone());
                self.found.merged.insert(point);
            }
        }
        self.queues.entry(point).or_default().push_back(state);
        self.waiting.insert(point);
    }
}
