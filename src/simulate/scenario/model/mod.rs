//! What a scenario says, once it is read.

mod expectations;
mod people;
mod providers;
mod scenario;

pub use crate::outcomes::{Decision, MailKind, OutcomeKind};
pub use expectations::{Bounds, Expectations, ExpectedMail, Statuses};
pub use people::{
    Answers, ApprovalAction, ApprovalRuns, Approvals, NamedApproval, Person, Signer, SigningAct, SigningAction,
    SigningRuns,
};
pub use providers::{Fault, ProviderResult, ProviderResults};
pub use scenario::{DirectorySource, Input, Limits, NamedInput, Scenario};
