//! What a run is expected to show. The words are those of scenarios and reports.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::SignedDuration;

use crate::outcomes::{Decision, MailKind, OutcomeKind};
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
