//! The state of a run at the head of a loop.

use crate::collections::HashMap;
use crate::simulate::clock::Instant;
use crate::simulate::variables::Values;

/// The state of a run right before it evaluates the condition of a loop.
#[derive(Debug, Clone)]
pub struct LoopHead<'p> {
    /// All that decides what happens next, but for the time and for what [`Progress`] counts.
    pub state: HeadState,
    pub progress: Progress<'p>,
    /// The rounds before that began in the same state.
    pub equal_rounds: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadState {
    pub values: Values,
    /// How much there is of what only grows: mails, cases, timers and the like. Equal numbers: nothing has happened.
    pub numbers: Vec<u64>,
}

/// What a round adds to, whether it changes anything or not.
#[derive(Debug, Clone)]
pub struct Progress<'p> {
    pub now: Instant,
    pub steps: u64,
    /// Bytes.
    pub text: usize,
    /// Of the trace.
    pub entries: usize,
    pub calls: HashMap<&'p str, u64>,
    /// By activity.
    pub times_begun: Vec<u64>,
}
