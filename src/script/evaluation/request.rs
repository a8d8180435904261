//! A script, and what it is run with.

use super::values::ValueSet;
use crate::script::syntax::Script;

/// A script to evaluate. Two equal requests get the same result.
#[derive(Debug, Clone)]
pub struct EvaluationRequest<'a> {
    pub script: &'a str,
    /// The analysis of `script`.
    pub syntax: &'a Script,
    pub parameters: Vec<ScriptParameter<'a>>,
    /// The globals of the host that it uses.
    pub hosts: Vec<&'a str>,
}

/// A parameter of a script, which is a global variable to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ScriptParameter<'a> {
    pub name: &'a str,
    pub input: ScriptInput,
}

/// What is known of a parameter's value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ScriptInput {
    /// It is in the document.
    Fixed(String),
    /// Only an order provides it.
    Open,
    /// Only an order provides it, and the script parses it as JSON.
    OpenJson,
}

impl EvaluationRequest<'_> {
    /// Whether the document has the values of all parameters, so that one run shows everything.
    pub(super) fn is_fixed(&self) -> bool {
        self.open_parameters().next().is_none()
    }

    /// The parameters without a fixed value, with their indices.
    pub(super) fn open_parameters(&self) -> impl Iterator<Item = (usize, &ScriptParameter<'_>)> {
        self.parameters.iter().enumerate().filter(|(_, parameter)| parameter.input.is_open())
    }

    /// The variables of a run.
    pub(super) fn variables(&self, set: ValueSet) -> Vec<(String, String)> {
        let parameters = self.parameters.iter().enumerate();
        parameters.map(|(index, parameter)| (parameter.name.to_owned(), parameter.value(set, index))).collect()
    }
}

impl ScriptParameter<'_> {
    /// The value in the first run, whose text is the one that rules check. `index`: that of the
    /// parameter, from 0.
    pub fn first_value(&self, index: usize) -> String {
        self.value(ValueSet::First, index)
    }

    pub(super) fn value(&self, set: ValueSet, index: usize) -> String {
        match (&self.input, set) {
            (ScriptInput::Fixed(value), _) => value.clone(),
            // Anything but JSON would fail in `JSON.parse`, and show nothing of what comes after it.
            (ScriptInput::OpenJson, ValueSet::First) => ValueSet::Objects.value(index, self.name),
            (ScriptInput::OpenJson, ValueSet::Second) => ValueSet::OtherObjects.value(index, self.name),
            _ => set.value(index, self.name),
        }
    }
}

impl ScriptInput {
    pub const fn is_open(&self) -> bool {
        !matches!(self, Self::Fixed(_))
    }
}
