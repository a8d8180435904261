//! Small changes of workflows, "mutants": one that no scenario notices shows what the scenarios do not check
//! (docs/coverage.md).
//!
//! `changes` lists the changes of a workflow. `changed` finds the activities that a git revision did not have. `prepared`
//! finds the workflows and `run` tries the changes: first by their scenarios, then by the errors that lint adds.
//! `accepted` are the entries of the configuration.

mod accepted;
mod change;
mod changed;
mod changes;
mod prepared;
mod run;
#[cfg(test)]
mod tests;

pub use prepared::{Prepared, Request};
pub use run::TrialProgress;

use crate::config::Mutation;
use crate::text::diagnostic::Location;

/// How the message of a survivor begins.
pub const NOT_NOTICED: &str = "no scenario notices that ";

/// The number of noticed changes, and the survivors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mutants {
    /// Noticed by a scenario or by lint.
    pub noticed: usize,
    /// Noticed by lint only.
    pub noticed_by_lint: usize,
    /// By file and place.
    pub survivors: Vec<Survivor>,
}

/// A change that neither a scenario nor lint notices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survivor {
    pub mutation: Mutation,
    pub location: Location,
    /// [`activity_name`](crate::text::diagnostic::activity_name) of the activity that is changed.
    pub activity: Option<String>,
    /// The change that is not noticed, in one line.
    pub message: String,
    /// Why it is accepted.
    pub accepted: Option<String>,
}

impl Mutants {
    pub fn total(&self) -> usize {
        self.noticed + self.survivors.len()
    }

    pub fn accepted(&self) -> usize {
        self.survivors.iter().filter(|survivor| survivor.accepted.is_some()).count()
    }

    /// The survivors that are not accepted.
    pub fn unaccepted(&self) -> impl Iterator<Item = &Survivor> {
        self.survivors.iter().filter(|survivor| survivor.accepted.is_none())
    }

    pub fn survived(&self) -> usize {
        self.unaccepted().count()
    }
}
