//! What a run is expected to show. The words are those of scenarios and reports.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::SignedDuration;

use crate::simulate::scenario::location::Spanned;
use crate::source::Span;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Expectations {
    pub outcome: Option<OutcomeKind>,
    /// Final values.
    pub variables: Vec<(Spanned<String>, Arc<str>)>,
    pub statuses: Option<Statuses>,
    /// Time on the virtual clock.
    pub elapsed: Option<Bounds<SignedDuration>>,
    /// How often methods are called.
    pub calls: Vec<(Spanned<String>, Bounds<u64>)>,
    /// Mails that must have been sent, among others.
    pub mails: Vec<ExpectedMail>,
    /// By the activity's name.
    pub approvals: Vec<(Spanned<String>, Decision)>,
    /// Part of the message of the failure.
    pub failure: Option<String>,
    /// Where each expectation is written, by its path under `expect`, such as `variables.ESignStatus`.
    pub spans: BTreeMap<String, Span>,
}

/// Published texts, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statuses {
    /// Others may come first (a leading `...`).
    pub others_before: bool,
    pub texts: Vec<String>,
}

/// Inclusive bounds of a number or duration; at least one of them is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds<T> {
    pub at_least: Option<T>,
    pub at_most: Option<T>,
}

/// A mail that must have been sent; `None` matches anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedMail {
    pub to: Option<String>,
    pub kind: Option<MailKind>,
}

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// One approver approved.
    Approved,
    /// Everybody rejected.
    Rejected,
    TimedOut,
}

/// Why a mail is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

impl<T: Copy + PartialOrd> Bounds<T> {
    pub fn contain(self, value: T) -> bool {
        self.at_least.is_none_or(|least| value >= least) && self.at_most.is_none_or(|most| value <= most)
    }

    /// The bounds in words, such as `1h to 2h` or `at least 1h`.
    pub fn describe(self, show: impl Fn(T) -> String) -> String {
        match (self.at_least, self.at_most) {
            (Some(least), Some(most)) if least == most => show(least),
            (Some(least), Some(most)) => format!("{} to {}", show(least), show(most)),
            (Some(least), None) => format!("at least {}", show(least)),
            (None, Some(most)) => format!("at most {}", show(most)),
            (None, None) => "any".to_owned(),
        }
    }
}
