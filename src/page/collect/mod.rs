//! Collects what the page shows: each part in a file. All of a section is made from its `subject`, a workflow with what
//! lint, simulation, exploration and diff found; every string is redacted here.

mod activities;
mod changes;
mod ends;
mod findings;
mod forms;
mod laws;
mod mails;
mod names;
mod people;
mod scenarios;
mod service;
mod statuses;
mod subject;
mod timeline;
mod variables;

use std::collections::BTreeSet;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::data::{PageData, ServiceData};
use super::{Page, ServicePage};
use crate::explore::ExploredProject;
use crate::lint::Outcome;
use crate::project::{Project, Service};
use crate::report::visible;
use crate::script::Evaluator;
use crate::text::diagnostic::{FileId, Severity};

pub use changes::Compared;
pub use scenarios::{ScenarioCollector, ScenarioRuns};

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
struct Section {
    page: ServicePage,
    data: ServiceData,
    /// The files whose findings it shows.
    files: BTreeSet<FileId>,
}

/// Collects the sections of all workflows. To be called on a pool of [`crate::lint::pool`].
pub fn collect(inputs: &Inputs<'_>) -> Collected {
    let services: Vec<&Service> = inputs.project.services.iter().collect();
    let sections = services.par_iter().map(|service| service::sections(inputs, service));
    let mut sections: Vec<Section> = sections.collect::<Vec<_>>().into_iter().flatten().collect();
    name(&mut sections, inputs.project);
    let errors = |section: &Section| section.page.findings.iter().any(|it| it.severity == Severity::Error);
    sections.sort_by_cached_key(|section| (!errors(section), section.page.name.clone()));
    let shown: BTreeSet<FileId> = sections.iter().flat_map(|section| section.files.iter().copied()).collect();
    let others = findings::Findings::new(inputs.lint);
    let other_findings = others.of(|file| !shown.contains(&file), &findings::Activities::default());
    let (mut services, mut data) = (Vec::new(), Vec::new());
    for section in sections {
        services.push(section.page);
        data.push(section.data);
    }
    let notes = inputs.notes.iter().map(|note| visible(note).into_owned()).collect();
    let page = Page { title: visible(&inputs.title).into_owned(), services, other_findings, notes };
    Collected { page, data: PageData::new(data) }
}

/// Names the sections by their folders.
fn name(sections: &mut [Section], project: &Project) {
    sections.sort_by(|one, other| one.page.file.cmp(&other.page.file));
    let files: Vec<&str> = sections.iter().map(|section| section.page.file.as_str()).collect();
    let current = project.current.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let names = names::names(&files, &current);
    for (section, name) in sections.iter_mut().zip(names) {
        section.data.id.clone_from(&name);
        section.data.name.clone_from(&name);
        section.page.name = name;
    }
}
