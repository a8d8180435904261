//! The abstract state: what is known of all variables on one path.
//!
//! A product of one lattice element for each variable (`value`) and a set of relations between two variables. In the
//! join a fact stays only if both states have it.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use super::effects::VarId;
use super::path_query::Facts;
use super::slots::{Slot, Slots};
use super::value::AbstractValue;
use crate::collections::SharedList;
use crate::model::ActivityId;

#[derive(Debug, Clone)]
pub struct VariableState {
    /// Whether the variable is definitely assigned.
    pub assigned: bool,
    pub value: AbstractValue,
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
    const fn facts(&self) -> (bool, &AbstractValue, Option<HeldOutput>) {
        (self.assigned, &self.value, self.output)
    }
}

impl PartialEq for VariableState {
    fn eq(&self, other: &Self) -> bool {
        self.facts() == other.facts()
    }
}

impl Hash for VariableState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.facts().hash(state);
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
    slots: Arc<Slots>,
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

/// Ignores the trail: it only explains how a path came here, and states with equal facts have equal successors.
impl PartialEq for AbstractState {
    fn eq(&self, other: &Self) -> bool {
        self.merged == other.merged
            // The lists of a few entries first.
            && self.facts == other.facts
            && self.relations == other.relations
            && (Arc::ptr_eq(&self.variables, &other.variables) || self.variables == other.variables)
    }
}

impl AbstractState {
    /// `variables` are by slot.
    pub fn new(slots: Arc<Slots>, variables: Arc<[VariableState]>) -> Self {
        Self { slots, variables, relations: SharedList::default(), merged: false, facts: Facts::default(), trail: None }
    }

    /// By slot.
    pub fn variables(&self) -> &[VariableState] {
        &self.variables
    }

    /// The cost of handling it, in entries.
    pub fn size(&self) -> usize {
        self.variables.len() + self.relations.len() + self.facts.len() + 8
    }

    /// A hash of what `PartialEq` compares.
    pub fn fingerprint(&self) -> u64 {
        // One seed within a run of the program, and no output depends on it.
        foldhash::fast::FixedState::default().hash_one((&self.variables, &self.relations, self.merged, &self.facts))
    }

    /// `None` for a variable without a slot.
    pub fn variable(&self, id: VarId) -> Option<&VariableState> {
        self.variables.get(self.slots.get(id)?.index())
    }

    pub fn variable_mut(&mut self, id: VarId) -> Option<&mut VariableState> {
        Arc::make_mut(&mut self.variables).get_mut(self.slots.get(id)?.index())
    }

    /// A strong update: facts about the old value are dropped.
    pub fn write(&mut self, id: VarId, value: AbstractValue, by: ActivityId) {
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
        let value = self.variable(from).map_or(AbstractValue::Any, |variable| variable.value.clone());
        self.write(to, value, by);
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
            variable.value = AbstractValue::Any;
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
            variable.value.join(&other.value);
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
            let known = self.variable(from).map(|variable| (variable.value.clone(), variable.origin));
            let Some((variable, (value, origin))) = self.variable_mut(to).zip(known) else { continue };
            let is_new = match value {
                AbstractValue::Is(constant) => variable.value.refine(constant, true),
                AbstractValue::Not(others) => {
                    let mut is_new = false;
                    for other in others.iter() {
                        is_new |= variable.value.refine(other.clone(), false);
                    }
                    is_new
                }
                AbstractValue::Any | AbstractValue::Unset => false,
            };
            if is_new {
                variable.origin = origin;
            }
        }
    }

    /// Drops dead facts, which no later read or condition uses, so that states that differ only in these are equal.
    pub fn prune(&mut self, is_read_later: impl Fn(Slot) -> bool, is_tested_later: impl Fn(Slot) -> bool) {
        if !self.relations.is_empty() {
            let slots = Arc::clone(&self.slots);
            self.hand_on(|id| slots.get(id).is_some_and(&is_tested_later));
        }
        // `true` is the neutral value of this flag: only a later read asks for it.
        let is_unread = |slot, variable: &VariableState| !variable.assigned && !is_read_later(slot);
        let is_untested =
            |slot, variable: &VariableState| variable.value != AbstractValue::Any && !is_tested_later(slot);
        let is_dead = |(slot, variable)| is_unread(slot, variable) || is_untested(slot, variable);
        if self.slots.all().zip(self.variables.iter()).any(is_dead) {
            for (slot, variable) in self.slots.all().zip(Arc::make_mut(&mut self.variables).iter_mut()) {
                variable.assigned |= is_unread(slot, variable);
                if is_untested(slot, variable) {
                    variable.value = AbstractValue::Any;
                }
            }
        }
        let slots = &self.slots;
        let is_live = |id| slots.get(id).is_some_and(&is_tested_later);
        self.relations.retain(|relation| is_live(relation.low) && is_live(relation.high));
    }
}
