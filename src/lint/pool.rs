//! Threads with stacks that suffice for the deepest document.

use std::hint::black_box;
use std::thread::available_parallelism;

/// Stack of each worker, in bytes. Schema validation recurses with the depth of a document, which
/// may be 256; a debug build takes some 30 KiB a level.
const STACK_BYTES: usize = 32 << 20;

/// Memory that a thread gets before it starts a job, in bytes. The allocator of glibc would ask for a few pages at a time,
/// which takes a fiftieth of a lint.
const RESERVED_BYTES: usize = 16 << 20;

/// Threads for each processor; with more, only memory would grow.
const MAX_THREADS: usize = 4;

/// Starts the threads: as many as there are processors when `jobs` is `None`.
///
/// # Errors
/// When no threads can be created.
pub fn pool(jobs: Option<usize>) -> Result<rayon::ThreadPool, String> {
    start(builder(jobs))
}

fn builder(jobs: Option<usize>) -> rayon::ThreadPoolBuilder {
    rayon::ThreadPoolBuilder::new().num_threads(jobs.map_or(0, |jobs| jobs.min(max_threads()))).stack_size(STACK_BYTES)
}

fn start(builder: rayon::ThreadPoolBuilder) -> Result<rayon::ThreadPool, String> {
    builder.build().map_err(|error| format!("cannot create threads: {error}"))
}

fn max_threads() -> usize {
    MAX_THREADS * available_parallelism().map_or(1, usize::from)
}

/// A thread with the stack of those of a [`pool`].
pub fn thread() -> std::thread::Builder {
    std::thread::Builder::new().stack_size(STACK_BYTES)
}

/// Runs a job on a [`pool`].
///
/// # Errors
/// When no threads can be created.
pub fn on_pool<T: Send>(jobs: Option<usize>, job: impl FnOnce() -> T + Send) -> Result<T, String> {
    Ok(pool(jobs)?.install(job))
}

/// As [`pool`], for a lint after which the process ends: the threads keep the memory that they get.
///
/// # Errors
/// When no threads can be created.
pub fn last_pool(jobs: Option<usize>) -> Result<rayon::ThreadPool, String> {
    // Freeing a block raises the size below which all threads take blocks from their own memory (mallopt(3),
    // `M_MMAP_THRESHOLD`), and how much of it they keep.
    allocate(RESERVED_BYTES + RESERVED_BYTES / 2);
    start(builder(jobs).start_handler(|_| allocate(RESERVED_BYTES)))
}

/// Allocates and frees a block, of which no page is used. If there is not so much memory, nothing happens.
fn allocate(bytes: usize) {
    let mut block: Vec<u8> = Vec::new();
    let _ = block.try_reserve_exact(bytes);
    black_box(block);
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
