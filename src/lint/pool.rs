//! Threads with stacks that suffice for the deepest document.

/// Stack of each worker, in bytes. Schema validation recurses with the depth of a document, which
/// may be 256; a debug build takes some 30 KiB a level.
const STACK_BYTES: usize = 32 << 20;

/// Starts the threads: as many as there are cores when `jobs` is `None`.
///
/// # Errors
/// When no threads can be created.
pub fn pool(jobs: Option<usize>) -> Result<rayon::ThreadPool, String> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.unwrap_or(0))
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|error| format!("cannot create threads: {error}"))
}

/// Runs a job on a [`pool`].
///
/// # Errors
/// When no threads can be created.
pub fn on_pool<T: Send>(jobs: Option<usize>, job: impl FnOnce() -> T + Send) -> Result<T, String> {
    Ok(pool(jobs)?.install(job))
}
