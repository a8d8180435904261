//! Threads with stacks that suffice for the deepest document.

use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Stack of each worker, in bytes. Schema validation recurses with the depth of a document, which
/// may be 256; a debug build takes some 30 KiB a level.
const STACK_BYTES: usize = 32 << 20;

/// Threads for each processor; with more, only memory would grow.
const MAX_THREADS: usize = 4;

/// Starts the threads: as many as there are processors when `jobs` is `None`. WebAssembly has one thread, that of the caller,
/// which can be in one pool only.
pub fn pool(jobs: Option<usize>) -> Result<Arc<ThreadPool>, String> {
    static ONLY: OnceLock<Result<Arc<ThreadPool>, String>> = OnceLock::new();
    if cfg!(target_family = "wasm") {
        return ONLY.get_or_init(|| built(ThreadPoolBuilder::new().num_threads(1).use_current_thread())).clone();
    }
    let threads = jobs.map_or(0, |jobs| jobs.min(max_threads()));
    built(ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES))
}

fn built(builder: ThreadPoolBuilder) -> Result<Arc<ThreadPool>, String> {
    builder.build().map(Arc::new).map_err(|error| format!("cannot create threads: {error}"))
}

fn max_threads() -> usize {
    MAX_THREADS * available_parallelism().map_or(1, usize::from)
}

/// A thread with the stack of those of a [`pool`].
pub fn thread() -> std::thread::Builder {
    std::thread::Builder::new().stack_size(STACK_BYTES)
}

/// Runs a job on a [`pool`].
pub fn on_pool<T: Send>(jobs: Option<usize>, job: impl FnOnce() -> T + Send) -> Result<T, String> {
    Ok(pool(jobs)?.install(job))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_threads_is_limited() {
        let threads = |jobs| pool(Some(jobs)).map(|pool| pool.current_num_threads());
        assert_eq!(threads(1), Ok(1));
        assert_eq!(threads(usize::MAX), Ok(max_threads()));
    }
}
