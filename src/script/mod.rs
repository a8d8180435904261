//! The JavaScript of Code activities and forms.

pub mod evaluation;
pub mod pattern;
pub mod sandbox;
pub mod syntax;

pub use evaluation::{Evaluation, Evaluator};
pub use pattern::pattern_samples;
pub use sandbox::{
    Answer, Confinement, FailureKind, Job, JsonVariable, Memo, Sandbox, SandboxError, ScriptFailure, polls_of,
};

use std::thread;

/// Runs a job that may use so many bytes of stack: on this thread if it has as many left, otherwise on
/// a thread of its own. `None` when no such thread can be started, or the job panics on it. WebAssembly has neither threads
/// nor a way to ask what is left: its host ends the run when nothing is.
fn with_stack<T: Send>(bytes: usize, job: impl FnOnce() -> T + Send) -> Option<T> {
    // To start a thread takes longer than to parse a usual script.
    if cfg!(target_family = "wasm") || stacker::remaining_stack().is_some_and(|left| left > bytes) {
        return Some(job());
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(bytes);
        thread.spawn_scoped(scope, job).ok()?.join().ok()
    })
}
