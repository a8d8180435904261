//! `[[service]]`: documents that share variables, where a folder is not a service. Entries whose files do not exist are
//! refused: the documents would be linted as other services, or not at all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::layers::{Invalid, Places};
use super::pattern::{PatternSet, compile, matched_by_files, rooted};
use super::settings::Placed;
use crate::common::collections::HashMap;
use crate::files::boundary::Boundary;
use crate::files::paths::clean;
use crate::files::read::Unsaved;

/// As it is written.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct ServiceFileEntry {
    pub name: String,
    pub workflow: Option<Spanned<String>>,
    #[serde(default)]
    pub forms: Vec<Spanned<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceEntry {
    /// A display name.
    pub name: String,
    /// The folder of the file that has the entry; the paths and patterns are relative to it.
    pub folder: PathBuf,
    pub workflow: Option<Placed>,
    pub forms: Vec<String>,
}

impl ServiceEntry {
    pub(super) fn new(entry: &Spanned<ServiceFileEntry>, places: Places<'_>) -> Self {
        let ServiceFileEntry { name, workflow, forms } = entry.get_ref();
        Self {
            name: name.clone(),
            folder: places.folder_of(entry).to_path_buf(),
            workflow: workflow.as_ref().map(|workflow| places.placed(workflow)),
            forms: forms.iter().map(|form| form.get_ref().clone()).collect(),
        }
    }

    /// The absolute path of the workflow.
    pub fn workflow_path(&self) -> Option<PathBuf> {
        self.workflow.as_ref().map(|workflow| clean(&self.folder.join(&workflow.value)))
    }
}

/// The files of services that do not exist: their workflows, which are within the boundary, and for each array of
/// `forms` at least one. Files that are not saved yet, with these absolute paths, count as existing.
pub(super) fn check_services(
    services: &[Spanned<ServiceFileEntry>],
    places: Places<'_>,
    boundary: &Boundary,
    unsaved: &Unsaved,
) -> Vec<Invalid> {
    let mut problems = Vec::new();
    let mut by_folder: BTreeMap<&Path, Vec<&ServiceFileEntry>> = BTreeMap::new();
    let mut known: HashMap<PathBuf, &str> = HashMap::default();
    for entry in services {
        let (folder, service) = (places.folder_of(entry), entry.get_ref());
        let name = service.name.as_str();
        if service.workflow.is_none() && service.forms.is_empty() {
            problems.push(Invalid::new(entry, format!("service `{name}` without files; add `workflow` or `forms`")));
        }
        if let Some(workflow) = &service.workflow {
            let path = clean(&folder.join(workflow.get_ref()));
            problems.extend(check_workflow(workflow, name, folder, boundary, unsaved).err());
            // The second entry would have no effect on it.
            if let Some(first) = known.insert(path, name) {
                let path = workflow.get_ref();
                let reason = format!("duplicate workflow `{path}` of service `{name}`, already in service `{first}`");
                problems.push(Invalid::new(workflow, reason));
            }
        }
        if !service.forms.is_empty() {
            by_folder.entry(folder).or_default().push(service);
        }
    }
    problems.extend(by_folder.into_iter().flat_map(|(folder, services)| check_forms(&services, folder, unsaved)));
    problems
}

fn check_workflow(
    workflow: &Spanned<String>,
    service: &str,
    folder: &Path,
    boundary: &Boundary,
    unsaved: &Unsaved,
) -> Result<(), Invalid> {
    let written = workflow.get_ref();
    let path = folder.join(written);
    if let Err(error) = boundary.check(&path, folder) {
        let reason = format!("cannot read workflow `{written}` of service `{service}`: {error}");
        return Err(Invalid::new(workflow, reason));
    }
    if !path.is_file() && !unsaved.contains(&path) {
        unsaved.lookups().add_file(&path);
        let reason = format!(
            "missing workflow `{written}` of service `{service}`; give its path relative to this file's folder"
        );
        return Err(Invalid::new(workflow, reason));
    }
    Ok(())
}

/// The services with patterns that match no file.
fn check_forms(services: &[&ServiceFileEntry], folder: &Path, unsaved: &Unsaved) -> Vec<Invalid> {
    let patterns = || {
        let services = services.iter().enumerate();
        let patterns = services
            .flat_map(|(index, service)| service.forms.iter().map(move |form| (form.get_ref().as_str(), index)));
        // The files of services are below the folder.
        patterns.filter(|(pattern, _)| !pattern.split('/').any(|part| part == ".."))
    };
    let mut matched = matched_by_files(folder, patterns());
    let set = PatternSet::new(patterns());
    let unsaved_paths = unsaved.paths().filter_map(|path| path.strip_prefix(folder).ok());
    matched.extend(unsaved_paths.flat_map(|inside| set.matching(inside)));
    let is_invalid = |service: &ServiceFileEntry| service.forms.iter().any(|form| compile(form.get_ref()).is_err());
    let unmatched =
        services.iter().enumerate().filter(|(index, service)| !matched.contains(index) && !is_invalid(service));
    unmatched.map(|(_, service)| unmatched_forms(service, folder, unsaved)).collect()
}

fn unmatched_forms(service: &ServiceFileEntry, folder: &Path, unsaved: &Unsaved) -> Invalid {
    let ServiceFileEntry { name, forms, .. } = service;
    for pattern in forms {
        let (folder, pattern) = rooted(folder, pattern.get_ref());
        unsaved.lookups().add_pattern(&folder, pattern);
    }
    let at = forms.first().map(Spanned::span).unwrap_or_default();
    let reason = match forms.as_slice() {
        [pattern] => format!(
            "no file matches `{}` in `forms` of service `{name}`; correct the pattern, or remove it",
            pattern.get_ref()
        ),
        patterns => format!(
            "no file matches any of the {} patterns in `forms` of service `{name}`; correct them, or remove them",
            patterns.len()
        ),
    };
    Invalid { at, reason }
}
