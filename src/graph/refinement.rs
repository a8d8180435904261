//! Conditions in an abstract state: whether they hold, and what their outcome adds to the state.

use super::effects::{Condition, OperandValue, VarId};
use super::start::Choices;
use super::state::{AbstractState, FactOrigin};
use super::value::{AbstractValue, Constant};
use crate::model::{Literal, Operand};

impl<'p> AbstractState<'p> {
    /// Whether a condition holds in this state; `None` if it is undecided.
    pub fn evaluate(&self, condition: &Condition<'_>) -> Option<bool> {
        let equal = match (condition.left, condition.right) {
            (OperandValue::Literal(a), OperandValue::Literal(b)) => {
                Some(Constant::literal(a).equals(Constant::literal(b)))
            }
            (OperandValue::Variable(id), OperandValue::Literal(literal))
            | (OperandValue::Literal(literal), OperandValue::Variable(id)) => self.equals_literal(id, literal),
            (OperandValue::Variable(a), OperandValue::Variable(b)) if a == b => Some(true),
            (OperandValue::Variable(a), OperandValue::Variable(b)) => self.compare(a, b),
            _ => None,
        }?;
        Some(equal == (condition.operand == Operand::Equal))
    }

    /// Whether a condition holds with these variables unset; `None` without any.
    pub fn evaluate_unset(&self, condition: &Condition<'_>, unset: &[VarId]) -> Option<bool> {
        if unset.is_empty() {
            return None;
        }
        let mut state = self.clone();
        for &variable in unset {
            state.empty(variable);
        }
        state.evaluate(condition)
    }

    /// Whether a variable, or one that is known to be equal to it, equals a constant.
    fn equals(&self, id: VarId, constant: Constant<'_>) -> Option<bool> {
        let known = |id| self.variable(id).and_then(|variable| variable.value.equals(constant));
        known(id).or_else(|| self.copies_of(id).find_map(known))
    }

    /// As [`Self::equals`], of a literal. Of most variables nothing is known, and a number would have to be parsed.
    fn equals_literal(&self, id: VarId, literal: Literal<'_>) -> Option<bool> {
        let is_known = |id| self.variable(id).is_some_and(|variable| variable.value.is_known());
        let has_known = is_known(id) || self.copies_of(id).any(is_known);
        has_known.then(|| self.equals(id, Constant::literal(literal))).flatten()
    }

    /// What the outcome of a condition that this state decides is known from.
    pub fn origins(&self, condition: &Condition<'_>) -> Vec<(VarId, FactOrigin)> {
        if let (OperandValue::Variable(a), OperandValue::Variable(b)) = (condition.left, condition.right)
            && let Some(relation) = self.relation(a, b)
        {
            return vec![(a, relation.origin)];
        }
        let origin = |id| Some((id, self.variable(id)?.origin));
        condition.variables().filter_map(origin).collect()
    }

    fn compare(&self, a: VarId, b: VarId) -> Option<bool> {
        if let Some(relation) = self.relation(a, b) {
            return Some(relation.equal);
        }
        // Two unknown values, or two sets of exclusions, say nothing about each other.
        match (&self.variable(a)?.value, &self.variable(b)?.value) {
            (AbstractValue::Is(a), b) => b.equals(*a),
            (a, AbstractValue::Is(b)) => a.equals(*b),
            _ => None,
        }
    }

    /// Refines the state by the result of a condition.
    pub fn assume(&mut self, condition: &Condition<'p>, holds: bool) {
        let equal = holds == (condition.operand == Operand::Equal);
        match (condition.left, condition.right) {
            (OperandValue::Variable(id), OperandValue::Literal(literal))
            | (OperandValue::Literal(literal), OperandValue::Variable(id)) => {
                self.refine(id, Constant::literal(literal), equal);
            }
            (OperandValue::Variable(a), OperandValue::Variable(b)) if a != b => {
                // Both constants are read first: the first refinement may make the other value a constant.
                let (constant_a, constant_b) = (self.constant(a), self.constant(b));
                if let Some(constant) = constant_a {
                    self.refine(b, constant, equal);
                }
                if let Some(constant) = constant_b {
                    self.refine(a, constant, equal);
                }
                self.relate(a, b, equal, FactOrigin::Test);
            }
            _ => {}
        }
    }

    fn constant(&self, id: VarId) -> Option<Constant<'p>> {
        match self.variable(id)?.value {
            AbstractValue::Is(constant) => Some(constant),
            _ => None,
        }
    }

    fn refine(&mut self, id: VarId, constant: Constant<'p>, equal: bool) {
        let Some(mut value) = self.variable(id).map(|variable| variable.value.clone()) else { return };
        // A state that stays the same keeps sharing its memory.
        if value.refine(constant, equal)
            && let Some(variable) = self.variable_mut(id)
        {
            (variable.value, variable.origin) = (value, FactOrigin::Test);
        }
    }

    /// Whether none of the items of its drop-down is left for a variable of a condition, so that no order takes this
    /// path. A condition that only such a path reaches may still be meant for items that are added later, so the path
    /// is followed, but proves nothing.
    pub fn excludes_all_choices(&self, condition: &Condition<'_>, choices: &Choices<'_>) -> bool {
        condition.variables().any(|id| {
            let choice = choices.get(&id).zip(self.variable(id));
            choice.is_some_and(|(choice, variable)| choice.is_excluded(&variable.value))
        })
    }

    fn is_unset(&self, id: VarId) -> bool {
        self.variable(id).is_some_and(|variable| variable.value == AbstractValue::Unset)
    }

    /// Whether a variable may have a value; it has none while it is unset.
    pub fn may_equal(&self, id: VarId, constant: Constant<'_>) -> bool {
        !self.is_unset(id) && self.equals(id, constant) != Some(false)
    }

    /// Whether a variable may have another value, or none.
    pub fn may_differ(&self, id: VarId, constant: Constant<'_>) -> bool {
        self.equals(id, constant) != Some(true)
    }

    /// Makes a variable empty that is unset in another state: it is none of the statuses of a case.
    pub fn empty_if_unset(&mut self, other: &Self, id: VarId) {
        if other.is_unset(id) {
            self.empty(id);
        }
    }

    /// Makes a variable empty: what an unset one compares as (docs/how-it-thinks.md, Flow).
    pub fn empty(&mut self, id: VarId) {
        if let Some(variable) = self.variable_mut(id) {
            variable.value = AbstractValue::Is(Constant::text(""));
        }
    }

    /// Refines a variable, and those that are known to be equal to it, by a value that it has, or does not have.
    pub fn refine_with_copies(&mut self, id: VarId, constant: Constant<'p>, equal: bool) {
        let copies: Vec<VarId> = self.copies_of(id).collect();
        for id in std::iter::once(id).chain(copies) {
            self.refine(id, constant, equal);
        }
    }
}

/// Whether the outcome of one condition says of a variable what decides another one.
pub fn decides(test: &Condition<'_>, holds: bool, variable: VarId, condition: &Condition<'_>) -> bool {
    let Some(tested) = test.operand_beside(variable) else { return false };
    match (tested, condition.operand_beside(variable)) {
        (OperandValue::Literal(tested), Some(OperandValue::Literal(compared))) => {
            // A value that is known decides any comparison, an excluded one only that with itself.
            holds == (test.operand == Operand::Equal) || Constant::literal(tested) == Constant::literal(compared)
        }
        (OperandValue::Variable(_), Some(OperandValue::Literal(_))) | (_, None) => false,
        (tested, Some(compared)) => tested == compared || matches!(tested, OperandValue::Literal(_)),
    }
}
