//! The end of a run, and the verdicts of laws on it.

use crate::model::ActivityId;
use crate::outcomes::OutcomeKind;
use crate::simulate::Values;

/// The end of a run.
#[derive(Debug, Clone, Copy)]
pub struct Final<'f> {
    /// `Stuck` for a cycle; never `Refused`.
    pub outcome: OutcomeKind,
    pub values: &'f Values,
    /// The message of the failure.
    pub failure: Option<&'f str>,
    /// Whether everybody who was asked to approve or sign acted.
    pub everybody_acted: bool,
}

/// The verdict of a law on a run that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Index of the law in the configuration.
    pub law: usize,
    /// Whether the run meets the law's `when`.
    pub is_met: bool,
    pub breach: Option<Breach>,
}

/// How a run breaks a law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// The activity at fault; `None` for the one at which the run ends.
    pub activity: Option<ActivityId>,
    /// In one line. It may hold values of masked variables, which reports hide.
    pub message: String,
}
