//! Ends the child when a script neither ends nor polls.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
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

/// The phase that the watchdog watches.
pub(super) enum Phase {
    /// A script begins, with its time limit.
    Begin(Duration),
    End,
}

/// Returns when a script takes too long, or when the other side is gone.
pub(super) fn watch(phases: &Receiver<Phase>, progress: &Progress) -> ExitCode {
    while let Ok(phase) = phases.recv() {
        if let Phase::Begin(limit) = phase
            && !ends_in_time(phases, progress, limit)
        {
            return ExitCode::from(TIMEOUT_EXIT);
        }
    }
    ExitCode::FAILURE
}

fn ends_in_time(phases: &Receiver<Phase>, progress: &Progress, limit: Duration) -> bool {
    let began = processor_time();
    let (mut polls, mut polled) = (progress.count(), began);
    while let Err(RecvTimeoutError::Timeout) = phases.recv_timeout(INTERVAL) {
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
