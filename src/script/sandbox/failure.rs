//! Why a script did not run to its end.

use serde::{Deserialize, Serialize};

use super::limits::MAX_MEMORY;

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
    /// The [`Setup`](super::Setup) failed: a defect of its author, not of the script.
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
