//! The limits of scripts and of the engine that runs them.

use std::time::Duration;

/// Longer scripts are refused.
pub const MAX_SCRIPT_BYTES: usize = 1 << 20;

/// Names and values of all variables of a script together.
pub const MAX_VARIABLE_BYTES: usize = 4 << 20;

/// Bytes that the engine may allocate while the script runs.
pub(super) const MAX_MEMORY: usize = 32 << 20;

/// Bytes in addition to [`MAX_MEMORY`], granted after the script has ended, to read its result or its
/// error even when it has used up all memory.
pub(super) const MEMORY_RESERVE: usize = 32 << 20;

/// Bytes of stack for the calls of a script. The engine itself checks this limit, at most of its
/// calls; what it uses between two checks must fit into the rest of [`THREAD_STACK`].
pub(super) const MAX_STACK: usize = 1 << 20;

/// Bytes of stack of the thread that the engine runs on.
pub(super) const THREAD_STACK: usize = 16 << 20;

/// How often the engine may poll its interrupt handler, per second of the time limit. It polls after
/// ten thousand steps: calls, iterations of loops, or backtracking steps of a regular expression. The
/// limit is a count and not a time, so that how a script ends does not depend on the machine. Ten
/// thousand cheap steps take about 0.7 ms, so the budget is used up in a fraction of the time limit;
/// ten thousand steps that throw and catch take 6 ms.
pub(super) const POLLS_PER_SECOND: f64 = 200.0;

/// How long a script may run without a poll, and how long with polls, in multiples of its time limit and
/// in processor time. Loops inside the engine do not poll, and a step may take long (`a * a` of a large
/// integer); what polls as usual uses up its budget of polls long before, on a slow machine too.
pub(super) const SILENT_LIMITS: u32 = 1;
pub(super) const TOTAL_LIMITS: u32 = 5;

/// How often the watchdog looks, and the parent whether the script is canceled.
pub(super) const INTERVAL: Duration = Duration::from_millis(20);

/// Bytes of address space of the child: the engine, its stack, and several copies of the largest frame.
pub(super) const MAX_ADDRESS_SPACE: u64 = 1 << 30;

/// UTF-16 code units of the string in `Json`.
pub(super) const MAX_JSON_UNITS: u32 = 4 << 20;

/// How long a child may take until it is ready for its first job, or for the next, and until it has read a job.
pub(super) const START_TIMEOUT: Duration = Duration::from_secs(10);

/// The global names of ECMAScript that the engine does not have, or only in functions.
pub const NOT_SIMULATED: [&str; 2] = ["Intl", "arguments"];
