//! The time that all scripts may take together, and why no more of them are run.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long all scripts of a lint may take together.
const MAX_TOTAL: Duration = Duration::from_secs(30);

/// Shared by the threads that evaluate scripts.
#[derive(Default)]
pub(super) struct Budget {
    spent_microseconds: AtomicU64,
    /// Set once, when scripts are no longer run.
    note: Mutex<Option<String>>,
}

impl Budget {
    /// Why some scripts were not run, for the user.
    pub fn note(&self) -> Option<String> {
        self.note.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether another script may be run.
    pub fn allows_run(&self) -> bool {
        if Duration::from_micros(self.spent_microseconds.load(Ordering::Relaxed)) > MAX_TOTAL {
            self.stop(format!(
                "scripts exceeded their total time limit of {} s, some were not run",
                MAX_TOTAL.as_secs()
            ));
        }
        self.note().is_none()
    }

    pub fn spend(&self, time: Duration) {
        let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.spent_microseconds.fetch_add(microseconds, Ordering::Relaxed);
    }

    /// No further script is run. The first reason is the one that is kept.
    pub fn stop(&self, note: String) {
        self.note.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spent_budget_stops_further_runs_with_a_note() {
        let budget = Budget::default();
        budget.spend(MAX_TOTAL);
        assert!(budget.allows_run());
        assert_eq!(budget.note(), None);
        budget.spend(Duration::from_millis(1));
        assert!(!budget.allows_run());
        budget.stop("another reason".to_owned());
        let note = "scripts exceeded their total time limit of 30 s, some were not run";
        assert_eq!(budget.note().as_deref(), Some(note));
    }
}
