//! What is under way in a run, as data: a run can be copied, and continued from any point.

use std::collections::VecDeque;
use std::sync::Arc;

use jiff::SignedDuration;

use crate::model::{Activity, ActivityId, Approval};
use crate::simulate::clock::{Due, Instant};
use crate::simulate::program::While;

/// Something that is under way. The innermost one continues first.
#[derive(Debug, Clone)]
pub enum Frame<'p> {
    /// A list of activities, in document order.
    Activities {
        ids: &'p [ActivityId],
        next: usize,
    },
    Loop(LoopFrame<'p>),
    Approval(Box<ApprovalFrame<'p>>),
    Events(EventsFrame<'p>),
    /// Time passes up to there.
    Wait(Due),
}

/// A While.
#[derive(Debug, Clone, Copy)]
pub struct LoopFrame<'p> {
    pub activity: &'p Activity<'p>,
    pub action: &'p While<'p>,
    /// Whether the condition holds and the delay is over, so that the children run next.
    pub has_waited: bool,
}

#[derive(Debug, Clone)]
pub struct ApprovalFrame<'p> {
    pub activity: &'p Activity<'p>,
    pub approval: &'p Approval<'p>,
    /// The number of Approvals that asked before, which is its index in the list of those who are asked.
    pub index: usize,
    /// When the people were asked.
    pub asked: Instant,
    pub timeout: Option<Due>,
    /// The time from asking to the timeout.
    pub duration: Option<SignedDuration>,
    pub timeout_approves: bool,
    /// Those that are still to come, in the order in which they are due.
    pub answers: VecDeque<ApprovalAnswer>,
    pub next: ApprovalStep,
}

/// What comes next in an Approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalStep {
    Wait,
    Answer,
    Timeout,
    /// The children of the Events have run, and the Approval ends if it is decided.
    AfterEvents {
        is_decided: bool,
    },
}

#[derive(Debug, Clone)]
pub struct ApprovalAnswer {
    pub due: Due,
    pub who: Arc<str>,
    pub approves: bool,
}

/// The Events of one name in an Approval, of which each runs its children after an answer.
#[derive(Debug, Clone, Copy)]
pub struct EventsFrame<'p> {
    pub approval: &'p Activity<'p>,
    pub event: &'static str,
    /// The child of the Approval to look at next.
    pub next: usize,
}
