//! The state of the analysis: the values of variables, and the returned keys.

use super::aliases::Aliases;
use super::value::{Class, Value};
use crate::collections::HashMap;

/// Copied keys and variables, for one file. More do not occur but in hostile ones.
const BUDGET: usize = 4_000_000;

pub(super) type Variables = HashMap<String, Value>;

/// The values left on the pipeline.
#[derive(Debug, Default)]
pub(super) struct Left {
    /// With their first places; each once.
    pub keys: Vec<(usize, String)>,
    /// Their indexes.
    known: HashMap<String, usize>,
    /// Places where what is returned is not known, with the reason.
    pub open: Vec<(usize, &'static str)>,
    /// The commands of which the result is left if nothing else is.
    pub last_commands: Vec<usize>,
    pub has_scalar: bool,
}

pub(super) const COMPUTED_KEY: &str = "a key is computed";
pub(super) const UNKNOWN_VALUE: &str = "it returns a value whose keys are not known";
pub(super) const TOO_LARGE: &str = "it is too large to be analyzed";

impl Left {
    pub fn add_key(&mut self, at: usize, key: &str) {
        match self.known.get(key).and_then(|&index| self.keys.get_mut(index)) {
            Some((first, _)) => *first = at.min(*first),
            None => {
                self.known.insert(key.to_owned(), self.keys.len());
                self.keys.push((at, key.to_owned()));
            }
        }
    }

    pub fn add(&mut self, value: &Value) {
        for (at, key) in &value.keys {
            self.add_key(*at, key);
        }
        self.open.extend(value.computed.iter().map(|&at| (at, COMPUTED_KEY)));
    }

    pub fn join(&mut self, other: &Self) {
        for (at, key) in &other.keys {
            self.add_key(*at, key);
        }
        self.open.extend(&other.open);
        self.last_commands.extend(&other.last_commands);
        self.has_scalar |= other.has_scalar;
    }

    /// The value of the statements that left it.
    pub fn value(&self) -> Value {
        let is_computed = |reason: &str| reason == COMPUTED_KEY;
        let class = if self.open.iter().any(|(_, reason)| !is_computed(reason)) {
            Class::Unknown
        } else if !self.keys.is_empty() || !self.open.is_empty() {
            Class::Table
        } else if !self.last_commands.is_empty() {
            Class::Unknown
        } else if self.has_scalar {
            Class::Scalar
        } else {
            Class::Nothing
        };
        let computed = self.open.iter().filter(|(_, reason)| is_computed(reason)).map(|(at, _)| *at).collect();
        Value { class, keys: self.keys.clone(), computed }
    }
}

/// An abstract interpreter: it goes through the statements in order, with the possible keys of each variable.
#[derive(Debug)]
pub(super) struct Analysis {
    pub variables: Variables,
    /// The variables that hold the same table.
    pub aliases: Aliases,
    /// The values that the function returns.
    pub returned: Left,
    /// The values left by the statements of the current block; `None` if they do not reach the caller.
    pub left: Option<Left>,
    budget: usize,
}

impl Analysis {
    /// At the beginning of a function with these parameters.
    pub fn new(parameters: impl Iterator<Item = String>) -> Self {
        let variables = parameters.map(|name| (name, Value::UNKNOWN)).collect();
        Self {
            variables,
            aliases: Aliases::default(),
            returned: Left::default(),
            left: Some(Left::default()),
            budget: BUDGET,
        }
    }

    /// Counts work; `false` when there was too much.
    pub fn spend(&mut self, cost: usize) -> bool {
        self.budget = self.budget.saturating_sub(cost);
        self.budget > 0
    }

    /// The variables before a branch.
    pub fn fork(&mut self) -> Variables {
        let cost = self.variables.values().map(Value::size).sum();
        if self.spend(cost) { self.variables.clone() } else { Variables::default() }
    }

    /// The variables after one of several branches.
    pub fn join(&mut self, other: Variables) {
        let cost: usize = other.values().map(Value::size).sum();
        if !self.spend(cost) {
            return;
        }
        for (name, value) in other {
            match self.variables.get_mut(&name) {
                Some(known) => {
                    self.budget = self.budget.saturating_sub(known.join_cost(&value));
                    known.join(&value);
                }
                None => {
                    self.variables.insert(name, value);
                }
            }
        }
    }

    /// The values that the statements in `run` leave.
    pub fn collect(&mut self, run: impl FnOnce(&mut Self)) -> Left {
        let outer = self.left.replace(Left::default());
        run(self);
        std::mem::replace(&mut self.left, outer).unwrap_or_default()
    }

    /// Analyzes statements whose values do not reach the caller.
    pub fn quietly(&mut self, run: impl FnOnce(&mut Self)) {
        let outer = self.left.take();
        run(self);
        self.left = outer;
    }

    /// Joins a value to another one.
    pub fn join_values(&mut self, known: &mut Value, other: &Value) {
        if self.spend(known.join_cost(other)) {
            known.join(other);
        }
    }

    pub fn is_exhausted(&self) -> bool {
        self.budget == 0
    }
}
