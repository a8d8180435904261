//! The filters and suppressions that all services share.

use super::filter::Filter;
use super::options::Options;
use super::suppress::Suppressions;
use crate::project::Project;

/// A project with the filters and suppressions of each of its configurations, by their index.
pub(super) struct Setup<'p> {
    pub project: &'p Project,
    pub options: &'p Options,
    pub filters: Vec<Filter>,
    pub suppressions: Vec<Suppressions<'p>>,
}

impl<'p> Setup<'p> {
    /// # Errors
    /// A selector that matches no rule, with its place.
    pub fn new(project: &'p Project, options: &'p Options) -> Result<Self, String> {
        let filter = |config| Filter::new(config, &options.choices);
        let filters = project.configs.iter().map(filter).collect::<Result<_, _>>()?;
        let suppressions = |config| Suppressions::new(config, options.today);
        let suppressions = project.configs.iter().map(suppressions).collect();
        Ok(Self { project, options, filters, suppressions })
    }
}
