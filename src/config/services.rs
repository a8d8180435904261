//! `[[service]]` entries whose files are not there: their documents would be linted as other services,
//! or not at all.

use std::ops::Range;
use std::path::Path;

use globset::GlobSetBuilder;
use serde::Deserialize;
use toml::Spanned;

use super::pattern::{compile, walk};
use super::settings::ServiceEntry;

/// As it is written.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct ServiceFileEntry {
    pub name: String,
    pub workflow: Option<Spanned<String>>,
    #[serde(default)]
    pub forms: Vec<Spanned<String>>,
}

impl ServiceFileEntry {
    pub fn entry(&self) -> ServiceEntry {
        ServiceEntry {
            name: self.name.clone(),
            workflow: self.workflow.as_ref().map(|workflow| workflow.get_ref().clone()),
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

/// A pattern of `forms`, with the name of its service.
struct FormPattern<'s> {
    service: &'s str,
    pattern: &'s Spanned<String>,
}

/// Checks that the files of the services exist.
pub(super) fn check_services(services: &[Spanned<ServiceFileEntry>], folder: &Path) -> Result<(), ServiceError> {
    let mut patterns = Vec::new();
    for service in services {
        let (at, service) = (service.span(), service.get_ref());
        let name = &service.name;
        if service.workflow.is_none() && service.forms.is_empty() {
            let reason = format!("service `{name}` without files; add `workflow` or `forms`");
            return Err(ServiceError { at, reason });
        }
        if let Some(workflow) = &service.workflow
            && !folder.join(workflow.get_ref()).is_file()
        {
            let path = workflow.get_ref();
            let reason =
                format!("missing workflow `{path}` of service `{name}`; give its path relative to this file's folder");
            return Err(ServiceError { at: workflow.span(), reason });
        }
        patterns.extend(service.forms.iter().map(|pattern| FormPattern { service: name, pattern }));
    }
    match first_without_match(&patterns, folder) {
        Some(FormPattern { service, pattern }) => {
            let text = pattern.get_ref();
            let reason = format!(
                "no file matches `{text}` in `forms` of service `{service}`; correct the pattern, or remove it"
            );
            Err(ServiceError { at: pattern.span(), reason })
        }
        None => Ok(()),
    }
}

/// The first pattern that matches no file. All patterns are matched in one walk, which ends when each
/// has a file.
fn first_without_match<'p, 's>(patterns: &'p [FormPattern<'s>], folder: &Path) -> Option<&'p FormPattern<'s>> {
    let mut is_matched = vec![false; patterns.len()];
    let mut builder = GlobSetBuilder::new();
    for (pattern, is_matched) in patterns.iter().zip(&mut is_matched) {
        let text = pattern.pattern.get_ref();
        builder.add(compile(text).ok()?);
        // A plain path needs no walk. One such as `./a.json` is none: patterns match paths as they are.
        *is_matched = !text.contains(['*', '?', '[', '{', '\\'])
            && !Path::new(text).starts_with(".")
            && !text.contains("..")
            && folder.join(text).is_file();
    }
    let set = builder.build().ok()?;
    let mut left = is_matched.iter().filter(|is_matched| !**is_matched).count();
    let mut files = walk(folder);
    while left > 0 {
        let Some(inside) = files.next() else { break };
        for index in set.matches(&inside) {
            if let Some(is_matched) = is_matched.get_mut(index).filter(|is_matched| !**is_matched) {
                *is_matched = true;
                left -= 1;
            }
        }
    }
    patterns.iter().zip(is_matched).find(|(_, is_matched)| !is_matched).map(|(pattern, _)| pattern)
}
