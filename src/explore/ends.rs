//! How orders end.

use crate::common::outcomes::OutcomeKind;
use crate::model::ActivityId;
use crate::simulate::{GENERATED_ID_DIGITS, GENERATED_ID_PREFIX, Run, Stop};

/// Ends that are shown, the cheapest. Each has a run of its own.
pub const MAX_ENDS: usize = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    Completed,
    Terminated,
    /// No end can be reached, whatever people do.
    Endless,
    /// An end can be reached, but only if somebody acts, or a method returns another answer.
    Waits,
    Failed,
}

impl Ending {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Terminated => "terminated",
            Self::Failed => "failed",
            Self::Endless => "endless",
            Self::Waits => "waits",
        }
    }

    /// The ending of a run with an outcome. It is preliminary for a stuck run, which may be `Waits` or `Endless`.
    pub const fn of(outcome: OutcomeKind) -> Self {
        match outcome {
            OutcomeKind::Completed => Self::Completed,
            OutcomeKind::Terminated => Self::Terminated,
            OutcomeKind::Failed | OutcomeKind::Refused => Self::Failed,
            OutcomeKind::Stuck => Self::Waits,
        }
    }

    /// The outcome of its run.
    pub const fn outcome(self) -> OutcomeKind {
        match self {
            Self::Completed => OutcomeKind::Completed,
            Self::Terminated => OutcomeKind::Terminated,
            Self::Failed => OutcomeKind::Failed,
            Self::Endless | Self::Waits => OutcomeKind::Stuck,
        }
    }

    /// Whether it is a cycle.
    pub const fn is_cycle(self) -> bool {
        matches!(self, Self::Endless | Self::Waits)
    }
}

/// An end: orders that end in the same way, at the same activity, with the same status.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    pub ending: Ending,
    pub activity: Option<ActivityId>,
    /// Without the numbers of generated ids.
    pub status: Option<String>,
}

/// The end of a run that has stopped; `None` for one that is stuck.
pub fn end_of(run: &Run<'_, '_>, stop: Option<&Stop>, status: Option<&str>) -> Option<End> {
    let (ending, activity) = match stop {
        None => (Ending::Completed, None),
        Some(Stop::Terminated) => (Ending::Terminated, run.current()),
        Some(Stop::Failed(_)) => (Ending::Failed, run.current()),
        Some(Stop::Stuck(_) | Stop::Refused(_) | Stop::Undecided) => return None,
    };
    Some(End { ending, activity, status: status.map(without_ids) })
}

/// A text in which generated ids are replaced by equal ones.
pub fn without_ids(text: &str) -> String {
    let (mut result, mut rest) = (String::new(), text);
    while let Some((before, _, after)) = split_at_id(rest) {
        result.push_str(before);
        result.push_str("(id)");
        rest = after;
    }
    result + rest
}

/// The first generated id, with what is before and after it.
pub fn split_at_id(text: &str) -> Option<(&str, &str, &str)> {
    const LENGTH: usize = GENERATED_ID_PREFIX.len() + GENERATED_ID_DIGITS;
    if text.len() < LENGTH {
        return None;
    }
    // Most texts with an id consist of it.
    let at = if text.starts_with(GENERATED_ID_PREFIX) { 0 } else { text.find(GENERATED_ID_PREFIX)? };
    let (before, rest) = text.split_at_checked(at)?;
    let (id, after) = rest.split_at_checked(LENGTH)?;
    Some((before, id, after))
}
