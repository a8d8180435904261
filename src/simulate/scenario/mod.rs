//! A scenario file: what people do, and what a run is expected to show (docs/scenarios.md).
//!
//! `syntax` turns YAML, JSON and TOML into one tree of values with their spans; `read` turns the
//! tree into a [`Scenario`] (`model`), or into everything that is wrong with it.

mod location;
mod model;
mod names;
mod read;
mod syntax;
#[cfg(test)]
mod tests;
mod values;

pub use location::{FileLocation, Problem, Spanned};
pub use model::{
    Answers, ApprovalAction, ApprovalRuns, Approvals, Bounds, Decision, DirectorySource, Expectations, ExpectedMail,
    Fault, Input, Limits, MailKind, NamedInput, OutcomeKind, Person, ProviderResult, ProviderResults, Scenario, Signer,
    SigningAct, SigningAction, SigningRuns, Statuses,
};
pub use names::{ScenarioName, ScenarioNameKind, has_valid_syntax, names};
pub use read::read;
pub use syntax::{MAX_KEY_BYTES, ScenarioSyntax};
pub use values::{escaped_scalars_of, values_of};
