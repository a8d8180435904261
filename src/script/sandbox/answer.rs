//! How a script ended.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::failure::ScriptFailure;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// It ran to its end.
    Done {
        /// The global `Json` after that.
        json: JsonVariable,
    },
    Failed(ScriptFailure),
}

/// An answer, and what it cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    pub answer: Answer,
    /// How often the engine polled, which is once in ten thousand steps; the same on every machine.
    pub polls: u32,
    /// The processor time that it took.
    pub took: Duration,
    /// What the observer of the [`Setup`](super::Setup) returned.
    pub observed: Option<String>,
    /// Whether the script has asked for the time or for random numbers.
    pub reads_clock_or_random: bool,
}

impl Reply {
    /// The reply about a script that was not run.
    pub(super) const fn not_run(failure: ScriptFailure, took: Duration) -> Self {
        Self { answer: Answer::Failed(failure), polls: 0, took, observed: None, reads_clock_or_random: false }
    }
}

/// The value of the global `Json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum JsonVariable {
    /// A string. Lone surrogates are replaced by U+FFFD.
    Text(String),
    /// Not declared, or `undefined`.
    Unset,
    /// Anything else; its type in a word of JavaScript: `null`, `number`, `array`, `object`.
    Other(String),
}
