//! The results of the runs of a script.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::script::sandbox::{FailureKind, ScriptFailure};

/// The runs of one script on several sets of sample values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evaluation {
    /// In the order of the sets; one if the document has the values of all parameters. A set that only guesses at what
    /// the script expects has none if it fails.
    pub runs: Vec<Run>,
    /// Why it was not run on all sets, or on none.
    pub stopped: Option<Stopped>,
    /// The parameters whose quotation marks got into joined JSON as they were (see `quotation_marks`): in some run on
    /// values like `a"b`, the text in `Json` has `a"b` outside of any call of `JSON.stringify` that makes all of it.
    pub unescaped: BTreeSet<String>,
    /// The cost of the runs, in polls of the engine.
    pub polls: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stopped {
    /// The script, its values or its results are too large.
    Size,
    /// Its runs take more steps than all scripts of a service may.
    Cost,
    /// The scripts before it in the service took all steps that they may take together.
    ServiceCost,
    /// Processes cannot be started.
    Sandbox,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// In the order of the parameters.
    pub values: Vec<RunValue>,
    /// Whether the values may be meant for something else.
    pub is_guess: bool,
    /// Whether a job of a promise has set `Json`.
    pub by_job: bool,
    pub ending: Ending,
}

/// The value of a parameter in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunValue {
    pub parameter: String,
    pub text: String,
    /// Neither from the document nor a constant of the script.
    pub is_made_up: bool,
    /// Whether the value is JSON with made-up keys, because the script parses it.
    pub is_json: bool,
}

/// The type of `undefined`, in a word of JavaScript.
pub const UNDEFINED: &str = "undefined";

/// How a run ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// With a string in `Json`.
    Text {
        text: String,
        /// `None` if the run cannot be followed.
        trace: Option<Trace>,
    },
    /// With something in `Json` that is not a string: its type, in a word of JavaScript.
    NoText(String),
    /// Without a value in `Json`.
    Unset,
    Failed(ScriptFailure),
}

/// Which sites a run passed, as indices into the sites of the script.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Trace {
    pub passed: BTreeSet<usize>,
    /// The open parameters, by their index among these, that were parsed as JSON.
    pub(super) parsed: BTreeSet<usize>,
    /// The site that made the whole text: a call of `JSON.stringify`, or the assigned value.
    pub site: Option<usize>,
    /// The sites of the parts of the text: JSON pointer and site. -1 for a part of a made-up value,
    /// -2 minus the site for a key that an object literal has after copies of other objects.
    pub parts: Vec<(String, i64)>,
}

/// How a script fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failing<'e> {
    pub failure: &'e ScriptFailure,
    /// The run that shows it.
    pub run: &'e Run,
    pub extent: Extent,
}

/// For which values a script fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// With the values of the document.
    Always,
    /// On all sets of made-up values.
    AllSamples,
    SomeSamples,
}

impl Evaluation {
    pub fn stopped(reason: Stopped) -> Self {
        Self { stopped: Some(reason), ..Self::default() }
    }

    /// How the script fails: in every run, or by an error that the engine raises in some. What a script throws itself for
    /// some values is intended, and it may expect other JSON than the made-up one.
    pub fn failing(&self) -> Option<Failing<'_>> {
        let is_made_up = |run: &Run| run.values.iter().any(|value| value.is_made_up);
        let is_json = |run: &Run| run.values.iter().any(|value| value.is_json);
        let mut failures = self.failures();
        let ((run, failure), extent) = if self.failures().count() < self.runs.len() {
            (failures.find(|(run, failure)| !is_json(run) && failure.is_of_engine())?, Extent::SomeSamples)
        } else if self.runs.iter().any(is_made_up) {
            (failures.next()?, Extent::AllSamples)
        } else {
            (failures.next()?, Extent::Always)
        };
        Some(Failing { failure, run, extent })
    }

    /// The failures of all runs, for what they have in common.
    pub fn failures(&self) -> impl Iterator<Item = (&Run, &ScriptFailure)> {
        self.runs.iter().filter_map(|run| match &run.ending {
            Ending::Failed(failure) => Some((run, failure)),
            _ => None,
        })
    }

    /// The type in `Json` if no run leaves a string there, and some run something else.
    pub fn never_text(&self) -> Option<&str> {
        let has_text = self.runs.iter().any(|run| matches!(run.ending, Ending::Text { .. } | Ending::Unset));
        let mut kinds = self.runs.iter().filter_map(|run| match &run.ending {
            Ending::NoText(kind) => Some(kind.as_str()),
            _ => None,
        });
        kinds.next().filter(|_| !has_text)
    }

    /// Whether some run ends without a value in `Json`. One on made-up JSON does not count: an order may bring other keys.
    pub fn is_sometimes_unset(&self) -> bool {
        let is_unset = |run: &Run| run.ending == Ending::Unset && !run.values.iter().any(|value| value.is_json);
        self.runs.iter().any(is_unset)
    }

    /// Whether every run ends without a value in `Json`.
    pub fn is_never_set(&self) -> bool {
        !self.runs.is_empty() && self.runs.iter().all(|run| run.ending == Ending::Unset)
    }
}

impl ScriptFailure {
    /// Whether the engine raised it, rather than a `throw` of the script: a thrown string has no position.
    fn is_of_engine(&self) -> bool {
        let native =
            ["TypeError: ", "RangeError: ", "ReferenceError: ", "SyntaxError: ", "URIError: ", "InternalError: "];
        let is_native = || self.line.is_some() && native.iter().any(|name| self.message.starts_with(name));
        self.kind != FailureKind::Thrown || is_native()
    }
}
