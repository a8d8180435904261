//! How orders end, what approvals decide, and why mails are sent: the words of scenarios, laws and reports.

use serde::{Deserialize, Serialize};

/// The first entry of a list of statuses that allows any others before the rest.
pub const OTHERS_BEFORE: &str = "...";

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OutcomeKind {
    /// Every activity has run.
    Completed,
    /// A Terminate was reached.
    Terminated,
    /// An activity failed.
    Failed,
    /// A limit was exceeded, or nothing more can happen.
    Stuck,
    /// The form did not accept the submission.
    Refused,
}

/// The result of an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// One approver approved.
    Approved,
    /// Everybody rejected.
    Rejected,
    TimedOut,
}

/// Why a mail is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MailKind {
    /// A party is asked to sign.
    SignRequest,
    /// A party has not signed.
    Reminder,
    /// All parties have signed.
    Finished,
    /// A party refused.
    Rejected,
    /// The case was withdrawn, which nothing does in a run.
    Recalled,
    /// An approver is asked.
    ApprovalRequest,
    /// An approver has not answered.
    ApprovalReminder,
}

impl OutcomeKind {
    pub const ALL: [Self; 5] = [Self::Completed, Self::Terminated, Self::Failed, Self::Stuck, Self::Refused];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Terminated => "terminated",
            Self::Failed => "failed",
            Self::Stuck => "stuck",
            Self::Refused => "refused",
        }
    }
}

impl Decision {
    pub const ALL: [Self; 3] = [Self::Approved, Self::Rejected, Self::TimedOut];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::TimedOut => "timed-out",
        }
    }
}

impl MailKind {
    pub const ALL: [Self; 7] = [
        Self::SignRequest,
        Self::Reminder,
        Self::Finished,
        Self::Rejected,
        Self::Recalled,
        Self::ApprovalRequest,
        Self::ApprovalReminder,
    ];

    pub const fn word(self) -> &'static str {
        match self {
            Self::SignRequest => "sign-request",
            Self::Reminder => "reminder",
            Self::Finished => "finished",
            Self::Rejected => "rejected",
            Self::Recalled => "recalled",
            Self::ApprovalRequest => "approval-request",
            Self::ApprovalReminder => "approval-reminder",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Laws are read by serde, scenarios by the words.
    #[test]
    fn words_are_those_that_serde_reads() {
        for decision in Decision::ALL {
            assert_eq!(serde_json::to_value(decision).unwrap(), decision.word());
        }
        for kind in MailKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.word());
        }
    }
}
