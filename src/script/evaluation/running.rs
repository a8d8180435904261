//! The scripts that run now: a thread that needs the result of one waits for it instead of running it, too.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::cache::Key;
use crate::cancellation::Cancellation;
use crate::collections::HashSet;

/// How often a thread that waits looks whether it is canceled.
const INTERVAL: Duration = Duration::from_millis(20);

#[derive(Default)]
pub(super) struct Running {
    keys: Mutex<HashSet<Key>>,
    ended: Condvar,
}

/// Counts as running until it is dropped.
pub(super) struct Begun<'r> {
    running: &'r Running,
    key: Key,
}

impl Running {
    /// Waits until no other thread runs a script, and begins with it. `None` if that is canceled.
    pub fn begin(&self, key: &Key, cancellation: &Cancellation) -> Option<Begun<'_>> {
        let mut keys = self.lock();
        while keys.contains(key) {
            if cancellation.is_canceled() {
                return None;
            }
            keys = self.ended.wait_timeout(keys, INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
        keys.insert(key.clone());
        Some(Begun { running: self, key: key.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<Key>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        self.running.lock().remove(&self.key);
        self.running.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;
    use crate::script::evaluation::request::ScriptLimits;

    fn key(script: &str) -> Key {
        let limits = ScriptLimits::of_seconds(1.0);
        Key { script: script.to_owned(), parameters: Vec::new(), hosts: Vec::new(), limits }
    }

    #[test]
    fn a_script_runs_on_one_thread_at_a_time() {
        let (running, now) = (Running::default(), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let _begun = running.begin(&key("a"), &Cancellation::default()).unwrap();
                        assert_eq!(now.fetch_add(1, Ordering::SeqCst), 0);
                        thread::yield_now();
                        now.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!(running.lock().is_empty());
    }

    #[test]
    fn waiting_ends_when_it_is_canceled() {
        let running = Running::default();
        let _begun = running.begin(&key("a"), &Cancellation::default());
        assert!(running.begin(&key("b"), &Cancellation::default()).is_some());
        let canceled = Cancellation::default();
        canceled.cancel();
        assert!(running.begin(&key("a"), &canceled).is_none());
    }
}
