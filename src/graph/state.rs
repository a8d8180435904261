//! The abstract state: what is known of all variables on one path.
//!
//! A product of one lattice element for each variable (`value`) and a set of relations between two variables. In the
//! join a fact stays only if both states have it.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use super::constant::Constant;
use super::effects::VarId;
use super::known_values::{KnownValues, ValueId};
use super::path_query::Facts;
use super::slots::{Slot, Slots};
use super::value::AbstractValue;
use crate::collections::SharedList;
use crate::model::ActivityId;

/// What is known of a variable when the workflow starts.
pub struct StartValue {
    /// Whether the variable is definitely assigned.
    pub assigned: bool,
    pub value: AbstractValue,
}

#[derive(Debug, Clone, Copy)]
pub struct VariableState {
    /// Whether the variable is definitely assigned.
    pub assigned: bool,
    pub value: ValueId,
    /// What `value` is known from.
    pub origin: FactOrigin,
    /// The output that the variable holds: its reaching definition, kept only for colliding variables.
    pub output: Option<HeldOutput>,
}

/// Where a fact comes from. It explains findings, and states that differ only in it are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactOrigin {
    /// The value when the workflow starts.
    Start,
    /// The activity that wrote the variable.
    Write(ActivityId),
    /// A condition on the path; which one is in the trail.
    Test,
}

impl VariableState {
    /// What makes two states different.
    const fn facts(&self) -> (bool, ValueId, Option<HeldOutput>) {
        (self.assigned, self.value, self.output)
    }
}

impl PartialEq for VariableState {
    fn eq(&self, other: &Self) -> bool {
        self.facts() == other.facts()
    }
}

impl Hash for VariableState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (assigned, value, output) = self.facts();
        // One number in most cases: each state is hashed at each activity.
        let number = u64::from(value.number()) << 2 | u64::from(assigned) << 1 | u64::from(output.is_some());
        state.write_u64(number);
        if let Some(output) = output {
            output.hash(state);
        }
    }
}

/// An output of a provider activity in a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HeldOutput {
    pub writer: ActivityId,
    /// Whether something has read it since.
    pub was_read: bool,
    /// Whether an input of the writer has been written since, so that the same call has another result.
    pub input_changed: bool,
}

/// Two variables that are known to be equal, or known to differ, whatever their values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Relation {
    /// The lower id comes first, so that a pair has one form.
    low: VarId,
    high: VarId,
    pub(super) equal: bool,
    pub(super) origin: FactOrigin,
}

impl Relation {
    /// What makes two relations different.
    const fn facts(&self) -> (VarId, VarId, bool) {
        (self.low, self.high, self.equal)
    }
}

impl PartialEq for Relation {
    fn eq(&self, other: &Self) -> bool {
        self.facts() == other.facts()
    }
}

impl Hash for Relation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.facts().hash(state);
    }
}

/// With more relations, a new copy is related to the variable that is copied alone.
const MAX_COPIES: usize = 16;

#[derive(Debug, Clone)]
pub struct AbstractState {
    frame: Arc<Frame>,
    /// By slot. States that differ in their relations or trails alone share them.
    variables: Arc<[VariableState]>,
    /// Sorted, so that equal sets are equal lists.
    relations: SharedList<Relation>,
    /// Whether it is a join of several paths, or of a path that no order takes, so that an unknown fact proves nothing.
    pub merged: bool,
    /// The facts of a query; empty without one.
    pub facts: Facts,
    /// The last decision on the path, an index into `Paths::trail`.
    pub trail: Option<u32>,
}

/// What the states of one exploration share.
#[derive(Debug)]
struct Frame {
    slots: Arc<Slots>,
    values: KnownValues,
}

/// Ignores the trail: it only explains how a path came here, and states with equal facts have equal successors.
impl PartialEq for AbstractState {
    fn eq(&self, other: &Self) -> bool {
        // The lists of a few entries first.
        self.has_equal_lists(other)
            && (Arc::ptr_eq(&self.variables, &other.variables) || self.variables == other.variables)
    }
}

fn hash(value: &impl Hash) -> u64 {
    // One seed within a run of the program, and no output depends on it.
    foldhash::fast::FixedState::default().hash_one(value)
}

impl AbstractState {
    /// `start` is by slot.
    pub fn new(slots: Arc<Slots>, start: impl Iterator<Item = StartValue>) -> Self {
        let values = KnownValues::default();
        let variable = |StartValue { assigned, value }| {
            let value = values.id(value);
            VariableState { assigned, value, origin: FactOrigin::Start, output: None }
        };
        Self {
            variables: start.map(variable).collect(),
            frame: Arc::new(Frame { slots, values }),
            relations: SharedList::default(),
            merged: false,
            facts: Facts::default(),
            trail: None,
        }
    }

