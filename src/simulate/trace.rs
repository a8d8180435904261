//! What happened in a run, as compact records that reports put into words.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::SignedDuration;

use super::assumption::Assumption;
use super::clock::Instant;
use super::scenario::{Decision, MailKind};
use super::text::Text;
use super::variables::Slot;
use crate::model::ActivityId;

/// One line of a run's trace.
#[derive(Debug, Clone)]
pub struct TraceEntry<'p> {
    pub at: Instant,
    /// The activity that was running; `None` before the first.
    pub activity: Option<ActivityId>,
    pub event: Event<'p>,
}

#[derive(Debug, Clone)]
pub enum Event<'p> {
    /// A variable got a value from the form or the scenario.
    Filled(Slot, Arc<str>),
    /// A variable got a value.
    Set(Slot, Arc<str>),
    /// A condition was evaluated.
    Evaluated {
        left: Text<'p>,
        right: Text<'p>,
        holds: bool,
    },
    /// A provider method was called; the index in [`Record::calls`].
    Called(usize),
    /// A value was discarded: no variable has this name.
    Lost(Arc<str>),
    /// A variable without a value was read.
    Unset(&'p str),
    /// A status text was published.
    Published(Text<'p>),
    /// A script ran to its end.
    Ran,
    /// A mail was sent; the index in [`Record::mails`].
    Mailed(usize),
    /// Something happened to a signing case.
    Case(CaseEvent),
    /// People were asked for an approval; their addresses, joined.
    Asked(Arc<str>),
    /// An approver answered.
    Answered {
        who: Arc<str>,
        approves: bool,
    },
    Decided(Decision),
    /// Nobody decided in time.
    TimedOut {
        after: SignedDuration,
        approves: bool,
    },
    /// The process was ended.
    Terminated,
    /// A warning for the author of the workflow or scenario.
    Warned(Arc<str>),
}

/// What happened to a signing case.
#[derive(Debug, Clone)]
pub enum CaseEvent {
    /// A request created it; the name of the case.
    Created(Arc<str>),
    /// A party signed.
    Signed(Arc<str>),
    /// A party refused.
    Rejected(Arc<str>),
    /// The last party signed.
    Finished,
    Expired,
}

#[derive(Debug, Clone)]
pub struct Call {
    pub at: Instant,
    pub activity: ActivityId,
    /// Why it failed, if it did.
    pub error: Option<Arc<str>>,
}

#[derive(Debug, Clone)]
pub struct Mail {
    pub at: Instant,
    pub to: Arc<str>,
    pub kind: MailKind,
    pub subject: Arc<str>,
}

/// Everything that happened in a run, in order.
#[derive(Debug, Default)]
pub struct Record<'p> {
    pub entries: Vec<TraceEntry<'p>>,
    /// Published status texts.
    pub statuses: Vec<(Instant, Text<'p>)>,
    pub calls: Vec<Call>,
    pub mails: Vec<Mail>,
    pub approvals: Vec<(ActivityId, Decision)>,
    /// By activity: whether it was begun.
    pub reached: Vec<bool>,
    pub assumptions: BTreeSet<Assumption>,
    /// Warnings about entries of the scenario that had no effect.
    pub unused: Vec<String>,
}
