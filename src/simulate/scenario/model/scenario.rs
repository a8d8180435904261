//! The scenario as a whole: its documents, inputs and limits.

use std::sync::Arc;

use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::expectations::Expectations;
use super::people::{Approvals, Signer};
use super::providers::{Fault, ProviderResults};
use crate::ldap::Entry;
use crate::limits::{MAX_RUN_DAYS, MAX_RUN_STEPS};
use crate::simulate::scenario::location::{FileLocation, Spanned};

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
