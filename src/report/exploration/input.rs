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
        let services = &self.explored.services;
        let name = |service: &ExploredService| self.report.file_name(service.workflow);
        // They are sorted by their names, which may be thousands.
        let found = services.binary_search_by_key(&self.report.file_name(workflow), name);
        let found = found.ok().and_then(|index| services.get(index)).filter(|service| service.workflow == workflow);
        found.or_else(|| services.iter().find(|service| service.workflow == workflow))
    }

    /// A text about a service, without the values of masked variables.
    pub(super) fn mask<'t>(&self, workflow: FileId, text: &'t str) -> Cow<'t, str>
    where
        'r: 't,
    {
        self.service(workflow).map_or(Cow::Borrowed(text), |service| service.masker.apply(text))
    }
}