    /// The state from which another exploration starts. Its values are its own, so that it depends on no other one.
    #[must_use]
    pub fn for_exploration(&self) -> Self {
        let values = KnownValues::default();
        let renumbered = |variable: &VariableState| {
            let value = if variable.value.is_known() { values.id(self.value_of(variable)) } else { variable.value };
            VariableState { value, ..*variable }
        };
        let variables = self.variables.iter().map(renumbered).collect();
        Self {
            variables,
            frame: Arc::new(Frame { slots: Arc::clone(&self.frame.slots), values }),
            trail: None,
            ..self.clone()
        }
    }

    /// By slot.
    pub fn variables(&self) -> &[VariableState] {
        &self.variables
    }

    /// The value of one of its variables.
    pub fn value_of(&self, variable: &VariableState) -> AbstractValue {
        self.values().get(variable.value)
    }

    /// Those of its exploration.
    pub(super) fn values(&self) -> &KnownValues {
        &self.frame.values
    }

    /// The cost of handling it, in entries.
    pub fn size(&self) -> usize {
        self.variables.len() + self.relations.len() + self.facts.len() + 8
    }

    /// A hash of what `PartialEq` compares: those of all variables, and of the others.
    pub fn fingerprint(&self) -> u64 {
        let variables = self.frame.slots.all().zip(self.variables.iter());
        let others = hash(&(&self.relations, self.merged, &self.facts));
        variables.fold(others, |all, (slot, variable)| all ^ hash(&(slot, variable)))
    }

    /// The part of the fingerprint that a variable adds: without it, two states are equal if they differ only in it.
    pub(super) fn fingerprint_of(&self, slot: Slot) -> u64 {
        self.at(slot).map_or(0, |variable| hash(&(slot, variable)))
    }

    pub(super) fn at(&self, slot: Slot) -> Option<&VariableState> {
        self.variables.get(slot.index())
    }

    pub(super) fn set(&mut self, slot: Slot, known: VariableState) {
        if let Some(variable) = Arc::make_mut(&mut self.variables).get_mut(slot.index()) {
            *variable = known;
        }
    }

    /// Whether two states differ in this variable at most.
    pub(super) fn equals_but_for(&self, other: &Self, slot: Slot) -> bool {
        let mut pairs = self.frame.slots.all().zip(self.variables.iter().zip(other.variables.iter()));
        self.has_equal_lists(other) && pairs.all(|(at, (known, other))| at == slot || known == other)
    }

    fn has_equal_lists(&self, other: &Self) -> bool {
        self.merged == other.merged && self.facts == other.facts && self.relations == other.relations
    }

    /// `None` for a variable without a slot.
    pub fn variable(&self, id: VarId) -> Option<&VariableState> {
        self.variables.get(self.frame.slots.get(id)?.index())
    }

    pub fn variable_mut(&mut self, id: VarId) -> Option<&mut VariableState> {
        Arc::make_mut(&mut self.variables).get_mut(self.frame.slots.get(id)?.index())
    }

    /// A strong update: facts about the old value are dropped.
    pub fn write(&mut self, id: VarId, value: AbstractValue, by: ActivityId) {
        let value = self.values().id(value);
        self.write_known(id, value, by);
    }

    fn write_known(&mut self, id: VarId, value: ValueId, by: ActivityId) {
        self.forget_relations(id);
        if let Some(variable) = self.variable_mut(id) {
            *variable = VariableState { assigned: true, value, origin: FactOrigin::Write(by), output: None };
        }
    }

    /// Writes the value of `from` to `to`, and records that they are equal until one is written again.
    pub fn copy(&mut self, from: VarId, to: VarId, by: ActivityId) {
        if from == to {
            return;
        }
        let value = self.variable(from).map_or(ValueId::ANY, |variable| variable.value);
        self.write_known(to, value, by);
        if self.variable(from).is_some() && self.variable(to).is_some() {
            // The new variable equals the other copies as well, also when the first one is written again.
            let room = MAX_COPIES.saturating_sub(self.relations.len());
            let copies: Vec<VarId> = self.copies_of(from).take(room).collect();
            for copy in copies {
                self.relate(copy, to, true, FactOrigin::Write(by));
            }
            self.relate(from, to, true, FactOrigin::Write(by));
        }
    }

    /// Drops all facts about a variable's value.
    pub fn forget(&mut self, id: VarId) {
        self.forget_relations(id);
        if let Some(variable) = self.variable_mut(id) {
            variable.value = ValueId::ANY;
        }
    }

