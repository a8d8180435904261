//! The state of a run at the head of a loop.

use crate::simulate::clock::Instant;
use crate::simulate::variables::Mark;

/// The state of a run right before it evaluates the condition of a loop. With the time and what [`Progress`] and
/// [`Counts`] count, it is all that decides what happens next.
#[derive(Debug, Clone)]
pub struct LoopHead {
    pub values: Mark,
    pub numbers: Numbers,
    pub progress: Progress,
    /// The rounds before that began in the same state.
    pub equal_rounds: u32,
    /// Only when the next round may be the first that is skipped.
    pub counts: Option<Counts>,
}

/// The sizes of everything that only grows: mails, cases, timers and so on. Equal numbers mean that nothing has
/// happened.
pub type Numbers = [u64; 10];

/// Counters that an iteration increases even if it changes nothing.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    pub now: Instant,
    pub steps: u64,
    /// Bytes.
    pub text: usize,
    /// Of the trace.
    pub entries: usize,
}

/// As [`Progress`], of each method and activity.
#[derive(Debug, Clone)]
pub struct Counts {
    pub calls: Vec<u64>,
    pub times_begun: Vec<u64>,
}
