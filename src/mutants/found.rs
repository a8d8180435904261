//! The results of the trials.

use crate::config::Mutation;
use crate::diagnostic::Location;

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
    /// [`activity_name`](crate::diagnostic::activity_name) of the activity that is changed.
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
