//! What the page is made from, and what becomes of it.

use std::collections::BTreeSet;

use super::changes::Compared;
use super::scenarios::ScenarioRuns;
use crate::explore::ExploredProject;
use crate::lint::Outcome;
use crate::page::data::{PageData, ServiceData};
use crate::page::{Page, ServicePage};
use crate::project::Project;
use crate::script::Evaluator;
use crate::text::diagnostic::FileId;

/// What the page is made from.
pub struct Inputs<'i> {
    pub title: String,
    pub project: &'i Project,
    pub lint: &'i Outcome,
    /// `None` if it was left out.
    pub explored: Option<&'i ExploredProject>,
    /// Why nothing was explored.
    pub left_out: Option<&'static str>,
    pub scenarios: &'i ScenarioRuns,
    /// The changes since another version; `None` if they are not wanted.
    pub compared: Option<&'i [Compared]>,
    /// Runs the scripts that make signing cases; `None` if no script may run.
    pub evaluator: Option<&'i Evaluator>,
    /// What could not be read or was left out, one sentence each.
    pub notes: Vec<String>,
}

/// The page, and the data of its script.
pub struct Collected {
    pub page: Page,
    pub data: PageData,
}

/// A section, and its data.
pub struct Section {
    pub page: ServicePage,
    pub data: ServiceData,
    /// The files whose findings it shows.
    pub files: BTreeSet<FileId>,
}
