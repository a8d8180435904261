//! What a run did between two decision points.

use crate::explore::laws::MetFault;
use crate::model::ActivityId;
use crate::outcomes::{Decision, MailKind};
use crate::simulate::{Branch, Event, Record};

/// A segment of a run: what it did between two decision points.
#[derive(Default)]
pub struct Segment<'p> {
    /// Activities that were begun.
    pub begun: Vec<ActivityId>,
    /// Conditions that were evaluated, with `true` or `false`; and what coverage counts, if that is watched for.
    pub branches: Vec<(ActivityId, Branch)>,
    /// Approvals that were decided.
    pub decided: Vec<(ActivityId, Decision)>,
    pub mailed: Vec<MailKind>,
    pub faults: Vec<MetFault<'p>>,
    /// Calls, and whether each succeeded.
    pub calls: Vec<(ActivityId, bool)>,
    /// Lookups that failed because no possible entry matches them.
    pub only_failing: Vec<ActivityId>,
    /// Whether the first call failed.
    pub first_call_failed: bool,
}

impl Segment<'_> {
    /// Replaces the segment by what a record has of the next one.
    pub fn take(&mut self, record: &Record<'_>) {
        self.begun.clone_from(&record.begun);
        self.branches.clear();
        self.branches.extend(record.entries.iter().filter_map(|entry| match entry.event {
            Event::Evaluated { holds, .. } => Some((entry.activity?, Branch::of_condition(holds))),
            _ => None,
        }));
        self.decided.clone_from(&record.approvals);
        self.mailed.clear();
        self.mailed.extend(record.mails.iter().map(|mail| mail.kind));
        self.faults.clear();
        self.calls.clear();
        self.calls.extend(record.calls.iter().map(|call| (call.activity, call.error.is_none())));
        self.only_failing.clear();
        self.first_call_failed = record.calls.first().is_some_and(|call| call.error.is_some());
    }
}
