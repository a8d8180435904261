//! Work that recurses, where there is stack for it.

use std::thread;

/// Runs a job that may take so many bytes of stack: here, where there are as many left, else on a
/// thread of its own. `None` when there is no such thread to be had.
pub fn with_stack<T: Send>(bytes: usize, job: impl FnOnce() -> T + Send) -> Option<T> {
    // A thread costs more than parsing a usual script.
    if stacker::remaining_stack().is_some_and(|left| left > bytes) {
        return Some(job());
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(bytes);
        thread.spawn_scoped(scope, job).ok()?.join().ok()
    })
}
