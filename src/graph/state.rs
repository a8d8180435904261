//! The abstract state: what is known of all variables on one path.
//!
//! A product of one lattice element for each variable (`value`) and a set of relations between two variables. In the
//! join a fact stays only if both states have it.

use std::rc::Rc;

use super::effects::VarId;
use super::path_query::QueryFacts;
use super::value::AbstractValue;
use crate::common::collections::SharedList;
use crate::model::ActivityId;

/// Index among the tracked variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot(u32);

impl Slot {
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The tracked variables: those that a condition tests, that may be read before they are written, or that different
/// provider calls write. No rule needs the state of the others, which would only enlarge every state.
#[derive(Debug, Default)]
pub struct Slots {
    by_variable: Vec<Option<Slot>>,
    variables: Vec<VarId>,
}

impl Slots {
    pub fn new(names: impl Iterator<Item = VarId>, is_tracked: impl Fn(VarId) -> bool) -> Self {
        let mut slots = Self::default();
        for id in names {
            let slot = u32::try_from(slots.variables.len()).ok().map(Slot).filter(|_| is_tracked(id));
            slots.by_variable.push(slot);
            slots.variables.extend(slot.map(|_| id));
        }
        slots
    }

    pub fn all(&self) -> impl Iterator<Item = Slot> + use<> {
        (0..u32::try_from(self.variables.len()).unwrap_or(u32::MAX)).map(Slot)
    }

    pub fn get(&self, id: VarId) -> Option<Slot> {
        self.by_variable.get(id.0 as usize).copied().flatten()
    }

    /// By slot.
    pub fn variables(&self) -> &[VarId] {
        &self.variables
    }
}

#[derive(Debug, Clone)]
pub struct VariableState<'p> {
    /// Whether the variable is definitely assigned.
    pub assigned: bool,
    pub value: AbstractValue<'p>,
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

impl PartialEq for VariableState<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.assigned == other.assigned && self.value == other.value && self.output == other.output
    }
}

/// An output of a provider activity in a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// With more relations, a new copy is related to the variable that is copied alone.
const MAX_COPIES: usize = 16;

#[derive(Debug, Clone)]
pub struct AbstractState<'p> {
    slots: Rc<Slots>,
    /// By slot. States that differ in their relations or trails alone share them.
    variables: Rc<[VariableState<'p>]>,
    /// Sorted, so that equal sets are equal lists.
    relations: SharedList<Relation>,
    /// Whether it is a join of several paths, or of a path that no order takes, so that an unknown fact proves nothing.
    pub merged: bool,
    /// The facts of a query; empty without one.
    pub facts: QueryFacts,
    pub trail: DecisionTrail,
}

/// Ignores the trail: it only explains how a path came here, and states with equal facts have equal successors.
impl PartialEq for AbstractState<'_> {
    fn eq(&self, other: &Self) -> bool {
        // The lists of a few entries first.
        self.has_equal_lists(other)
            && (Rc::ptr_eq(&self.variables, &other.variables) || self.variables == other.variables)
    }
}

impl<'p> AbstractState<'p> {
    /// `start` is, by slot, whether a variable is definitely assigned, and its value.
    pub fn new(slots: Rc<Slots>, start: impl Iterator<Item = (bool, AbstractValue<'p>)>) -> Self {
        let variable = |(assigned, value)| VariableState { assigned, value, origin: FactOrigin::Start, output: None };
        Self {
            slots,
            variables: start.map(variable).collect(),
            relations: SharedList::default(),
            merged: false,
            facts: QueryFacts::default(),
            trail: DecisionTrail::default(),
        }
    }

    /// The cost of handling it, in entries.
    pub fn size(&self) -> usize {
        self.variables.len() + self.relations.len() + self.facts.len() + 8
    }

    pub(super) fn at(&self, slot: Slot) -> Option<&VariableState<'p>> {
        self.variables.get(slot.index())
    }

    pub(super) fn set(&mut self, slot: Slot, known: VariableState<'p>) {
        if let Some(variable) = Rc::make_mut(&mut self.variables).get_mut(slot.index()) {
            *variable = known;
        }
    }

    /// The only variable in which two states differ, if they differ in nothing else.
    pub(super) fn only_difference(&self, other: &Self) -> Option<Slot> {
        let pairs = self.slots.all().zip(self.variables.iter().zip(other.variables.iter()));
        let mut differing = pairs.filter(|(_, (known, other))| known != other).map(|(slot, _)| slot);
        let slot = differing.next()?;
        (differing.next().is_none() && self.has_equal_lists(other)).then_some(slot)
    }

