//! What happened in a run, as compact records; reports turn them into words.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::assumption::Assumption;
use super::clock::Instant;
use super::scenario::{Decision, MailKind};
use super::variables::Slot;
use crate::model::ActivityId;

/// A text that a document holds, or that a run has made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text<'p> {
    /// Of a document.
    Document(&'p str),
    /// Made in the run.
    Made(Arc<str>),
}

impl Text<'_> {
    /// The characters.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Document(text) => text,
            Self::Made(text) => text,
        }
    }

    /// The text on its own.
    pub fn to_arc(&self) -> Arc<str> {
        match self {
            Self::Document(text) => Arc::from(*text),
            Self::Made(text) => Arc::clone(text),
        }
    }
}

/// One line of a run's trace.
#[derive(Debug, Clone)]
pub struct Entry<'p> {
    /// When.
    pub at: Instant,
    /// The activity that was running; `None` before the first.
    pub activity: Option<ActivityId>,
    /// What happened.
    pub event: Event<'p>,
}

/// What happened.
#[derive(Debug, Clone)]
pub enum Event<'p> {
    /// A variable got a value from the form or the scenario.
    Filled(Slot, Arc<str>),
    /// A variable got a value.
    Set(Slot, Arc<str>),
    /// A condition was evaluated: both sides, and whether it held.
    Evaluated {
        /// The left side.
        left: Text<'p>,
        /// The right side.
        right: Text<'p>,
        /// The outcome.
        holds: bool,
    },
    /// A provider method was called: the index of the call.
    Called(usize),
    /// A value that no variable takes.
    Lost(Arc<str>),
    /// A variable was read that has no value, or does not exist: its name.
    Unset(&'p str),
    /// A status text was published.
    Published(Text<'p>),
    /// A script ran to its end.
    Ran,
    /// A mail went out: the index of the mail.
    Mailed(usize),
    /// Something happened to a signing case.
    Case(CaseEvent),
    /// People were asked for an approval.
    Asked(Arc<str>),
    /// Somebody answered.
    Answered {
        /// Who.
        who: Arc<str>,
        /// Whether it was an approval.
        approves: bool,
    },
    /// An approval was decided.
    Decided(Decision),
    /// The process was ended.
    Terminated,
    /// Something that the author should know.
    Warned(Arc<str>),
}

/// What happened to a signing case.
#[derive(Debug, Clone)]
pub enum CaseEvent {
    /// A request created it; its name.
    Created(Arc<str>),
    /// A party signed.
    Signed(Arc<str>),
    /// A party refused.
    Rejected(Arc<str>),
    /// The last signature was given.
    Finished,
    /// Its time is over.
    Expired,
}

/// A provider call.
#[derive(Debug, Clone)]
pub struct Call {
    /// When.
    pub at: Instant,
    /// The activity.
    pub activity: ActivityId,
    /// Why it failed, if it did.
    pub error: Option<Arc<str>>,
}

/// A mail.
#[derive(Debug, Clone)]
pub struct Mail {
    /// When it was sent.
    pub at: Instant,
    /// To whom.
    pub to: Arc<str>,
    /// Why.
    pub kind: MailKind,
    /// What it is about.
    pub subject: Arc<str>,
}

/// Everything that happened in a run, in its order.
#[derive(Debug, Default)]
pub struct Record<'p> {
    /// The trace.
    pub entries: Vec<Entry<'p>>,
    /// Published texts.
    pub statuses: Vec<(Instant, Text<'p>)>,
    /// Provider calls.
    pub calls: Vec<Call>,
    /// Mails.
    pub mails: Vec<Mail>,
    /// Decided approvals.
    pub approvals: Vec<(ActivityId, Decision)>,
    /// By activity: whether it was begun.
    pub reached: Vec<bool>,
    /// What was assumed.
    pub assumptions: BTreeSet<Assumption>,
    /// Entries of the scenario that had no effect.
    pub unused: Vec<String>,
}
