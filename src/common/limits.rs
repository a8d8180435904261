//! The limits of wflint, each with its reason. They are counts and never times, so that a result is the same on every
//! machine, and what is left out because of one is always said. docs/limits.md lists what a user can meet.

/// Size of a document unless `max-file-mib` is set, of a baseline or directory file, and of what is kept
/// for a service beside its documents. The largest exported services have some MiB.
pub const MAX_FILE_MIB: u32 = 64;
pub const MAX_FILE_BYTES: u64 = (MAX_FILE_MIB as u64) << 20;
/// Size up to which a file that is too large is searched for the keys of a document: the highest `max-file-mib`.
pub const MAX_SEARCHED_MIB: u32 = 1024;

/// Bytes of a file that a person writes: settings, a catalog, a scenario, an ignore file. Their parsers are not ours, and
/// need up to 40 bytes for each.
pub const MAX_SMALL_FILE_BYTES: usize = 1 << 20;

/// Levels of a document unless `max-depth` is set, and of a nested text in it such as a filter: what is read by recursion
/// must fit on the stack of a thread.
pub const MAX_DEPTH: usize = 128;

/// Values of a document, which may have one more for each 16 bytes: a value takes much more memory than the two bytes that
/// it may have in the text. Exported documents have 28 bytes for each.
pub const fn max_values(document_bytes: usize) -> usize {
    MIN_VALUES + document_bytes / 16
}
const MIN_VALUES: usize = 768 << 10;

/// Objects of a document, which may have one more for each 40 bytes: an activity or a variable takes some 400 bytes,
/// however little is in it.
pub const fn max_objects(document_bytes: usize) -> usize {
    MIN_OBJECTS + document_bytes / 40
}
const MIN_OBJECTS: usize = 64 << 10;

/// Bytes of the keys on the path to a value: each finding at it repeats them.
pub const MAX_PATH_BYTES: usize = 4096;

/// States that the interpreter keeps apart at one activity: conditions in sequence would double them each time.
pub const MAX_STATES: usize = 64;

/// Facts in all states of one workflow: what the interpreter may do, about a second.
pub const MAX_FACTS: usize = 20_000_000;

/// Facts in the states of one workflow that are held at one time, and one more for each 20 bytes of its document: each
/// takes some 50 bytes.
pub const fn max_held_facts(document_bytes: usize) -> usize {
    40_000 + document_bytes / 20
}

/// Steps of any other search in one service (a rule that follows values, reads of assigned values, taint), a fraction of
/// [`MAX_FACTS`] because there are many.
pub const MAX_SEARCH_STEPS: usize = 4_000_000;

/// Cells of the distance tables that suggestions in one service, or for the keys of one document, may compute: some ten
/// milliseconds.
pub const MAX_COMPARED_CELLS: u64 = 5_000_000;

/// Findings of one rule in one service. The others are counted: nobody reads as many, and each takes memory until the
/// report is written.
pub const MAX_FINDINGS: usize = 1_000;

/// Bytes of a script that is parsed and run. Its syntax needs up to a hundred times as much memory, and its parser a stack
/// in proportion.
pub const MAX_SCRIPT_BYTES: usize = 1 << 20;

/// Bytes of the names and values that a script is given, and of what it leaves in `Json`: what is sent to its process, and
/// back.
pub const MAX_VARIABLE_BYTES: usize = 4 << 20;

/// Bytes that the engine may allocate for a script. Its process has twice as much, to tell how the script ended.
pub const MAX_SCRIPT_MEMORY: usize = 32 << 20;

/// How often the engine may poll, per second of `script-seconds`. It polls after 10,000 steps (calls, branches, iterations,
/// backtracking of a regular expression), which take 0.7 ms or, when they throw and catch, 6 ms.
pub const SCRIPT_POLLS_PER_SECOND: f64 = 200.0;

/// Steps of the engine that a rule of the user may take in a service, and how many of them are counted as one, which is how
/// often the engine polls.
pub const RULE_STEPS: u32 = 10_000_000;
pub const STEPS_PER_POLL: u32 = 10_000;

/// Bytes that the engine may allocate for a rule of the user, beside the documents.
pub const MAX_RULE_MEMORY: usize = 64 << 20;

/// Characters of a message or a help of such a rule.
pub const MAX_RULE_TEXT: usize = 1_000;

/// All scripts of a service or of a simulated run together, in multiples of what one may take.
pub const SCRIPTS_PER_SERVICE: u32 = 5;

/// Steps of a simulated run unless `limits.steps` is set: a loop that waits for a case takes some hundred.
pub const MAX_RUN_STEPS: u64 = 100_000;

/// Days of virtual time of a simulated run unless `limits.virtual-time` is set: ten years.
pub const MAX_RUN_DAYS: i64 = 3650;

/// States of a service that are explored unless `explore.max-states` is set: minutes.
pub const MAX_EXPLORED_STATES: usize = 200_000;
