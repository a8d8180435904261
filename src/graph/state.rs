//! The abstract state of the variables on one path.

use std::hash::BuildHasher;
use std::rc::Rc;

use super::constant::Constant;
use super::effects::{Condition, OperandValue, VarId};
use super::slots::{Slot, Slots};
use super::value::AbstractValue;
use crate::model::{ActivityId, Operand};

/// What is known of one variable.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VariableState {
    /// Whether something has written it.
    pub assigned: bool,
    pub value: AbstractValue,
    /// The provider activity whose output it holds, and whether that was read since.
    pub output_of: Option<(ActivityId, bool)>,
}

/// Two variables of which it is known whether they are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Relation {
    /// The lower id comes first, so that a pair has one form.
    low: VarId,
    high: VarId,
    equal: bool,
}

/// What is known on one path to a point.
#[derive(Debug, Clone)]
pub struct AbstractState {
    slots: Rc<Slots>,
    variables: Vec<VariableState>,
    relations: Vec<Relation>,
    /// Whether it stands for several paths, so that what it does not know proves nothing.
    pub merged: bool,
    /// The last decision on the path, an index into `Paths::trail`.
    pub trail: Option<u32>,
}

impl PartialEq for AbstractState {
    fn eq(&self, other: &Self) -> bool {
        self.merged == other.merged && self.variables == other.variables && self.relations == other.relations
    }
}

impl AbstractState {
    /// By slot.
    pub const fn new(slots: Rc<Slots>, variables: Vec<VariableState>) -> Self {
        Self { slots, variables, relations: Vec::new(), merged: false, trail: None }
    }

    /// How much work handling it is, in entries.
    pub const fn size(&self) -> usize {
        self.variables.len() + self.relations.len() + 8
    }

    /// A hash of what is known, the trail left out.
    pub fn fingerprint(&self) -> u64 {
        // One seed within a run of the program, and no output depends on it.
        foldhash::fast::FixedState::default().hash_one((&self.variables, &self.relations, self.merged))
    }

    /// What is known of a variable.
    pub fn variable(&self, id: VarId) -> Option<&VariableState> {
        self.variables.get(self.slots.get(id)?.index())
    }

    /// What is known of a variable, to be changed.
    pub fn variable_mut(&mut self, id: VarId) -> Option<&mut VariableState> {
        self.variables.get_mut(self.slots.get(id)?.index())
    }

    /// Gives a variable a value; what was known of its old one goes.
    pub fn write(&mut self, id: VarId, value: AbstractValue) {
        self.forget_relations(id);
        if let Some(variable) = self.variable_mut(id) {
            *variable = VariableState { assigned: true, value, output_of: None };
        }
    }

    /// Gives a variable the value of another.
    pub fn copy(&mut self, from: VarId, to: VarId) {
        if from == to {
            return;
        }
        let value = self.variable(from).map_or(AbstractValue::Any, |variable| variable.value.clone());
        self.write(to, value);
        if self.variable(from).is_some() && self.variable(to).is_some() {
            self.relate(from, to, true);
        }
    }

    /// Drops what is known of a variable's value.
    pub fn forget(&mut self, id: VarId) {
        self.forget_relations(id);
        if let Some(variable) = self.variable_mut(id) {
            variable.value = AbstractValue::Any;
        }
    }

    fn forget_relations(&mut self, id: VarId) {
        self.relations.retain(|relation| relation.low != id && relation.high != id);
    }

    fn relate(&mut self, a: VarId, b: VarId, equal: bool) {
        let relation = Relation { low: a.min(b), high: a.max(b), equal };
        if let Err(place) = self.relations.binary_search(&relation) {
            self.relations.insert(place, relation);
        }
    }

    /// Whether a condition is true here; `None` when it cannot be told.
    pub fn evaluate(&self, condition: &Condition<'_>) -> Option<bool> {
        let equal = match (condition.left, condition.right) {
            (OperandValue::Literal(a), OperandValue::Literal(b)) => {
                Some(Constant::literal(a).equals(&Constant::literal(b)))
            }
            (OperandValue::Variable(id), OperandValue::Literal(literal))
            | (OperandValue::Literal(literal), OperandValue::Variable(id)) => {
                self.variable(id)?.value.equals(&Constant::literal(literal))
            }
            (OperandValue::Variable(a), OperandValue::Variable(b)) if a == b => Some(true),
            (OperandValue::Variable(a), OperandValue::Variable(b)) => self.compare(a, b),
            _ => None,
        }?;
        Some(equal == (condition.operand == Operand::Equal))
    }

    fn compare(&self, a: VarId, b: VarId) -> Option<bool> {
        let (low, high) = (a.min(b), a.max(b));
        let known = self.relations.iter().find(|relation| (relation.low, relation.high) == (low, high));
        if let Some(relation) = known {
            return Some(relation.equal);
        }
        match (&self.variable(a)?.value, &self.variable(b)?.value) {
            (AbstractValue::Is(a), b) => b.equals(a),
            (a, AbstractValue::Is(b)) => a.equals(b),
            _ => None,
        }
    }

    /// Adds what a condition's being true, or false, tells.
    pub fn assume(&mut self, condition: &Condition<'_>, holds: bool) {
        let equal = holds == (condition.operand == Operand::Equal);
        match (condition.left, condition.right) {
            (OperandValue::Variable(id), OperandValue::Literal(literal))
            | (OperandValue::Literal(literal), OperandValue::Variable(id)) => {
                self.learn(id, Constant::literal(literal), equal);
            }
            (OperandValue::Variable(a), OperandValue::Variable(b)) if a != b => {
                let (known_a, known_b) = (self.constant(a), self.constant(b));
                if let Some(constant) = known_a {
                    self.learn(b, constant, equal);
                }
                if let Some(constant) = known_b {
                    self.learn(a, constant, equal);
                }
                self.relate(a, b, equal);
            }
            _ => {}
        }
    }

    fn constant(&self, id: VarId) -> Option<Constant> {
        match &self.variable(id)?.value {
            AbstractValue::Is(constant) => Some(constant.clone()),
            _ => None,
        }
    }

    fn learn(&mut self, id: VarId, constant: Constant, equal: bool) {
        if let Some(variable) = self.variable_mut(id) {
            variable.value.learn(constant, equal);
        }
    }

    /// Makes this state stand for another path as well.
    pub fn join(&mut self, other: &Self) {
        self.merged = true;
        for (variable, other) in self.variables.iter_mut().zip(&other.variables) {
            variable.assigned &= other.assigned;
            variable.value.join(&other.value);
            if variable.output_of != other.output_of {
                variable.output_of = None;
            }
        }
        self.relations.retain(|relation| other.relations.contains(relation));
    }

    /// Drops what no later read or condition can use, so that paths that differ in nothing that
    /// matters are one.
    pub fn prune(&mut self, is_read_later: impl Fn(Slot) -> bool, is_tested_later: impl Fn(Slot) -> bool) {
        for (slot, variable) in self.slots.all().zip(&mut self.variables) {
            variable.assigned |= !is_read_later(slot);
            if variable.value != AbstractValue::Any && !is_tested_later(slot) {
                variable.value = AbstractValue::Any;
            }
        }
        let slots = &self.slots;
        let is_of_use = |id| slots.get(id).is_some_and(&is_tested_later);
        self.relations.retain(|relation| is_of_use(relation.low) && is_of_use(relation.high));
    }
}
