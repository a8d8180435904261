//! What people do: parties of signing cases, and approvers.

use jiff::SignedDuration;

use crate::simulate::scenario::location::Spanned;

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
