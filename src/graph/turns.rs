//! Large analyses take turns: with many threads, their memory would not be in proportion to the documents.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::{Condvar, Mutex, PoisonError};

/// Large analyses at one time.
const MAX_AT_A_TIME: usize = 8;

static LARGE: Turns = Turns::new(MAX_AT_A_TIME);

thread_local! {
    /// Whether this thread has a turn: analyses inside of a large one do not wait, which could be for each other.
    static HAS_TURN: Cell<bool> = const { Cell::new(false) };
}

/// A counting semaphore.
#[derive(Debug)]
struct Turns {
    free: Mutex<usize>,
    changed: Condvar,
}

/// The right to hold much memory, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    /// `None` inside of another one of the thread.
    turns: Option<&'static Turns>,
    /// It stays on its thread.
    not_send: PhantomData<*const ()>,
}

impl Turns {
    const fn new(number: usize) -> Self {
        Self { free: Mutex::new(number), changed: Condvar::new() }
    }
}

impl Turn {
    /// Waits until few enough analyses are large.
    pub fn wait() -> Self {
        Self::of(&LARGE)
    }

    fn of(turns: &'static Turns) -> Self {
        if HAS_TURN.replace(true) {
            return Self { turns: None, not_send: PhantomData };
        }
        let free = turns.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = turns.changed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Self { turns: Some(turns), not_send: PhantomData }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.turns {
            HAS_TURN.set(false);
            *turns.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            turns.changed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn few_threads_have_a_turn_at_one_time() {
        static TURNS: Turns = Turns::new(2);
        let (having, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let _turn = Turn::of(&TURNS);
                        let _inside = Turn::of(&TURNS);
                        most.fetch_max(having.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::yield_now();
                        having.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!((1..=2).contains(&most.load(Ordering::SeqCst)));
        assert_eq!(*TURNS.free.lock().unwrap(), 2);
    }
}
