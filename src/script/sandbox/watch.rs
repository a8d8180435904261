//! The watchdog of a child: it ends the process when code takes too long, by processor time.

use std::process::ExitCode;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::engine::{Progress, processor_time};
use super::frame::{INTERVAL, SILENT_LIMITS, TOTAL_LIMITS};

/// The exit code of a child that the watchdog ends, as of `timeout` in GNU coreutils.
pub(super) const TIMEOUT_EXIT: u8 = 124;

/// What watches over the code that a child runs, with the polls of its engines.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    watched: Arc<Watched>,
    pub(super) progress: Progress,
}

impl Watch {
    /// From now on the watchdog ends the process at a limit, of processor time without a poll.
    pub fn begin(&self, limit: Duration) {
        self.watched.begin(limit);
    }

    pub fn end(&self) {
        self.watched.end();
    }

    /// No code will run any more.
    pub(super) fn finish(&self) {
        self.watched.finish();
    }

    /// To be called at each poll of an engine.
    pub fn poll(&self) {
        self.progress.advance();
    }

    /// Returns when a script takes too long, or when no other will run.
    pub(super) fn watch(&self) -> ExitCode {
        let Self { watched, progress } = self;
        while let Some((number, limit)) = watched.next() {
            if !ends_in_time(watched, number, progress, limit) {
                return ExitCode::from(TIMEOUT_EXIT);
            }
        }
        ExitCode::FAILURE
    }
}

/// What the watchdog watches, with the side that runs scripts.
#[derive(Debug, Default)]
struct Watched {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Scripts that have begun.
    begun: u64,
    /// The time limit of the script that runs.
    running: Option<Duration>,
    /// Whether no script will run any more.
    is_over: bool,
}

impl Watched {
    fn begin(&self, limit: Duration) {
        let mut state = self.lock();
        let was_idle = state.running.is_none();
        state.begun += 1;
        state.running = Some(limit);
        // It looks again soon, and to wake it takes longer than most rules run.
        if was_idle {
            self.changed.notify_one();
        }
    }

    fn end(&self) {
        self.lock().running = None;
    }

    fn finish(&self) {
        self.lock().is_over = true;
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a script: its number and its time limit. `None` if none will run.
    fn next(&self) -> Option<(u64, Duration)> {
        let mut state = self.lock();
        while !state.is_over {
            if let Some(limit) = state.running {
                return Some((state.begun, limit));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Waits for [`INTERVAL`], and returns whether the script with a number still runs then.
    fn still_runs(&self, number: u64) -> bool {
        let state = self.changed.wait_timeout(self.lock(), INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        state.begun == number && state.running.is_some() && !state.is_over
    }
}

fn ends_in_time(watched: &Watched, number: u64, progress: &Progress, limit: Duration) -> bool {
    let began = processor_time();
    let (mut polls, mut polled) = (progress.count(), began);
    while watched.still_runs(number) {
        let now = processor_time();
        if progress.count() != polls {
            (polls, polled) = (progress.count(), now);
        }
        let is_silent = now.saturating_sub(polled) >= limit.saturating_mul(SILENT_LIMITS);
        if is_silent || now.saturating_sub(began) >= limit.saturating_mul(TOTAL_LIMITS) {
            return false;
        }
    }
    true
}
