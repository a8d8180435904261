//! A script, and what it is run with.

use std::sync::Arc;

use crate::common::limits::{MAX_SCRIPT_BYTES, MAX_VARIABLE_BYTES, SCRIPTS_PER_SERVICE};
use crate::script::sandbox::polls_of;
use crate::script::syntax::Script;

/// A script to evaluate. Two equal requests get the same result.
#[derive(Debug, Clone)]
pub struct EvaluationRequest<'a> {
    pub script: &'a str,
    /// The analysis of `script`.
    pub syntax: &'a Arc<Script>,
    pub parameters: Vec<ScriptParameter<'a>>,
    /// The globals of the host that it uses.
    pub hosts: Vec<&'a str>,
    pub limits: ScriptLimits,
}

/// The limits of scripts, in steps of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScriptLimits {
    /// The steps of one script, as the milliseconds in which a slow machine takes them; at least 1.
    milliseconds: u32,
}

/// A parameter of a script, which is a global variable to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ScriptParameter<'a> {
    pub name: &'a str,
    pub input: ScriptInput,
    /// Whether an order may leave it empty: it comes from an optional field.
    pub may_be_empty: bool,
}

/// The input for a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ScriptInput {
    /// It is in the document.
    Fixed(String),
    /// Only an order provides it.
    Open,
    /// Only an order provides it, and the script parses it as JSON.
    OpenJson,
}

/// A script with more parameters is not run: each run has a value for each of them.
const MAX_PARAMETERS: usize = 5_000;

/// The values of all sets for a script together, in bytes, and what a value has beside its characters.
const MAX_BYTES_OF_SETS: usize = 4 << 20;
const BYTES_OF_VALUE: usize = 64;

impl EvaluationRequest<'_> {
    /// Whether the script is not run at all.
    pub(super) fn is_too_large(&self) -> bool {
        self.script.len() > MAX_SCRIPT_BYTES
            || self.parameters.len() > MAX_PARAMETERS
            || self.parameter_bytes() > MAX_VARIABLE_BYTES
    }

    /// The bytes of names and fixed values.
    fn parameter_bytes(&self) -> usize {
        let parameters = self.parameters.iter();
        parameters.map(|parameter| parameter.name.len() + parameter.input.fixed().map_or(0, str::len)).sum()
    }

    /// The most sets of values that the script is run on, because of their size. Always at least two.
    pub(super) fn max_sets(&self) -> usize {
        (MAX_BYTES_OF_SETS / (self.parameter_bytes() + self.parameters.len() * BYTES_OF_VALUE).max(1)).max(2)
    }

    /// Whether the document has the values of all parameters, so that one run shows everything.
    pub fn is_fixed(&self) -> bool {
        self.open_parameters().next().is_none()
    }

    /// Whether the script is run on an empty value of a parameter: it may be empty, and that decides something.
    pub(super) fn tries_empty(&self, parameter: &ScriptParameter<'_>) -> bool {
        let decides = |name| self.syntax.hints.truthy.iter().any(|truthy| truthy == name);
        parameter.input == ScriptInput::Open && parameter.may_be_empty && decides(parameter.name)
    }

    /// The parameters without a fixed value, with their indices.
    pub(super) fn open_parameters(&self) -> impl Iterator<Item = (usize, &ScriptParameter<'_>)> {
        self.parameters.iter().enumerate().filter(|(_, parameter)| parameter.input.is_open())
    }
}

impl ScriptLimits {
    /// The limits, given the seconds in which a slow machine takes the steps of one script.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    pub const fn of_seconds(seconds: f64) -> Self {
        let milliseconds = (seconds * 1000.0) as u32;
        Self { milliseconds: if milliseconds == 0 { 1 } else { milliseconds } }
    }

    pub(super) fn seconds(self) -> f64 {
        f64::from(self.milliseconds) / 1000.0
    }

    /// The polls of one run.
    pub(super) fn polls_of_run(self) -> u32 {
        polls_of(self.seconds())
    }

    /// The polls of all scripts of a service.
    pub(super) fn polls_of_service(self) -> u32 {
        self.polls_of_run().saturating_mul(SCRIPTS_PER_SERVICE)
    }
}

impl ScriptInput {
    /// The value that the document has.
    pub(super) fn fixed(&self) -> Option<&str> {
        match self {
            Self::Fixed(value) => Some(value),
            Self::Open | Self::OpenJson => None,
        }
    }

    pub const fn is_open(&self) -> bool {
        !matches!(self, Self::Fixed(_))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample_sets::all_sets;
    use super::super::sample_values::Root;
    use super::*;

    fn with_request<T>(inputs: Vec<ScriptInput>, test: impl FnOnce(&EvaluationRequest<'_>) -> T) -> T {
        let parameter = |input| ScriptParameter { name: "p", input, may_be_empty: false };
        let (parameters, limits) = (inputs.into_iter().map(parameter).collect(), ScriptLimits::of_seconds(1.0));
        let mut syntax = Script::default();
        syntax.hints.computes = true;
        let syntax = &Arc::new(syntax);
        test(&EvaluationRequest { script: "", syntax, parameters, hosts: Vec::new(), limits })
    }

    #[test]
    fn script_with_too_much_input_is_not_run() {
        let is_too_large = |inputs| with_request(inputs, |request| request.is_too_large());
        assert!(!is_too_large(vec![ScriptInput::Open; MAX_PARAMETERS]));
        assert!(is_too_large(vec![ScriptInput::Open; MAX_PARAMETERS + 1]));
        let fixed = |length: usize| vec![ScriptInput::Fixed("x".repeat(length - 1))];
        assert!(!is_too_large(fixed(MAX_VARIABLE_BYTES)));
        assert!(is_too_large(fixed(MAX_VARIABLE_BYTES + 1)));
    }

    #[test]
    fn sets_of_large_values_are_few() {
        let sets = |length: usize| {
            let inputs = vec![ScriptInput::Open, ScriptInput::Fixed("x".repeat(length))];
            with_request(inputs, |request| all_sets(request, Root::Object).len())
        };
        let all = sets(0);
        assert!(all > 2);
        assert_eq!(sets(MAX_BYTES_OF_SETS), 2);
    }
}
