//! The input of a report.

use std::borrow::Cow;

use crate::diagnostic::FileId;
use crate::explore::{Explored, ExploredService};
use crate::report::findings::Report;

/// The input of a report.
#[derive(Debug, Clone, Copy)]
pub struct ExplorationReport<'r> {
    pub explored: &'r Explored,
    /// The files, and the style.
    pub report: Report<'r>,
}

impl<'r> ExplorationReport<'r> {
    pub(super) fn service(&self, workflow: FileId) -> Option<&'r ExploredService> {
        self.explored.services.iter().find(|service| service.workflow == workflow)
    }

    /// A text about a service, without the values of masked variables.
    pub(super) fn mask<'t>(&self, workflow: FileId, text: &'t str) -> Cow<'t, str>
    where
        'r: 't,
    {
        self.service(workflow).map_or(Cow::Borrowed(text), |service| service.masker.apply(text))
    }
}
