//! The memory that runs on several threads hold together.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Bytes that all runs that are under way, or wait for an earlier one, may hold together.
const MAX_HELD: usize = 16 << 20;

/// Bytes of them that one run may hold.
const MAX_HELD_BY_RUN: usize = 2 << 20;

/// Bytes that are noted at once.
const CHUNK: usize = 16 << 10;

/// What runs on several threads hold. A run that would hold too much is given up, and made again while no other such run
/// is under way: so memory does not grow with the number of threads.
#[derive(Debug, Default)]
pub struct Memory {
    held: AtomicUsize,
    large: Mutex<()>,
}

impl Memory {
    /// The share of a run, before it holds anything.
    pub const fn share(&self) -> Share<'_> {
        Share { memory: self, held: Cell::new(0) }
    }

    /// Does what may hold much while nothing else does so.
    pub fn alone<R>(&self, job: impl FnOnce() -> R) -> R {
        let _large = self.large.lock().unwrap_or_else(PoisonError::into_inner);
        job()
    }
}

/// The bytes that one run holds, until it is dropped.
#[derive(Debug)]
pub struct Share<'m> {
    memory: &'m Memory,
    held: Cell<usize>,
}

impl Share<'_> {
    /// Notes that the run holds so many bytes. Returns whether it may.
    pub fn hold(&self, bytes: usize) -> bool {
        let held = self.held.get();
        if bytes <= held {
            return true;
        }
        if bytes > MAX_HELD_BY_RUN {
            return false;
        }
        let more = bytes.next_multiple_of(CHUNK) - held;
        if self.memory.held.fetch_add(more, Ordering::Relaxed) + more > MAX_HELD {
            self.memory.held.fetch_sub(more, Ordering::Relaxed);
            return false;
        }
        self.held.set(held + more);
        true
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.memory.held.fetch_sub(self.held.get(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_may_hold_so_much_and_no_more() {
        let memory = Memory::default();
        let share = memory.share();
        assert!(share.hold(MAX_HELD_BY_RUN));
        assert!(!share.hold(MAX_HELD_BY_RUN + 1));
        // What it holds already is not counted twice.
        assert!(share.hold(1) && share.hold(MAX_HELD_BY_RUN));
        assert_eq!(memory.held.load(Ordering::Relaxed), MAX_HELD_BY_RUN);
    }

    #[test]
    fn runs_share_what_they_may_hold() {
        let memory = Memory::default();
        let shares: Vec<Share<'_>> = (0..=MAX_HELD / MAX_HELD_BY_RUN).map(|_| memory.share()).collect();
        let (last, others) = shares.split_last().unwrap();
        assert!(others.iter().all(|share| share.hold(MAX_HELD_BY_RUN)));
        assert!(!last.hold(1));
        drop(shares);
        assert_eq!(memory.held.load(Ordering::Relaxed), 0);
        assert!(memory.share().hold(1));
    }
}
