//! How to lint: the options, and what follows from them and the configurations.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::civil::Date;

use super::baseline::Baselines;
use super::filter::{Choice, Filter};
use super::suppressions::Suppressions;
use crate::common::timing::Timing;
use crate::project::Project;

#[derive(Debug, Clone, Default)]
pub struct Options {
    /// In the order of the command line.
    pub choices: Vec<Choice>,
    /// Threads; as many as there are cores when `None`.
    pub jobs: Option<usize>,
    /// Drops findings in files that were not named, even when the named files cause them.
    pub only_reported: bool,
    pub baselines: Baselines,
    /// The current day in UTC, for suppressions that expire; without it none does.
    pub today: Option<Date>,
    /// This program, which runs the scripts of Code activities in a child process; without it no
    /// script is run.
    pub program: Option<PathBuf>,
    /// Collects times, if they are wanted.
    pub timing: Option<Arc<Timing>>,
    /// Applies unsafe fixes too when fixes are applied.
    pub unsafe_fixes: bool,
    /// Whether findings get a fingerprint.
    pub fingerprints: bool,
}

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
