//! Ends the child when a script neither ends nor polls.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::limits::{SILENT_LIMITS, TOTAL_LIMITS};

/// The exit code of a child that the watchdog ends, as of `timeout` in GNU coreutils.
pub(super) const TIMEOUT_EXIT: u8 = 124;

/// How often the watchdog looks, and the parent whether the script is canceled.
pub(super) const INTERVAL: Duration = Duration::from_millis(20);

/// Polls of the engine since the start of the process.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress(Arc<AtomicU64>);

impl Progress {
    pub fn advance(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What the watchdog watches, with the side that runs scripts.
///
/// Most scripts end before the watchdog looks for the first time, so it is woken by the first of a series
/// only. It notices the others up to [`INTERVAL`] later.
#[derive(Debug, Default)]
pub(super) struct Watched {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Scripts that have begun.
    begun: u64,
    /// The time limit of the script that runs.
    running: Option<Duration>,
    /// Whether the watchdog waits for a script.
    is_waiting: bool,
    /// Whether no script will run any more.
    is_over: bool,
}

impl Watched {
    /// A script begins, with its time limit.
    pub fn begin(&self, limit: Duration) {
        let mut state = self.lock();
        state.begun += 1;
        state.running = Some(limit);
        if state.is_waiting {
            self.changed.notify_one();
        }
    }

    /// The script has ended.
    pub fn end(&self) {
        self.lock().running = None;
    }

    /// No script will run any more.
    pub fn finish(&self) {
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
                state.is_waiting = false;
                return Some((state.begun, limit));
            }
            state.is_waiting = true;
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

/// Returns when a script takes too long, or when no other will run.
pub(super) fn watch(watched: &Watched, progress: &Progress) -> ExitCode {
    while let Some((number, limit)) = watched.next() {
        if !ends_in_time(watched, number, progress, limit) {
            return ExitCode::from(TIMEOUT_EXIT);
        }
    }
    ExitCode::FAILURE
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

/// The processor time of this process, which does not pass while other processes run.
#[cfg(unix)]
pub(super) fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// The time since the first call: this platform has no safe interface to processor time.
#[cfg(not(unix))]
pub(super) fn processor_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
