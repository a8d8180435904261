//! A scenario file: what people do, and what a run is expected to show (docs/scenarios.md).
//!
//! `parse` turns the three syntaxes into one `tree` of values with their spans; `read` turns the tree into a
//! [`Scenario`] (`model`), or into everything that is wrong with it, with the help of `reader`, `keys` and `units`.

pub(crate) mod keys;
mod model;
mod names;
mod parse;
mod read;
mod reader;
#[cfg(test)]
mod tests;
mod tree;
mod units;

pub use crate::common::outcomes::{Decision, MailKind, OutcomeKind};
pub use model::{
    Answers, ApprovalAction, ApprovalRuns, Approvals, Bounds, DirectorySource, Expectations, ExpectedMail, Fault,
    FileLocation, Input, Limits, NamedInput, Person, Problem, ProviderResult, ProviderResults, Scenario, Signer,
    SigningAct, SigningAction, SigningRuns, Spanned, Statuses,
};
pub use names::{ScenarioName, ScenarioNameKind, escaped_scalars_of, has_valid_syntax, names, values_of};
pub use read::read;
pub use tree::{MAX_KEY_BYTES, ScenarioSyntax};
