//! Progress: one line on standard error, which other output replaces.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time between two lines.
const PAUSE: Duration = Duration::from_millis(100);

/// How much is done, of what.
#[derive(Debug)]
pub(super) struct Progress {
    /// Whether standard error is a terminal, and there is enough to do.
    is_shown: bool,
    unit: &'static str,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    done: usize,
    /// `None` if it is not known.
    total: Option<usize>,
    begun: Instant,
    shown: Instant,
}

impl Progress {
    pub fn new(is_shown: bool, unit: &'static str) -> Self {
        let now = Instant::now();
        Self { is_shown, unit, state: Mutex::new(State { done: 0, total: None, begun: now, shown: now }) }
    }

    pub const fn is_shown(&self) -> bool {
        self.is_shown
    }

    pub fn begin(&self, total: usize) {
        let mut state = self.state();
        (state.total, state.begun) = (Some(total), Instant::now());
    }

    pub fn add(&self, number: usize) {
        let mut state = self.state();
        state.done += number;
        if self.is_shown && state.shown.elapsed() >= PAUSE {
            state.shown = Instant::now();
            // Nothing can be done when standard error is gone.
            let _ = write!(std::io::stderr(), "\r\u{1b}[K{}", state.line(self.unit));
        }
    }

    /// Removes the line, before other output and at the end.
    pub fn clear(&self) {
        if self.is_shown {
            let _ = write!(std::io::stderr(), "\r\u{1b}[K");
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn line(&self, unit: &str) -> String {
        let Some(total) = self.total else { return format!("{} {unit}", self.done) };
        let mut line = format!("{}/{total} {unit}", self.done);
        let left = total.saturating_sub(self.done) as u64;
        if let Some(each) = self.begun.elapsed().as_millis().checked_div(self.done as u128) {
            let _ = write!(line, ", {} s left", each.saturating_mul(u128::from(left)) / 1000);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_says_how_much_is_done_and_how_long_the_rest_takes() {
        let begun = Instant::now().checked_sub(Duration::from_secs(10)).unwrap();
        let state = |done, total| State { done, total, begun, shown: begun };
        assert_eq!(state(41, None).line("states"), "41 states");
        assert_eq!(state(0, Some(3)).line("changes"), "0/3 changes");
        assert!(state(50, Some(150)).line("changes").starts_with("50/150 changes, 20 s left"));
    }
}
