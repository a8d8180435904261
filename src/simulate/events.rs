//! What happened in a run, as events in words for people.

use jiff::SignedDuration;
use serde::Serialize;

use crate::model::ActivityId;

/// Something that happened in a run. Masked values are covered.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunEvent {
    /// Milliseconds since the order was submitted.
    pub at: i64,
    /// `None` before the first activity, and for what happens meanwhile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<ActivityId>,
    pub kind: RunEventKind,
    /// In words.
    pub text: String,
    /// The variable that got a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// The value of the variable, the text that was published, or the outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunEventKind {
    /// A variable got a value from the form or the scenario.
    Filled,
    /// A variable got a value.
    Set,
    /// A condition was evaluated.
    Condition,
    Called,
    /// A call failed.
    Failed,
    Published,
    Mailed,
    /// Something happened to a signing case.
    Case,
    /// People were asked for an approval.
    Asked,
    Answered,
    /// An approval was decided.
    Decided,
    TimedOut,
    Terminated,
    /// An activity was left out.
    Skipped,
    Warned,
    /// Rounds of a loop that are like the one before.
    Repeated,
    /// The cycle of a run that never ends closes.
    Back,
    /// The last event of every run.
    Ended,
}

impl RunEvent {
    /// The last event of a run: `outcome` is its word, `words` what people read.
    pub fn ended(elapsed: SignedDuration, outcome: &str, words: String) -> Self {
        Self {
            at: milliseconds(elapsed),
            activity: None,
            kind: RunEventKind::Ended,
            text: words,
            variable: None,
            value: Some(outcome.to_owned()),
        }
    }
}

pub(super) fn milliseconds(duration: SignedDuration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
