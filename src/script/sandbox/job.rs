//! What the sandbox runs, and how that ends.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::limits::{MAX_MEMORY, POLLS_PER_SECOND};

/// A script to run, and the environment that it sees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// At most [`MAX_SCRIPT_BYTES`](super::MAX_SCRIPT_BYTES).
    pub script: String,
    /// Global variables and their string values, together at most
    /// [`MAX_VARIABLE_BYTES`](super::MAX_VARIABLE_BYTES). Of two with the same name the last one counts.
    pub variables: Vec<(String, String)>,
    /// Globals of the host, such as `console`: objects on which every function exists and does nothing.
    pub hosts: Vec<String>,
    /// The options of `trace.js`, if it is to observe the script.
    pub trace: Option<String>,
    /// The time of `Date`, in milliseconds since 1970 UTC. It does not advance.
    pub now_ms: i64,
    /// Seed of `Math.random`.
    pub seed: u64,
    /// The time limit in seconds, clamped to 0.01 to 86,400. A script may take two million steps for each
    /// second: calls, iterations of loops, or backtracking steps of a regular expression.
    pub seconds: f64,
    /// Less polls of the engine than the time limit allows, if any: what is left of a common limit.
    pub max_polls: Option<u32>,
}

impl Job {
    /// The time limit in seconds, in its range.
    pub(super) fn time_limit(&self) -> f64 {
        if self.seconds.is_nan() { 0.01 } else { self.seconds.clamp(0.01, 86_400.0) }
    }

    /// How often the engine may poll.
    pub(super) fn poll_budget(&self) -> u32 {
        let own = polls_of(self.time_limit());
        self.max_polls.map_or(own, |max| own.min(max))
    }
}

/// How often the engine may poll in a time limit.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
pub fn polls_of(seconds: f64) -> u32 {
    (seconds * POLLS_PER_SECOND).ceil() as u32
}

/// How a script ended.
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
    /// What `trace.js` has observed.
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

/// Why a script did not run to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptFailure {
    pub kind: FailureKind,
    /// What happened. For thrown values and syntax errors the message of the engine or the script, cut
    /// after 2000 UTF-16 code units; it may contain any character.
    pub message: String,
    /// The line in the script, from 1, if it is known. A line ends with LF, CR LF or CR.
    pub line: Option<u32>,
    /// The column in that line, from 1, in Unicode scalar values: of the last identifier before the
    /// failing expression; at the time limit, of the innermost call whose position is known.
    pub column: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FailureKind {
    /// An uncaught exception.
    Thrown,
    Syntax,
    /// Valid JavaScript that the engine does not run: it lacks the syntax, or there is a top-level `await`.
    Unsupported,
    TimeLimit,
    MemoryLimit,
    StackLimit,
    /// The script or its variables exceed their limits.
    InputTooLarge,
    /// The string in `Json` exceeds its limit.
    OutputTooLarge,
    /// `trace.js` could not be set up: the script is not at fault.
    Setup,
    /// The child process died.
    Killed,
}

impl ScriptFailure {
    /// A failure without a position.
    pub(super) fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), line: None, column: None }
    }

    pub(super) fn time_limit(seconds: f64) -> Self {
        Self::new(FailureKind::TimeLimit, format!("script exceeded its time limit of {seconds} s"))
    }

    pub(super) fn memory_limit() -> Self {
        Self::new(FailureKind::MemoryLimit, format!("script exceeded its memory limit of {} MiB", MAX_MEMORY >> 20))
    }

    pub(super) fn stack_limit() -> Self {
        Self::new(
            FailureKind::StackLimit,
            "script exceeded its stack limit, calls or parentheses are nested too deeply",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_limit_is_clamped() {
        let limit = |seconds| {
            let (script, variables, hosts) = (String::new(), Vec::new(), Vec::new());
            Job { script, variables, hosts, trace: None, now_ms: 0, seed: 0, seconds, max_polls: None }
                .time_limit()
                .to_string()
        };
        assert_eq!([limit(2.5), limit(-1.0), limit(f64::INFINITY), limit(f64::NAN)], ["2.5", "0.01", "86400", "0.01"]);
    }
}
