//! Collects what the page shows: each part in a file. All of a section is made from its `subject`, a workflow with what
//! lint, simulation, exploration and diff found; every string is redacted here.

mod activities;
mod backticks;
mod changes;
mod ends;
mod findings;
mod forms;
mod inputs;
mod laws;
mod mails;
mod names;
mod people;
mod personal;
mod readers;
mod scenarios;
mod service;
mod statuses;
mod subject;
mod timeline;
mod unknown;
mod variables;
mod ways;

use std::collections::BTreeSet;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use inputs::Section;

use super::Page;
use super::data::PageData;
use crate::project::{Project, Service};
use crate::report::visible;
use crate::text::diagnostic::{FileId, Severity};

pub use changes::Compared;
pub use inputs::{Collected, Inputs};
pub use scenarios::{NotRun, ScenarioCollector, ScenarioRuns};

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
