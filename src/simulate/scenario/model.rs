//! What a scenario says, once it is read. The words are those of scenarios and reports.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use crate::common::limits::{MAX_RUN_DAYS, MAX_RUN_STEPS};
use crate::common::outcomes::{Decision, MailKind, OutcomeKind};
use crate::ldap::Entry;
use crate::text::source::Span;

#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    pub name: Option<String>,
    /// Path of the workflow, relative to the scenario's folder.
    pub workflow: Spanned<String>,
    /// Path of the order form, relative to the scenario's folder.
    pub form: Option<Spanned<String>>,
    /// Selects the translations of status texts and default values.
    pub culture: String,
    /// Start of the clock.
    pub start: Timestamp,
    /// Offset in which `start` is written, and in which the timeline shows times.
    pub offset: Offset,
    /// Mail address of the person who orders.
    pub requester: Option<String>,
    /// By field of the form, or by variable without a form; `None` when the scenario has no `submit`.
    pub submit: Option<Vec<NamedInput>>,
    /// Variables set before the start.
    pub variables: Vec<NamedInput>,
    pub directory: DirectorySource,
    /// What parties of signing cases do, in the order of the file.
    pub signing: Vec<Signer>,
    pub approvals: Approvals,
    pub faults: Vec<Fault>,
    pub providers: Vec<ProviderResults>,
    pub limits: Limits,
    /// `None` when the scenario has no `expect`.
    pub expect: Option<Expectations>,
}

/// A field or variable and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedInput {
    /// At the location of the key.
    pub name: Spanned<String>,
    pub input: Spanned<Input>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// As written in the file.
    Text(Arc<str>),
    /// The name of an uploaded file, which is not read.
    File(String),
}

#[derive(Debug, Clone, PartialEq, Default)]
pub enum DirectorySource {
    #[default]
    Empty,
    /// Path of an LDIF file, relative to the scenario's folder.
    File(Spanned<String>),
    Inline(Vec<Entry>, FileLocation),
}

/// The limits past which a run is stuck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Activities begun and conditions of loops evaluated.
    pub steps: u64,
    /// Time on the virtual clock.
    pub virtual_time: SignedDuration,
    /// Time for each script, above 0.
    pub script_time: SignedDuration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: MAX_RUN_STEPS,
            virtual_time: SignedDuration::from_hours(MAX_RUN_DAYS * 24),
            script_time: SignedDuration::from_secs(2),
        }
    }
}

impl Limits {
    /// Time for all scripts of a run together.
    pub fn all_scripts_time(&self) -> SignedDuration {
        const SCRIPTS: i32 = 5;
        self.script_time.saturating_mul(SCRIPTS)
    }
}

/// What one person does, and when.
#[derive(Debug, Clone, PartialEq)]
pub struct Person<A> {
    /// At the location of the key, whose offset also orders people who act at one instant.
    pub mail: Spanned<String>,
    /// From the moment the person is asked.
    pub after: SignedDuration,
    pub action: A,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SigningAction {
    Sign,
    Reject,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalAction {
    Approve,
    Reject,
}

/// What one party does in the cases that ask it to sign.
#[derive(Debug, Clone, PartialEq)]
pub struct Signer {
    /// At the location of the key, whose offset also orders people who act at one instant.
    pub mail: Spanned<String>,
    pub runs: SigningRuns,
}

#[derive(Debug, Clone, PartialEq)]
pub enum SigningRuns {
    /// The same in every case.
    Every(SigningAct),
    /// One entry for each case that asks the party; `None` for one in which it never acts.
    Each(Vec<Option<SigningAct>>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SigningAct {
    /// From the moment the party is asked.
    pub after: SignedDuration,
    pub action: SigningAction,
}

/// The answers in one run of an Approval.
pub type Answers = Vec<Person<ApprovalAction>>;

#[derive(Debug, Clone, PartialEq)]
pub enum Approvals {
    /// By the activity's name.
    Named(Vec<NamedApproval>),
    /// One entry for each run of any Approval, in the order in which they run.
    InOrder(Vec<Spanned<Answers>>),
}

impl Default for Approvals {
    fn default() -> Self {
        Self::Named(Vec::new())
    }
}

/// The answers to the Approvals of one name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedApproval {
    /// At the location of the key.
    pub activity: Spanned<String>,
    pub runs: ApprovalRuns,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ApprovalRuns {
    /// The same answers in every run.
    Every(Answers),
    /// One entry for each run.
    Each(Vec<Spanned<Answers>>),
}

/// A provider call that fails.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    pub method: Spanned<String>,
    /// Which call of the method fails, from 1; every one when `None`.
    pub call: Option<u64>,
    pub error: String,
}

/// The results of one method, one for each call.
#[derive(Debug, Clone, PartialEq)]
pub struct ProviderResults {
    /// At the location of the key.
    pub method: Spanned<String>,
    pub results: Vec<Spanned<ProviderResult>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderResult {
    /// Names without prefix, and values.
    Outputs(Vec<(String, Arc<str>)>),
    /// The call fails with this message.
    Error(String),
}

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

/// A location in the scenario file; [`crate::text::diagnostic::Location`] adds which file it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileLocation {
    /// RFC 6901 pointer of the value, the same in every syntax.
    pub pointer: String,
    pub span: Span,
}

/// A value with its location.
#[derive(Debug, Clone, PartialEq)]
pub struct Spanned<T> {
    pub value: T,
    pub location: FileLocation,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub location: FileLocation,
    pub message: String,
    pub help: Option<String>,
}

impl Problem {
    /// A problem of the syntax, found before any value has a pointer.
    pub(super) fn at(span: Span, message: impl Into<String>) -> Self {
        Self { location: FileLocation { pointer: String::new(), span }, message: message.into(), help: None }
    }

    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}
