//! Refuses `[[service]]` entries whose files do not exist: the documents would be linted as other services, or not at
//! all.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::merge::placed_one;
use super::pattern::{PatternSet, compile, rooted, walk};
use super::settings::ServiceEntry;
use crate::boundary::Boundary;
use crate::collections::HashMap;
use crate::read::Unsaved;

/// As it is written.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct ServiceFileEntry {
    pub name: String,
    pub workflow: Option<Spanned<String>>,
    #[serde(default)]
    pub forms: Vec<Spanned<String>>,
}

impl ServiceFileEntry {
    /// The entry of a file in this folder; `layer` is the number of the file.
    pub fn entry(&self, folder: &Path, layer: usize) -> ServiceEntry {
        ServiceEntry {
            name: self.name.clone(),
            folder: folder.to_path_buf(),
            workflow: self.workflow.as_ref().map(|workflow| placed_one(workflow, layer)),
            forms: self.forms.iter().map(|form| form.get_ref().clone()).collect(),
        }
    }
}

/// Why a service is invalid, and where.
#[derive(Debug)]
pub(super) struct ServiceError {
    pub at: Range<usize>,
    pub reason: String,
}

/// Checks that the files of the services exist: their workflows, which are within the boundary, and for each array of
/// `forms` at least one. Files that are not saved yet, with these absolute paths, count as existing.
pub(super) fn check_services(
    services: &[Spanned<ServiceFileEntry>],
    folder: &Path,
    boundary: &Boundary,
    unsaved: &Unsaved,
) -> Result<(), ServiceError> {
    for service in services {
        let (at, service) = (service.span(), service.get_ref());
        let name = &service.name;
        if service.workflow.is_none() && service.forms.is_empty() {
            let reason = format!("service `{name}` without files; add `workflow` or `forms`");
            return Err(ServiceError { at, reason });
        }
        if let Some(workflow) = &service.workflow {
            let path = folder.join(workflow.get_ref());
            if let Err(error) = boundary.check(&path, folder) {
                let reason = format!("cannot read workflow `{}` of service `{name}`: {error}", workflow.get_ref());
                return Err(ServiceError { at: workflow.span(), reason });
            }
            if !path.is_file() && !unsaved.contains(&path) {
                unsaved.lookups().add_file(&path);
                let path = workflow.get_ref();
                let reason = format!(
                    "missing workflow `{path}` of service `{name}`; give its path relative to this file's folder"
                );
                return Err(ServiceError { at: workflow.span(), reason });
            }
        }
    }
    match first_without_forms(services, folder, unsaved) {
        Some(service) => {
            for pattern in &service.forms {
                let (folder, pattern) = rooted(folder, pattern.get_ref());
                unsaved.lookups().add_pattern(&folder, pattern);
            }
            Err(no_form(service))
        }
        None => Ok(()),
    }
}

/// The first service whose workflow an earlier one has, and that one. The second entry would have no effect on it.
pub(super) fn duplicate_workflow(services: &[ServiceEntry]) -> Option<(&ServiceEntry, &ServiceEntry)> {
    let mut known: HashMap<PathBuf, &ServiceEntry> = HashMap::default();
    services.iter().find_map(|service| known.insert(service.workflow_path()?, service).map(|first| (service, first)))
}

fn no_form(service: &ServiceFileEntry) -> ServiceError {
    let name = &service.name;
    let at = service.forms.first().map(Spanned::span).unwrap_or_default();
    let reason = match service.forms.as_slice() {
        [pattern] => format!(
            "no file matches `{}` in `forms` of service `{name}`; correct the pattern, or remove it",
            pattern.get_ref()
        ),
        patterns => format!(
            "no file matches any of the {} patterns in `forms` of service `{name}`; correct them, or remove them",
            patterns.len()
        ),
    };
    ServiceError { at, reason }
}

/// The first service with patterns of forms that match no file. All patterns are matched in one walk, which ends when
/// each service has a form.
fn first_without_forms<'s>(
    services: &'s [Spanned<ServiceFileEntry>],
    folder: &Path,
    unsaved: &Unsaved,
) -> Option<&'s ServiceFileEntry> {
    let services: Vec<&ServiceFileEntry> =
        services.iter().map(Spanned::get_ref).filter(|service| !service.forms.is_empty()).collect();
    let mut is_matched = vec![false; services.len()];
    let mut patterns = Vec::new();
    for (index, (service, is_matched)) in services.iter().zip(&mut is_matched).enumerate() {
        for pattern in &service.forms {
            compile(pattern.get_ref()).ok()?;
            patterns.push((pattern.get_ref().as_str(), index));
            *is_matched = *is_matched || is_plain_file(pattern.get_ref(), folder);
        }
    }
    let set = PatternSet::new(patterns);
    let mut left = is_matched.iter().filter(|is_matched| !**is_matched).count();
    let unsaved = unsaved.paths().filter_map(|path| path.strip_prefix(folder).ok()).map(Path::to_path_buf);
    let mut files = unsaved.chain(walk(folder));
    while left > 0 {
        let Some(inside) = files.next() else { break };
        for service in set.matching(&inside) {
            if let Some(is_matched) = is_matched.get_mut(service).filter(|is_matched| !**is_matched) {
                *is_matched = true;
                left -= 1;
            }
        }
    }
    services.into_iter().zip(is_matched).find(|(_, is_matched)| !is_matched).map(|(service, _)| service)
}

/// Whether a pattern is simply the path of a file, so that no walk is needed. `./a.json` is not, because patterns match
/// normalized paths.
fn is_plain_file(pattern: &str, folder: &Path) -> bool {
    !pattern.contains(['*', '?', '[', '{', '\\'])
        && !Path::new(pattern).starts_with(".")
        && !pattern.contains("..")
        && folder.join(pattern).is_file()
}
