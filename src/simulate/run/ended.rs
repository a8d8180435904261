//! A run that has ended.

use jiff::SignedDuration;

use crate::collections::HashMap;
use crate::model::ActivityId;
use crate::simulate::scenario::OutcomeKind;
use crate::simulate::stop::{Failure, Stop};
use crate::simulate::trace::Record;
use crate::simulate::variables::Values;

pub struct Ended<'p> {
    pub record: Record<'p>,
    /// At the end.
    pub values: Values,
    /// The activity that was under way at the end.
    pub last: Option<ActivityId>,
    /// Why it ended before its last activity, if it did.
    pub stop: Option<Stop>,
    /// Time on the virtual clock.
    pub elapsed: SignedDuration,
    pub steps: u64,
    /// How often each method was called.
    pub calls: HashMap<&'p str, u64>,
}

impl Ended<'_> {
    pub fn outcome(&self) -> OutcomeKind {
        match &self.stop {
            None => OutcomeKind::Completed,
            Some(Stop::Terminated) => OutcomeKind::Terminated,
            Some(Stop::Failed(_)) => OutcomeKind::Failed,
            Some(Stop::Stuck(_) | Stop::Undecided) => OutcomeKind::Stuck,
            Some(Stop::Refused(_)) => OutcomeKind::Refused,
        }
    }

    /// Why it failed, was refused or is stuck.
    pub fn failure(&self) -> Option<&Failure> {
        match &self.stop {
            Some(Stop::Failed(failure) | Stop::Stuck(failure) | Stop::Refused(failure)) => Some(failure),
            Some(Stop::Terminated | Stop::Undecided) | None => None,
        }
    }
}
