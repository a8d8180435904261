//! A scenario file: what people do, and what is expected of the order (docs/scenarios.md).
//!
//! Text of any syntax becomes one tree of values with places (`tree`), which `read` takes apart.

mod expect;
mod item;
mod json;
mod keys;
mod people;
mod read;
mod reader;
#[cfg(test)]
mod tests;
mod toml;
mod tree;
mod units;
mod world;
mod yaml;

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use crate::ldap::Entry;
use crate::source::Span;

pub use read::{Problem, Syntax, read};

/// Where in a scenario file something is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// RFC 6901 pointer of the value, whatever the syntax of the file.
    pub pointer: String,
    /// Its bytes in the file.
    pub span: Span,
}

/// A value and where it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub place: Place,
}

/// A scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// What happens in it.
    pub name: Option<String>,
    /// The workflow's file, relative to the scenario's folder.
    pub workflow: Spanned<String>,
    /// The order form's file.
    pub form: Option<Spanned<String>>,
    /// Which translation is shown and published.
    pub culture: String,
    /// Start of the clock.
    pub start: Timestamp,
    /// Mail address of the person who orders.
    pub requester: Option<String>,
    /// What is filled in; `None` when the scenario has no `submit`.
    pub submit: Option<Vec<Given>>,
    /// Variables set before the start.
    pub variables: Vec<Given>,
    /// The people and groups.
    pub directory: DirectorySource,
    /// What parties of signing cases do, in the order of the file.
    pub signing: Vec<Person<SigningAction>>,
    /// What approvers do.
    pub approvals: Approvals,
    /// Calls that fail.
    pub faults: Vec<Fault>,
    /// What methods that are not simulated give.
    pub providers: Vec<ProviderResults>,
    /// When a run is ended.
    pub limits: Limits,
    /// What must come out; `None` to only run it.
    pub expect: Option<Expect>,
}

/// A field or variable and the value that it is given.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// Name of the field or variable, at the place of the key.
    pub name: Spanned<String>,
    /// Its value.
    pub input: Spanned<Input>,
}

/// What is filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A text, as written.
    Text(Arc<str>),
    /// The name of an uploaded file; it is not read.
    File(String),
}

/// Where the directory's entries come from.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum DirectorySource {
    /// There are none.
    #[default]
    Empty,
    /// An LDIF file, relative to the scenario's folder.
    File(Spanned<String>),
    /// Entries in the scenario.
    Inline(Vec<Entry>, Place),
}

/// What one person does, and when.
#[derive(Debug, Clone, PartialEq)]
pub struct Person<A> {
    /// Mail address, at the place of the key; the key's offset also gives the scenario's order.
    pub mail: Spanned<String>,
    /// From the moment the person is asked.
    pub after: SignedDuration,
    /// What is done.
    pub action: A,
}

/// What a party of a signing case does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SigningAction {
    /// Signs.
    Sign,
    /// Refuses to.
    Reject,
}

/// What an approver does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalAction {
    /// Approves.
    Approve,
    /// Rejects.
    Reject,
}

/// What the approvers do in one run of an Approval.
pub type Answers = Vec<Person<ApprovalAction>>;

/// What approvers do.
#[derive(Debug, Clone, PartialEq)]
pub enum Approvals {
    /// By the activity's name.
    Named(Vec<NamedApproval>),
    /// One entry per run of any Approval, in the order in which they run.
    InOrder(Vec<Spanned<Answers>>),
}

impl Default for Approvals {
    fn default() -> Self {
        Self::Named(Vec::new())
    }
}

/// What approvers do in the Approvals of one name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedApproval {
    /// The activity's name, at the place of the key.
    pub activity: Spanned<String>,
    /// The answers.
    pub runs: ApprovalRuns,
}

/// For which runs of an Approval answers hold.
#[derive(Debug, Clone, PartialEq)]
pub enum ApprovalRuns {
    /// For every run.
    Every(Answers),
    /// One entry per run.
    Each(Vec<Spanned<Answers>>),
}

/// A provider call that fails.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// The method, at the place of the name.
    pub method: Spanned<String>,
    /// Which call of the method fails, from 1; every one when `None`.
    pub call: Option<u64>,
    /// What went wrong.
    pub error: String,
}

/// What the calls of one method give, one entry a call.
#[derive(Debug, Clone, PartialEq)]
pub struct ProviderResults {
    /// The method, at the place of the key.
    pub method: Spanned<String>,
    /// One result a call.
    pub results: Vec<Spanned<ProviderResult>>,
}

/// What one call gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderResult {
    /// Outputs: name without prefix, and value.
    Outputs(Vec<(String, Arc<str>)>),
    /// It fails, for this reason.
    Error(String),
}

/// When a run is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Activities begun and conditions of loops evaluated.
    pub steps: u64,
    /// Time on the virtual clock.
    pub virtual_time: SignedDuration,
    /// Time for each script; above 0.
    pub script_time: SignedDuration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 100_000,
            virtual_time: SignedDuration::from_hours(3650 * 24),
            script_time: SignedDuration::from_secs(2),
        }
    }
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
    /// A limit was passed, or nothing more can happen.
    Stuck,
    /// The form did not accept what was filled in.
    Refused,
}

/// What becomes of an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Somebody approved.
    Approved,
    /// Everybody rejected.
    Rejected,
    /// Its time was over.
    TimedOut,
}

/// What must come out of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Expect {
    /// How it ends.
    pub outcome: Option<OutcomeKind>,
    /// Final values.
    pub variables: Vec<(String, Arc<str>)>,
    /// Published texts, in order.
    pub statuses: Option<Statuses>,
    /// Time on the virtual clock.
    pub elapsed: Option<Bounds<SignedDuration>>,
    /// How often methods are called.
    pub calls: Vec<(String, Bounds<u64>)>,
    /// Mails that must have been sent.
    pub mails: Vec<ExpectedMail>,
    /// What becomes of approvals, by the activity's name.
    pub approvals: Vec<(String, Decision)>,
    /// A text that the message of the failure holds.
    pub failure: Option<String>,
}

/// The published texts that are expected.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statuses {
    /// Whether others may come before (a leading `...`).
    pub others_before: bool,
    /// The texts.
    pub texts: Vec<String>,
}

/// Inclusive bounds of a number or duration; at least one of them is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds<T> {
    /// The least.
    pub at_least: Option<T>,
    /// The greatest.
    pub at_most: Option<T>,
}

/// A mail that must have been sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedMail {
    /// To whom; anybody when `None`.
    pub to: Option<String>,
    /// Of which kind; any when `None`.
    pub kind: Option<MailKind>,
}

/// Why a mail is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MailKind {
    /// A party is asked to sign.
    SignRequest,
    /// A party who has not signed is reminded.
    Reminder,
    /// All have signed.
    Finished,
    /// A party refused.
    Rejected,
    /// The case was withdrawn.
    Recalled,
    /// An approver is asked.
    ApprovalRequest,
    /// An approver is reminded.
    ApprovalReminder,
}

impl Scenario {
    /// Index of the fault that a call of a method meets; `call` counts from 1.
    pub fn fault_of(&self, method: &str, call: u64) -> Option<usize> {
        let is_it = |fault: &Fault| fault.method.value == method && fault.call.is_none_or(|at| at == call);
        self.faults.iter().position(is_it)
    }
}

impl OutcomeKind {
    /// The word that scenarios and reports use.
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
    /// The word that scenarios and reports use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::TimedOut => "timed-out",
        }
    }
}

impl MailKind {
    /// The word that scenarios and reports use.
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