    fn has_equal_lists(&self, other: &Self) -> bool {
        self.merged == other.merged && self.facts == other.facts && self.relations == other.relations
    }

    /// `None` for a variable without a slot.
    pub fn variable(&self, id: VarId) -> Option<&VariableState<'p>> {
        self.at(self.slots.get(id)?)
    }

    pub fn variable_mut(&mut self, id: VarId) -> Option<&mut VariableState<'p>> {
        let slot = self.slots.get(id)?;
        Rc::make_mut(&mut self.variables).get_mut(slot.index())
    }

    /// A strong update: facts about the old value are dropped.
    pub fn write(&mut self, id: VarId, value: AbstractValue<'p>, by: ActivityId) {
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

    /// Something may have written a variable: it counts as assigned, and nothing is known of its value.
    pub fn write_unknown(&mut self, id: VarId) {
        self.forget_relations(id);
        if let Some(variable) = self.variable_mut(id) {
            (variable.assigned, variable.value, variable.output) = (true, AbstractValue::Any, None);
        }
    }

    /// A variable was written that is an input of some provider activities.
    pub fn change_input(&mut self, is_of: impl Fn(ActivityId) -> bool) {
        let changes = |output: &HeldOutput| !output.input_changed && is_of(output.writer);
        if !self.variables.iter().filter_map(|variable| variable.output.as_ref()).any(changes) {
            return;
        }
        for output in Rc::make_mut(&mut self.variables).iter_mut().filter_map(|variable| variable.output.as_mut()) {
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
        for (variable, other) in Rc::make_mut(&mut self.variables).iter_mut().zip(other.variables.iter()) {
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
            let Some((known, other)) = self.variable(from).zip(self.variable(to)) else { continue };
            let (mut value, origin) = (other.value.clone(), known.origin);
            let is_changed = match &known.value {
                AbstractValue::Is(constant) => value.refine(*constant, true),
                AbstractValue::Not(others) => {
                    others.iter().filter(|constant| value.refine(**constant, false)).count() > 0
                }
                AbstractValue::Any | AbstractValue::Unset => false,
            };
            if let Some(variable) = is_changed.then(|| self.variable_mut(to)).flatten() {
                (variable.value, variable.origin) = (value, origin);
            }
        }
    }

    /// Drops dead facts, which no later read or condition uses, so that states that differ only in these are equal.
    pub fn prune(&mut self, is_read_later: impl Fn(Slot) -> bool, is_tested_later: impl Fn(Slot) -> bool) {
        let slots = Rc::clone(&self.slots);
        let is_live = |id| slots.get(id).is_some_and(&is_tested_later);
        if !self.relations.is_empty() {
            self.hand_on(is_live);
            self.relations.retain(|relation| is_live(relation.low) && is_live(relation.high));
        }
        // `true` is the neutral value of this flag: only a later read asks for it.
        let is_unread = |slot, variable: &VariableState<'_>| !variable.assigned && !is_read_later(slot);
        let is_untested =
            |slot, variable: &VariableState<'_>| variable.value != AbstractValue::Any && !is_tested_later(slot);
        let is_dead = |(slot, variable)| is_unread(slot, variable) || is_untested(slot, variable);
        if slots.all().zip(self.variables.iter()).any(is_dead) {
            for (slot, variable) in slots.all().zip(Rc::make_mut(&mut self.variables).iter_mut()) {
                variable.assigned |= is_unread(slot, variable);
                if is_untested(slot, variable) {
                    variable.value = AbstractValue::Any;
                }
            }
        }
    }
}

/// A decision on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The While, If, Approval or Provider.
    pub activity: ActivityId,
    /// Whether its condition was true, it was approved, or the call succeeded.
    pub outcome: bool,
}

/// The decisions of one path. Paths with a common beginning share it: each decision points to the one before it.
#[derive(Debug, Clone, Default)]
pub struct DecisionTrail(Option<Rc<(Decision, DecisionTrail)>>);

impl DecisionTrail {
    pub fn push(&mut self, decision: Decision) {
        self.0 = Some(Rc::new((decision, std::mem::take(self))));
    }

    /// The last one first.
    pub fn decisions(&self) -> impl Iterator<Item = Decision> {
        let mut next = self;
        std::iter::from_fn(move || {
            let (decision, previous) = next.0.as_deref()?;
            next = previous;
            Some(*decision)
        })
    }
}

/// One after the other: a path may be too long to recurse along it.
impl Drop for DecisionTrail {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some((_, mut previous)) = next.and_then(Rc::into_inner) {
            next = previous.0.take();
        }
    }
}
