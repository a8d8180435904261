//! What happened in a run, as compact records that reports put into words, and why it ended early.

use std::ops::Range;
use std::sync::Arc;

use jiff::SignedDuration;

use super::clock::Instant;
use super::scenario::{Decision, MailKind};
use super::strings::Text;
use super::variables::Slot;
use crate::document::NodeId;
use crate::model::ActivityId;
use crate::model::Assumptions;
use crate::text::diagnostic::Location;

/// One line of a run's trace.
#[derive(Debug, Clone)]
pub struct TraceEntry<'p> {
    pub at: Instant,
    /// The activity that was running; `None` before the first.
    pub activity: Option<ActivityId>,
    pub event: Event<'p>,
}

// A run has hundreds of thousands of entries, so larger data is in separate lists.
const _: () = assert!(size_of::<TraceEntry<'_>>() <= 40);

#[derive(Debug, Clone)]
pub enum Event<'p> {
    /// A variable got a value from the form or the scenario.
    Filled(Slot, Arc<str>),
    /// A variable got a value.
    Set(Slot, Arc<str>),
    /// A condition was evaluated; the index of its sides in [`Record::sides`].
    Evaluated {
        sides: usize,
        holds: bool,
    },
    /// A provider method was called; the index in [`Record::calls`].
    Called(usize),
    /// A value was discarded: no variable has this name.
    Lost(Arc<str>),
    /// A variable without a value was read.
    Unset(&'p str),
    /// A status text was published; the index in [`Record::statuses`].
    Published(usize),
    /// A script ran to its end.
    Ran,
    /// A mail was sent; the index in [`Record::mails`].
    Mailed(usize),
    /// Something happened to a signing case.
    Case(Box<CaseEvent>),
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
    /// The activity was left out, because its type is unknown.
    Skipped(&'p str),
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

/// Repeated entries of a trace: rounds of a loop that are like the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// Those of the first of these rounds. The repetitions come after it.
    pub entries: Range<usize>,
    pub times: u64,
    /// From one round to the next.
    pub period: SignedDuration,
}

/// Where a round of a loop began.
#[derive(Debug, Clone, Copy)]
pub struct RoundStart {
    pub at: Instant,
    // The lengths of lists in the record.
    entries: usize,
    sides: usize,
    calls: usize,
}

/// A read of a variable without a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UnsetRead<'p> {
    pub activity: Option<ActivityId>,
    /// The name in a binding, or the string with the placeholder.
    pub node: NodeId,
    /// The placeholder, as a range of the string.
    pub part: Option<Range<usize>>,
    pub variable: &'p str,
}

/// Everything that happened in a run, in order.
#[derive(Debug, Clone, Default)]
pub struct Record<'p> {
    /// Without those that are repeated; see [`Self::trace`].
    pub entries: Vec<TraceEntry<'p>>,
    /// In the order of the entries; none lies inside another.
    pub repeats: Vec<Repeat>,
    /// Of conditions that were evaluated: left and right.
    pub sides: Vec<[Text<'p>; 2]>,
    /// Published status texts.
    pub statuses: Vec<(Instant, Text<'p>)>,
    pub calls: Vec<Call>,
    pub mails: Vec<Mail>,
    pub approvals: Vec<(ActivityId, Decision)>,
    /// By activity: how often it began. Empty in a search.
    pub times_begun: Vec<u64>,
    /// Whether a search takes it in segments: then the next two are kept, and no rounds are folded.
    pub is_segment: bool,
    /// The activities that were begun, in order.
    pub begun: Vec<ActivityId>,
    /// Reads of variables without a value, of each variable the first; but all of those by loops.
    pub unset_reads: Vec<UnsetRead<'p>>,
    pub assumptions: Assumptions,
    /// Warnings about entries of the scenario that had no effect.
    pub unused: Vec<String>,
}

impl<'p> Record<'p> {
    pub const fn begin_round(&self, at: Instant) -> RoundStart {
        RoundStart { at, entries: self.entries.len(), sides: self.sides.len(), calls: self.calls.len() }
    }

    /// Folds the round of a loop that ends now into the one before, `base`, if they are alike. Returns whether they are.
    pub fn fold(&mut self, base: &RoundStart, last: &RoundStart, period: SignedDuration) -> bool {
        let round = base.entries..last.entries;
        if self.repeats.last().is_some_and(|repeat| repeat.entries.end > base.entries && repeat.entries != round) {
            // One of the two has repeated rounds inside.
            return false;
        }
        let (Some(one), Some(other)) = (self.entries.get(round.clone()), self.entries.get(last.entries..)) else {
            return false;
        };
        let is_same = |(one, other): (&TraceEntry<'_>, &TraceEntry<'_>)| {
            one.activity == other.activity
                && one.at.since(base.at) == other.at.since(last.at)
                && self.are_alike(&one.event, &other.event)
        };
        if one.len() != other.len() || !one.iter().zip(other).all(is_same) {
            return false;
        }
        match self.repeats.last_mut().filter(|repeat| repeat.entries == round) {
            Some(repeat) => repeat.times += 1,
            None => self.repeats.push(Repeat { entries: round, times: 1, period }),
        }
        self.entries.truncate(last.entries);
        self.sides.truncate(last.sides);
        self.calls.truncate(last.calls);
        true
    }

    /// Whether two events of rounds show the same. Those of people and cases are never folded.
    fn are_alike(&self, one: &Event<'_>, other: &Event<'_>) -> bool {
        match (one, other) {
            (Event::Evaluated { sides: a, holds: c }, Event::Evaluated { sides: b, holds: d }) => {
                c == d && self.sides(*a) == self.sides(*b)
            }
            (Event::Called(a), Event::Called(b)) => {
                let error = |call: &usize| self.calls.get(*call).map(|call| &call.error);
                error(a) == error(b)
            }
            (Event::Published(a), Event::Published(b)) => self.status(*a) == self.status(*b),
            (Event::Mailed(a), Event::Mailed(b)) => {
                let mail = |mail: &usize| self.mails.get(*mail).map(|mail| (&mail.to, mail.kind, &mail.subject));
                mail(a) == mail(b)
            }
            (Event::Set(a, c), Event::Set(b, d)) => a == b && c == d,
            (Event::Lost(a), Event::Lost(b)) | (Event::Warned(a), Event::Warned(b)) => a == b,
            (Event::Skipped(a), Event::Skipped(b)) => a == b,
            (Event::Ran, Event::Ran) => true,
            _ => false,
        }
    }

    /// Forgets what happened so far, except for what was assumed.
    pub fn begin_segment(&mut self) {
        self.entries.clear();
        self.repeats.clear();
        self.sides.clear();
        self.statuses.clear();
        self.calls.clear();
        self.mails.clear();
        self.approvals.clear();
        self.begun.clear();
        self.unset_reads.clear();
    }

    /// Continues the record of a search in the memory of an empty one.
    pub fn continue_in(&mut self, mut memory: Self) {
        memory.entries.append(&mut self.entries);
        memory.repeats.append(&mut self.repeats);
        memory.sides.append(&mut self.sides);
        memory.statuses.append(&mut self.statuses);
        memory.calls.append(&mut self.calls);
        memory.mails.append(&mut self.mails);
        memory.approvals.append(&mut self.approvals);
        memory.begun.append(&mut self.begun);
        memory.unset_reads.append(&mut self.unset_reads);
        (memory.assumptions, memory.is_segment) = (self.assumptions, self.is_segment);
        *self = memory;
    }

    /// Reuses the memory of a record that contains only assumptions.
    #[must_use]
    pub fn take_memory(&mut self) -> Self {
        let empty = Self { assumptions: self.assumptions, is_segment: self.is_segment, ..Self::default() };
        std::mem::replace(self, empty)
    }

    /// The sides of a condition that was evaluated.
    pub fn sides(&self, index: usize) -> [&str; 2] {
        self.sides.get(index).map_or([""; 2], |sides| sides.each_ref().map(Text::as_str))
    }

    /// A status text that was published.
    pub fn status(&self, index: usize) -> &str {
        self.statuses.get(index).map_or("", |(_, text)| text.as_str())
    }

    /// All entries, also those that are repeated, and when they happened.
    pub fn trace(&self) -> impl Iterator<Item = (Instant, &TraceEntry<'p>)> {
        let ends = self.repeats.iter().map(|repeat| repeat.entries.end).chain([self.entries.len()]);
        let starts = [0].into_iter().chain(self.repeats.iter().map(|repeat| repeat.entries.end));
        let played = starts.zip(ends).map(|(start, end)| self.entries.get(start..end).unwrap_or_default());
        let repeats = self.repeats.iter().map(Some).chain([None]);
        played.zip(repeats).flat_map(|(played, repeat)| {
            let again = repeat.into_iter().flat_map(|repeat| self.repeated(repeat));
            played.iter().map(|entry| (entry.at, entry)).chain(again)
        })
    }

    /// The entries that a repeat stands for.
    pub fn repeated(&self, repeat: &Repeat) -> impl Iterator<Item = (Instant, &TraceEntry<'p>)> {
        let round = self.entries.get(repeat.entries.clone()).unwrap_or_default();
        let period = repeat.period;
        (1..=repeat.times).flat_map(move |number| {
            let later = times(period, number);
            round.iter().map(move |entry| (entry.at.after(later), entry))
        })
    }
}

/// A duration so many times; the longest duration if that overflows.
pub fn times(duration: SignedDuration, number: u64) -> SignedDuration {
    let milliseconds = duration.as_millis().saturating_mul(i128::from(number));
    SignedDuration::from_millis(i64::try_from(milliseconds).unwrap_or(i64::MAX))
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// May hold values of masked variables, which reports hide.
    pub message: String,
    /// The activity, parameter or field at fault.
    pub location: Option<Location>,
}

/// Why a run ends before its last activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// By a Terminate.
    Terminated,
    /// An activity failed and stops the order.
    Failed(Failure),
    /// A limit was exceeded, or nothing more can happen.
    Stuck(Failure),
    /// The form did not accept the submission.
    Refused(Failure),
    /// A search has to decide something before the next step. No other run stops so.
    Undecided,
}