    /// A variable was written that is an input of some provider activities.
    pub fn change_input(&mut self, is_of: impl Fn(ActivityId) -> bool) {
        let changes = |output: &HeldOutput| !output.input_changed && is_of(output.writer);
        if !self.variables.iter().filter_map(|variable| variable.output.as_ref()).any(changes) {
            return;
        }
        for output in Arc::make_mut(&mut self.variables).iter_mut().filter_map(|variable| variable.output.as_mut()) {
            output.input_changed |= is_of(output.writer);
        }
    }

    fn forget_relations(&mut self, id: VarId) {
        self.relations.retain(|relation| relation.low != id && relation.high != id);
    }

    pub(super) fn relate(&mut self, a: VarId, b: VarId, equal: bool, origin: FactOrigin) {
        let relation = Relation { low: a.min(b), high: a.max(b), equal, origin };
        if let Err(index) = self.relations.binary_search_by_key(&relation.facts(), Relation::facts) {
            self.relations.insert(index, relation);
        }
    }

    /// The variables that are known to be equal to one, by one relation.
    pub(super) fn copies_of(&self, id: VarId) -> impl Iterator<Item = VarId> {
        self.relations.iter().filter(|relation| relation.equal).filter_map(move |relation| match relation {
            Relation { low, high, .. } if *low == id => Some(*high),
            Relation { low, high, .. } if *high == id => Some(*low),
            _ => None,
        })
    }

    pub(super) fn relation(&self, a: VarId, b: VarId) -> Option<&Relation> {
        let (low, high) = (a.min(b), a.max(b));
        self.relations.iter().find(|relation| (relation.low, relation.high) == (low, high))
    }

    /// Whether another variable is known to be equal to it.
    pub fn is_copied(&self, id: VarId) -> bool {
        self.copies_of(id).next().is_some()
    }

    /// The join of the lattice: afterwards this state describes the paths of both.
    pub fn join(&mut self, other: &Self) {
        self.merged = true;
        for (variable, other) in Arc::make_mut(&mut self.variables).iter_mut().zip(other.variables.iter()) {
            variable.assigned &= other.assigned;
            variable.value = self.frame.values.join(variable.value, other.value);
            if variable.output != other.output {
                variable.output = None;
            }
        }
        self.relations.retain(|relation| other.relations.contains(relation));
        self.facts.join(&other.facts);
    }

    /// Gives live variables what is known of dead ones that are equal to them.
    fn hand_on(&mut self, is_live: impl Fn(VarId) -> bool) {
        for index in 0..self.relations.len() {
            let Some(&Relation { low, high, equal: true, .. }) = self.relations.get(index) else { continue };
            let (from, to) = match (is_live(low), is_live(high)) {
                (false, true) => (low, high),
                (true, false) => (high, low),
                _ => continue,
            };
            let Some((known, other)) = self.variable(from).zip(self.variable(to)) else { continue };
            let (origin, values) = (known.origin, self.values());
            let value = match self.value_of(known) {
                AbstractValue::Is(constant) => values.refine(other.value, constant, true),
                AbstractValue::Not(others) => {
                    let refine = |value, constant: &Constant| values.refine(value, constant.clone(), false);
                    others.iter().fold(other.value, refine)
                }
                AbstractValue::Any | AbstractValue::Unset => continue,
            };
            if value != other.value
                && let Some(variable) = self.variable_mut(to)
            {
                (variable.value, variable.origin) = (value, origin);
            }
        }
    }

    /// Drops dead facts, which no later read or condition uses, so that states that differ only in these are equal.
    pub fn prune(&mut self, is_read_later: impl Fn(Slot) -> bool, is_tested_later: impl Fn(Slot) -> bool) {
        if !self.relations.is_empty() {
            let frame = Arc::clone(&self.frame);
            self.hand_on(|id| frame.slots.get(id).is_some_and(&is_tested_later));
        }
        // `true` is the neutral value of this flag: only a later read asks for it.
        let is_unread = |slot, variable: &VariableState| !variable.assigned && !is_read_later(slot);
        let is_untested = |slot, variable: &VariableState| variable.value != ValueId::ANY && !is_tested_later(slot);
        let is_dead = |(slot, variable)| is_unread(slot, variable) || is_untested(slot, variable);
        let slots = &self.frame.slots;
        if slots.all().zip(self.variables.iter()).any(is_dead) {
            for (slot, variable) in slots.all().zip(Arc::make_mut(&mut self.variables).iter_mut()) {
                variable.assigned |= is_unread(slot, variable);
                if is_untested(slot, variable) {
                    variable.value = ValueId::ANY;
                }
            }
        }
        let is_live = |id| slots.get(id).is_some_and(&is_tested_later);
        self.relations.retain(|relation| is_live(relation.low) && is_live(relation.high));
    }
}
