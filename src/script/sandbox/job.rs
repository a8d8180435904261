//! What the sandbox runs, and how that ends.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::common::limits::{MAX_SCRIPT_MEMORY, SCRIPT_POLLS_PER_SECOND};

/// A script to run, and the environment that it sees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// At most [`MAX_SCRIPT_BYTES`](crate::common::limits::MAX_SCRIPT_BYTES).
    pub script: String,
    /// Global variables and their string values, together at most
    /// [`MAX_VARIABLE_BYTES`](crate::common::limits::MAX_VARIABLE_BYTES). Of two with the same name the last one counts.
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
    (seconds * SCRIPT_POLLS_PER_SECOND).ceil() as u32
}

/// How a script ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// It ran to its end.
    Done {
        /// The global `Json` after that, and after the jobs of promises.
        json: JsonVariable,
        /// Whether a job of a promise has changed it.
        by_job: bool,
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
        Self::new(
            FailureKind::MemoryLimit,
            format!("script exceeded its memory limit of {} MiB", MAX_SCRIPT_MEMORY >> 20),
        )
    }

    pub(super) fn stack_limit() -> Self {
        Self::new(
            FailureKind::StackLimit,
            "script exceeded its stack limit, calls or parentheses are nested too deeply",
        )
    }
}

/// The file name of the script in stack traces. Positions are taken only from frames of this file.
pub(super) const SCRIPT: &str = "script";

/// What ended a script.
pub(super) enum Exception {
    /// A thrown value as a string, and its stack trace if it is an error.
    Value { message: String, stack: String },
    /// `null`. The engine also throws it when no memory is left for an error object.
    Null,
    /// There was no memory for the message.
    OutOfMemory,
}

/// Line and column in the script, from 1; the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Position {
    line: u32,
    column: u32,
}

impl Exception {
    /// The failure of a script that was stopped at its time limit.
    pub fn interruption(&self, job: &Job) -> ScriptFailure {
        let mut frames = self.frames();
        // The engine records the position of a call, but not of the instruction that was interrupted:
        // the innermost frame is exact only when it is a built-in function.
        let innermost = frames.next().filter(|frame| frame.ends_with(" (native)"));
        let position = innermost.into_iter().chain(frames).find_map(|frame| position(frame, &job.script));
        ScriptFailure::time_limit(job.time_limit()).at(position)
    }

    /// The failure of a script that ended otherwise. `is_memory_used`: much memory was in use at its end.
    pub fn failure(&self, job: &Job, is_memory_used: bool) -> ScriptFailure {
        let message = match self {
            Self::Value { message, .. } => message.as_str(),
            Self::Null if !is_memory_used && may_throw_null(&job.script) => "null",
            Self::Null | Self::OutOfMemory => return ScriptFailure::memory_limit(),
        };
        let failure = match message {
            "InternalError: out of memory" => ScriptFailure::memory_limit(),
            "RangeError: Maximum call stack size exceeded" => ScriptFailure::stack_limit(),
            _ if self.is_early_error(message) => ScriptFailure::new(FailureKind::Syntax, message),
            _ => ScriptFailure::new(FailureKind::Thrown, message),
        };
        failure.at(self.frames().find_map(|frame| position(frame, &job.script)))
    }

    /// Whether this is a syntax error of the script itself, not of code that it evaluates: then no
    /// function is on the stack, and no frame ends with the position of one in parentheses.
    fn is_early_error(&self, message: &str) -> bool {
        message.starts_with("SyntaxError: ") && !self.frames().any(|frame| frame.ends_with(')'))
    }

    /// The frames of the stack trace, innermost first.
    fn frames(&self) -> impl Iterator<Item = &str> {
        let stack = if let Self::Value { stack, .. } = self { stack } else { "" };
        stack.lines().map(str::trim)
    }
}

impl ScriptFailure {
    /// The failure of a script with a null character, which the engine takes for the end of the script.
    pub(super) fn null_character(script: &str) -> Option<Self> {
        let before = script.split_once('\0')?.0;
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.rsplit('\n').next()?.chars().count() + 1;
        let position = u32::try_from(line).ok().zip(u32::try_from(column).ok());
        let failure = Self::new(FailureKind::Syntax, "SyntaxError: invalid character U+0000");
        Some(failure.at(position.map(|(line, column)| Position { line, column })))
    }

    fn at(self, position: Option<Position>) -> Self {
        Self { line: position.map(|at| at.line), column: position.map(|at| at.column), ..self }
    }
}

/// Whether some `throw` of the script may throw `null`: its operand is not plainly another literal or
/// a `new` expression.
fn may_throw_null(script: &str) -> bool {
    script.split("throw").skip(1).any(|rest| {
        !rest.trim_start().starts_with(['\'', '"', '`', '{', '[']) && !rest.trim_start().starts_with("new ")
    })
}

/// The position in a frame: `at f (script:2:5)`, or `at script:2:5` in syntax errors. `None` for frames
/// of other files, and for positions that the script does not have (a script may forge its stack).
fn position(frame: &str, script: &str) -> Option<Position> {
    let (rest, column) = frame.strip_suffix(')').unwrap_or(frame).rsplit_once(':')?;
    let (rest, line) = rest.rsplit_once(':')?;
    let is_script = rest.strip_suffix(SCRIPT).is_some_and(|before| before == "at " || before.ends_with(" ("));
    if !is_script {
        return None;
    }
    // The script starts on line 2 of what the engine evaluates; columns are bytes there.
    let line = line.parse::<u32>().ok()?.checked_sub(1)?;
    let bytes = column.parse::<usize>().ok()?.checked_sub(1)?;
    let text = lines(script).nth(usize::try_from(line.checked_sub(1)?).ok()?)?;
    let column = text.get(..bytes)?.chars().count() + 1;
    Some(Position { line, column: u32::try_from(column).ok()? })
}

/// Lines as the engine counts them: terminated by LF, CR LF or CR.
fn lines(script: &str) -> impl Iterator<Item = &str> {
    script.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
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

    #[test]
    fn positions_are_relative_to_the_script() {
        let script = "\u{e4}\u{1f600} a\r\nb\rc";
        let at = |line, column| Some(Position { line, column });
        for (frame, expected) in [
            ("at <eval> (script:2:8)", at(1, 4)),
            ("at script:3:1", at(2, 1)),
            ("at script:3:2", at(2, 2)),
            ("at f (script:4:1)", at(3, 1)),
            ("at odd (script:9:9) (script:4:1)", at(3, 1)),
            // Not in the script: another file, the line before it, after its end, within a character.
            ("at now (prelude:3:1)", None),
            ("at myscript:3:1", None),
            ("at map (native)", None),
            ("at A (script:1:1)", None),
            ("at f (script:5:1)", None),
            ("at f (script:3:3)", None),
            ("at f (script:2:2)", None),
            ("at f (script:0:0)", None),
            ("at f (script:99999999999:1)", None),
            ("", None),
        ] {
            assert_eq!(position(frame, script), expected, "{frame}");
        }
    }

    #[test]
    fn null_is_possible_only_for_some_throw_statements() {
        for script in ["throw null", "throw\nx", "if (x) throw (y)", "it.throw(null)"] {
            assert!(may_throw_null(script), "{script}");
        }
        for script in ["", "throw new Error()", "throw 'x'", "throw {}"] {
            assert!(!may_throw_null(script), "{script}");
        }
    }
}
