//! What is known of the variables on one path.

use std::hash::BuildHasher;
use std::rc::Rc;

use super::effects::{Condition, Value, VarId};
use crate::model::{ActivityId, Literal, Operand};

/// A constant as conditions compare it: text by text, but booleans whatever their case, and with a
/// JSON number as a number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Constant {
    /// A text; of a boolean, in lower case.
    Text(Rc<str>),
    /// A number, by its bits.
    Number(u64),
}

impl Constant {
    /// The constant that a text is.
    pub fn text(text: &str) -> Self {
        let is_boolean = text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false");
        Self::Text(if is_boolean { text.to_ascii_lowercase().into() } else { text.into() })
    }

    /// The constant that a literal is; null is the empty text.
    pub fn literal(literal: Literal<'_>) -> Self {
        match literal {
            Literal::Null => Self::text(""),
            Literal::Boolean(value) => Self::text(if value { "true" } else { "false" }),
            Literal::Text(text) => Self::text(text),
            Literal::Number(text) => match text.parse::<f64>() {
                // One zero, so that equal numbers have equal bits.
                Ok(number) => Self::Number((number + 0.0).to_bits()),
                Err(_) => Self::text(text),
            },
        }
    }

    /// Whether a condition calls them equal.
    pub fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(text), Self::Number(bits)) | (Self::Number(bits), Self::Text(text)) => {
                text.trim().parse::<f64>().is_ok_and(|number| (number + 0.0).to_bits() == *bits)
            }
            (a, b) => a == b,
        }
    }
}

/// What is known of a variable's value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Knowledge {
    /// Nothing.
    Any,
    /// It is this.
    Is(Constant),
    /// It is none of these.
    Not(Rc<[Constant]>),
}

impl Knowledge {
    fn equals(&self, constant: &Constant) -> Option<bool> {
        match self {
            Self::Any => None,
            Self::Is(known) => Some(known.equals(constant)),
            Self::Not(others) => others.iter().any(|other| other == constant).then_some(false),
        }
    }

    fn join(&mut self, other: &Self) {
        if self == other {
            return;
        }
        *self = match (&*self, other) {
            (Self::Not(a), Self::Not(b)) => {
                Self::none_of(a.iter().filter(|known| b.contains(known)).cloned().collect())
            }
            (Self::Not(others), Self::Is(known)) | (Self::Is(known), Self::Not(others)) => {
                Self::none_of(others.iter().filter(|other| !other.equals(known)).cloned().collect())
            }
            _ => Self::Any,
        };
    }

    fn none_of(constants: Vec<Constant>) -> Self {
        if constants.is_empty() { Self::Any } else { Self::Not(constants.into()) }
    }
}

/// More exclusions than this are not kept of one variable.
const MOST_EXCLUSIONS: usize = 16;

/// What is known of one variable.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fact {
    /// Whether something has written it.
    pub assigned: bool,
    /// Its value.
    pub value: Knowledge,
    /// The provider activity whose output it holds, and whether that was read since.
    pub output_of: Option<(ActivityId, bool)>,
}

/// That two variables are equal, or that they are not; the lower id comes first.
type Relation = (VarId, VarId, bool);

/// Index of a variable among those whose facts are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u32);

/// The variables whose facts are kept: those that something tests, that may be read before they are
/// written, or that two providers write. The others would only make every state larger.
#[derive(Debug, Default)]
pub struct Slots {
    by_variable: Vec<Option<Slot>>,
    variables: Vec<VarId>,
}

impl Slots {
    /// Slots for those of `count` variables of which facts are kept.
    pub fn new(count: usize, is_kept: impl Fn(VarId) -> bool) -> Self {
        let mut slots = Self { by_variable: vec![None; count], variables: Vec::new() };
        for (id, slot) in (0..).map(VarId).zip(&mut slots.by_variable) {
            if is_kept(id) {
                *slot = u32::try_from(slots.variables.len()).ok().map(Slot);
                slots.variables.push(id);
            }
        }
        slots
    }

    /// The slot of a variable.
    pub fn get(&self, id: VarId) -> Option<Slot> {
        self.by_variable.get(id.0 as usize).copied().flatten()
    }

    /// The variables that have slots, in the order of the slots.
    pub fn variables(&self) -> &[VarId] {
        &self.variables
    }
}

/// What is known on one path to a point.
#[derive(Debug, Clone)]
pub struct State {
    slots: Rc<Slots>,
    facts: Vec<Fact>,
    relations: Vec<Relation>,
    /// Whether it stands for several paths, so that what it does not know proves nothing.
    pub merged: bool,
    /// The last decision on the path, an index into the exploration's trail.
    pub trail: Option<u32>,
}

impl Slot {
    /// Its number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.merged == other.merged && self.facts == other.facts && self.relations == other.relations
    }
}

impl State {
    /// A state with these facts, by slot.
    pub const fn new(slots: Rc<Slots>, facts: Vec<Fact>) -> Self {
        Self { slots, facts, relations: Vec::new(), merged: false, trail: None }
    }

    /// How much work handling it is, in facts.
    pub const fn size(&self) -> usize {
        self.facts.len() + self.relations.len() + 8
    }

    /// A hash of what is known, the trail left out.
    pub fn fingerprint(&self) -> u64 {
        // One seed within a run of the program, and no output depends on it.
        foldhash::fast::FixedState::default().hash_one((&self.facts, &self.relations, self.merged))
    }

