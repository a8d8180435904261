//! Linting documents that may become a version of a service, above all by fixes.

use std::sync::Arc;

use super::check::{Found, Task};
use super::filter::Filter;
use super::identified::{MAX_KEPT, identify};
use super::linter::Linter;
use crate::config::Config;
use crate::diagnostic::{Diagnostic, FileId, MAX_LISTED};
use crate::facts::Version;
use crate::identity::Identity;
use crate::project::{Content, Contents, File, Overrides, Service};
use crate::script::Evaluator;
use crate::suggest::Suggester;

impl Linter<'_> {
    /// What is found in documents that may become a version of a service.
    pub(super) fn try_check(
        &self,
        service: &Service,
        files: &[&File],
        config: &Config,
        filter: Option<&Filter>,
        max_listed: usize,
    ) -> Found {
        let (files, suggester, last) = (files.to_vec(), &Suggester::default(), self.last_of(service));
        let known = last.as_ref().map(|last| &*last.known);
        let task = Task { files, config, suggester, filter, max_listed, known, is_trial: true };
        self.check_models(vec![task.model()]).pop().unwrap_or_default()
    }

    /// Calls a function with the identities of all findings of all rules in a service, reported or not, and returns those
    /// of the findings `wanted`. `None` when a file with one of these holds no document. Files are named as in reports.
    /// Of those read before, sorted by id, or else of those of the last lint, only what has changed is parsed.
    pub fn identities(
        &self,
        service: &Service,
        overrides: &Overrides,
        read_before: &[File],
        wanted: &[&Diagnostic],
        mut each: impl FnMut(Identity),
    ) -> Option<Vec<Identity>> {
        let project = self.setup.project;
        let config = project.configs.get(service.config)?;
        let last = self.last_of(service).unwrap_or_default();
        let read_before = if read_before.is_empty() { &last.files } else { read_before };
        let read = project.read_again(service, overrides, read_before);
        let files: Vec<&File> = read.files.iter().collect();
        let is_document = |id| files.iter().any(|file| file.id == id && matches!(file.content, Content::Document(..)));
        let changed = wanted.iter().flat_map(|diagnostic| diagnostic.edited_files());
        if !wanted.iter().map(|diagnostic| diagnostic.location.file).chain(changed).all(is_document) {
            return None;
        }
        let found = self.try_check(service, &files, config, None, MAX_LISTED);
        let mut hashes = (found.len() <= MAX_KEPT).then(Vec::new);
        let identities = identify(&found, &files, project, wanted, |identity| {
            if let Some(hashes) = &mut hashes {
                hashes.push(identity.short_hash());
            }
            each(identity);
        });
        if let Some(hashes) = hashes.filter(|_| found.is_repeatable) {
            self.remember_findings(service, &read.files, &hashes);
        }
        Some(identities)
    }

    /// The [`Identity::short_hash`] of each finding of all rules, reported or not, if the last lint of the service or the
    /// trial of a fix found them in the same documents.
    pub fn known_findings(&self, service: &Service, overrides: &Overrides, read_before: &[File]) -> Option<Arc<[u64]>> {
        let last = self.last_of(service)?;
        let read_before = if read_before.is_empty() { &last.files } else { read_before };
        last.known.versions.get(&self.version(service, overrides, read_before)?)
    }

    /// Remembers what was found in the documents of a service.
    pub(super) fn remember_findings(&self, service: &Service, files: &[File], findings: &[u64]) {
        let are_documents = files.iter().all(|file| file.document().is_some());
        let is_complete = !self.is_canceled() && !self.evaluator().is_some_and(Evaluator::has_missed);
        if let Some(last) = self.last_of(service).filter(|_| are_documents && is_complete)
            && let Some(version) = self.version(service, &Overrides::new(), files)
        {
            last.known.versions.add(version, findings);
        }
    }

    /// The version of a service with some contents in place of those of files that were read; `None` if some text is not
    /// known.
    fn version(&self, service: &Service, overrides: &Overrides, read: &[File]) -> Option<Version> {
        let read_text = |id| {
            let index = read.binary_search_by_key(&id, |file| file.id).ok()?;
            Some(&read.get(index)?.source.text)
        };
        let text = |&id: &FileId| match overrides.get(&id) {
            Some(Contents::Text(text)) => Some((id, Arc::clone(text))),
            Some(Contents::Bytes(_)) => None,
            None => Some((id, Arc::clone(read_text(id)?))),
        };
        let texts = service.files.iter().map(text).collect::<Option<_>>()?;
        Some(Version { texts, runs_scripts: self.evaluator().is_some() })
    }
}
