//! What is known of a script after its runs.

use crate::script::sandbox::ScriptFailure;

/// How a script ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evaluation {
    /// With a string in `Json`. If it is not JSON in the first run, it is not in any run.
    Text {
        /// The string after the first run.
        text: String,
        /// The string after a run with other values: what differs depends on the values.
        other: String,
        /// Whether the script forwards its open parameters without inspecting them, so that what is
        /// missing or empty in the text is so for all values.
        forwards_parameters: bool,
    },
    /// In every run with something in `Json` that is not a string: its type, in a word of JavaScript.
    NoText(String),
    Failed {
        failure: ScriptFailure,
        /// Whether it fails so for all values.
        always: bool,
        /// One of the generated values, if there are any.
        example: Option<Example>,
    },
    /// Without a value in `Json`, for all values.
    Unset,
    /// It depends on the values, or could not be run.
    Unknown,
}

/// A value that was generated for a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    pub parameter: String,
    pub value: String,
}