    /// What is known of a variable.
    pub fn fact(&self, id: VarId) -> Option<&Fact> {
        self.facts.get(self.slots.get(id)?.0 as usize)
    }

    /// What is known of a variable, to be changed.
    pub fn fact_mut(&mut self, id: VarId) -> Option<&mut Fact> {
        self.facts.get_mut(self.slots.get(id)?.0 as usize)
    }

    /// Gives a variable a value; what was known of its old one goes.
    pub fn write(&mut self, id: VarId, value: Knowledge) {
        self.forget_relations(id);
        if let Some(fact) = self.fact_mut(id) {
            *fact = Fact { assigned: true, value, output_of: None };
        }
    }

    /// Gives a variable the value of another.
    pub fn copy(&mut self, from: VarId, to: VarId) {
        if from == to {
            return;
        }
        let value = self.fact(from).map_or(Knowledge::Any, |fact| fact.value.clone());
        self.write(to, value);
        if self.fact(from).is_some() && self.fact(to).is_some() {
            self.relate(from, to, true);
        }
    }

    /// Drops what is known of a variable's value.
    pub fn forget(&mut self, id: VarId) {
        self.forget_relations(id);
        if let Some(fact) = self.fact_mut(id) {
            fact.value = Knowledge::Any;
        }
    }

    fn forget_relations(&mut self, id: VarId) {
        self.relations.retain(|&(a, b, _)| a != id && b != id);
    }

    fn relate(&mut self, a: VarId, b: VarId, equal: bool) {
        let relation = (a.min(b), a.max(b), equal);
        if let Err(place) = self.relations.binary_search(&relation) {
            self.relations.insert(place, relation);
        }
    }

    /// Whether a condition is true here; `None` when it cannot be told.
    pub fn evaluate(&self, condition: &Condition<'_>) -> Option<bool> {
        let equal = match (condition.left, condition.right) {
            (Value::Literal(a), Value::Literal(b)) => Some(Constant::literal(a).equals(&Constant::literal(b))),
            (Value::Variable(id), Value::Literal(literal)) | (Value::Literal(literal), Value::Variable(id)) => {
                self.fact(id)?.value.equals(&Constant::literal(literal))
            }
            (Value::Variable(a), Value::Variable(b)) if a == b => Some(true),
            (Value::Variable(a), Value::Variable(b)) => self.compare(a, b),
            _ => None,
        }?;
        Some(equal == (condition.operand == Operand::Equal))
    }

    fn compare(&self, a: VarId, b: VarId) -> Option<bool> {
        let (low, high) = (a.min(b), a.max(b));
        if let Some(&(_, _, equal)) = self.relations.iter().find(|&&(x, y, _)| (x, y) == (low, high)) {
            return Some(equal);
        }
        match (&self.fact(a)?.value, &self.fact(b)?.value) {
            (Knowledge::Is(a), b) => b.equals(a),
            (a, Knowledge::Is(b)) => a.equals(b),
            _ => None,
        }
    }

    /// Adds what a condition's being true, or false, tells.
    pub fn assume(&mut self, condition: &Condition<'_>, holds: bool) {
        let equal = holds == (condition.operand == Operand::Equal);
        match (condition.left, condition.right) {
            (Value::Variable(id), Value::Literal(literal)) | (Value::Literal(literal), Value::Variable(id)) => {
                self.learn(id, Constant::literal(literal), equal);
            }
            (Value::Variable(a), Value::Variable(b)) if a != b => {
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
        match &self.fact(id)?.value {
            Knowledge::Is(constant) => Some(constant.clone()),
            _ => None,
        }
    }

    fn learn(&mut self, id: VarId, constant: Constant, equal: bool) {
        let Some(fact) = self.fact_mut(id) else { return };
        fact.value = match (&fact.value, equal) {
            (Knowledge::Is(_), _) => return,
            (_, true) => Knowledge::Is(constant),
            (Knowledge::Any, false) => Knowledge::Not([constant].into()),
            (Knowledge::Not(others), false) if others.contains(&constant) || others.len() >= MOST_EXCLUSIONS => return,
            (Knowledge::Not(others), false) => {
                let mut all: Vec<Constant> = others.iter().cloned().chain([constant]).collect();
                // One order, so that the same knowledge is the same state.
                all.sort_by_key(|constant| format!("{constant:?}"));
                Knowledge::Not(all.into())
            }
        };
    }

    /// Makes this state stand for another path as well.
    pub fn join(&mut self, other: &Self) {
        self.merged = true;
        for (fact, other) in self.facts.iter_mut().zip(&other.facts) {
            fact.assigned &= other.assigned;
            fact.value.join(&other.value);
            if fact.output_of != other.output_of {
                fact.output_of = None;
            }
        }
        self.relations.retain(|relation| other.relations.contains(relation));
    }

    /// Drops what no later read or condition can use, so that paths that differ in nothing that
    /// matters are one.
    pub fn prune(&mut self, is_read_later: impl Fn(Slot) -> bool, is_tested_later: impl Fn(Slot) -> bool) {
        for (slot, fact) in (0..).map(Slot).zip(&mut self.facts) {
            fact.assigned |= !is_read_later(slot);
            if fact.value != Knowledge::Any && !is_tested_later(slot) {
                fact.value = Knowledge::Any;
            }
        }
        let slots = &self.slots;
        let is_of_use = |id| slots.get(id).is_some_and(&is_tested_later);
        self.relations.retain(|&(a, b, _)| is_of_use(a) && is_of_use(b));
    }
}
