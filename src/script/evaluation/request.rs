//! A script, and what it is run with.

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

impl EvaluationRequest<'_> {
    /// Whether the document has the values of all parameters, so that one run shows everything.
    pub fn is_fixed(&self) -> bool {
        self.open_parameters().next().is_none()
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
}

impl ScriptInput {
    pub const fn is_open(&self) -> bool {
        !matches!(self, Self::Fixed(_))
    }
}
