//! The documents and directories that scenarios name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{LoadedDocument, Loader, ReadScenario, Request, Unusable, at};
use crate::document::{SyntaxError, SyntaxErrorKind};
use crate::files::read::ReadError;
use crate::files::toml_file::TomlError;
use crate::ldap::{Directory, Entry, ldif};
use crate::project::{self, Content, File, WantedFile};
use crate::schema::DocumentKind;
use crate::simulate::scenario::{DirectorySource, FileLocation, Spanned};
use crate::text::diagnostic::{FileId, Location};
use crate::text::source::Span;

const PATH_HELP: &str = "give the path relative to the scenario's folder";

impl Loader {
    /// Opens every document that a scenario names, and every workflow among the files that were found; each once.
    pub fn open_documents(
        &mut self,
        scenarios: &[ReadScenario],
        found: Vec<PathBuf>,
        request: &Request,
    ) -> Result<(), TomlError> {
        let mut wanted: Vec<WantedFile> = found.into_iter().map(|path| WantedFile { path, is_found: true }).collect();
        for ReadScenario { folder, scenario, .. } in scenarios {
            for named in [Some(&scenario.workflow), scenario.form.as_ref()].into_iter().flatten() {
                let (path, _) = project::clean_path(&folder.join(&named.value), &request.current);
                if request.boundary.check(&path, folder).is_ok() {
                    wanted.push(WantedFile { path, is_found: false });
                }
            }
        }
        let runnable: BTreeSet<PathBuf> = wanted.iter().map(|wanted| wanted.path.clone()).collect();
        for path in std::mem::take(&mut self.named_by_broken) {
            let (path, _) = project::clean_path(&path, &request.current);
            let folder = path.parent().unwrap_or(&path);
            if !runnable.contains(&path) && request.boundary.check(&path, folder).is_ok() {
                wanted.push(WantedFile { path, is_found: true });
            }
        }
        wanted.sort();
        wanted.dedup_by(|next, first| next.path == first.path);
        let Request { current, config, boundary, .. } = request;
        let opened = project::open(&wanted, current, config, boundary, &self.unsaved, self.files)?;
        self.loaded.configs = opened.configs;
        for ((WantedFile { path, is_found }, file), config) in
            wanted.into_iter().zip(opened.files).zip(opened.config_of)
        {
            self.files += 1;
            if !runnable.contains(&path) {
                let document = file.ok().flatten().and_then(|file| LoadedDocument::of(file, config));
                self.loaded.documents_of_broken.extend(document);
                continue;
            }
            let index = match file {
                Err(reason) => Err(Unusable { reason, help: Some(PATH_HELP) }),
                Ok(None) => continue,
                Ok(Some(file)) => self.add_document(file, config),
            };
            if let (true, Err(unusable)) = (is_found, &index) {
                self.loaded.uncounted.push(unusable.reason.clone());
            }
            self.loaded.files.push(path.clone());
            self.documents.insert(path, index);
        }
        Ok(())
    }

    /// Adds a document that was read.
    fn add_document(&mut self, file: File, config: usize) -> Result<usize, Unusable> {
        let duplicate = file.duplicate_key();
        let Some(loaded) = LoadedDocument::of(file.clone(), config) else {
            return Err(unusable(&file.content, &file.source.name));
        };
        let reason = duplicate.map(|duplicate| format!("{duplicate} of {}", file.source.name));
        if let Some(reason) = reason {
            // It still says what is masked.
            self.loaded.documents_of_broken.push(loaded);
            return Err(Unusable { reason, help: Some("remove one of the two") });
        }
        self.loaded.sources.insert(file.id, file.source);
        self.loaded.documents.push(loaded);
        Ok(self.loaded.documents.len() - 1)
    }

    pub fn document(
        &mut self,
        file: FileId,
        folder: &Path,
        named: &Spanned<String>,
        kind: DocumentKind,
        request: &Request,
    ) -> Option<usize> {
        let (path, name) = project::clean_path(&folder.join(&named.value), &request.current);
        if let Err(error) = request.boundary.check(&path, folder) {
            self.problem(at(file, &named.location), format!("cannot read {name}: {error}"), None);
            return None;
        }
        let (reason, help) = match self.documents.get(&path) {
            Some(Ok(index)) => match self.loaded.documents.get(*index) {
                Some(document) if document.kind == kind => return Some(*index),
                found => {
                    let found = found.map_or("another document", |document| noun(document.kind));
                    (format!("expected {}, found {found} in {name}", noun(kind)), Some(PATH_HELP))
                }
            },
            Some(Err(unusable)) => (unusable.reason.clone(), unusable.help),
            None => (format!("cannot read {name}"), Some(PATH_HELP)),
        };
        self.problem(at(file, &named.location), reason, help.map(str::to_owned));
        None
    }
}

impl LoadedDocument {
    /// `None` of a file that is no workflow, form or signing case.
    fn of(read: File, config: usize) -> Option<Self> {
        let Content::Document(kind, document) = &read.content else { return None };
        let (file, name, kind, document) = (read.id, read.source.name.clone(), *kind, Arc::clone(document));
        Some(Self { file, name, kind, document, read, config })
    }
}

/// Why a file that was read, but not as a document, cannot be used.
fn unusable(content: &Content, name: &str) -> Unusable {
    let mut help = None;
    let reason = match content {
        Content::Document(..) | Content::Unrelated(_) | Content::Resembling(..) => {
            help = Some(PATH_HELP);
            format!("unknown document {name}, neither a workflow nor a form")
        }
        Content::Invalid(SyntaxError { kind: SyntaxErrorKind::TooDeep, .. }) => {
            format!("document {name} nested deeper than `max-depth`")
        }
        Content::Invalid(SyntaxError { kind: SyntaxErrorKind::TooMany(what), .. }) => {
            format!("document {name} with too many {what}")
        }
        Content::Invalid(_) => format!("invalid JSON in {name}, run `wflint {name}` for the location"),
        Content::OtherEncoding(encoding) => {
            format!("invalid encoding of {name}: expected UTF-8, found {}", encoding.name())
        }
        Content::NotUtf8(_) => format!("invalid UTF-8 in {name}"),
        Content::TooLarge(most) => format!("document {name} larger than {} MiB", most >> 20),
    };
    Unusable { reason, help }
}

const fn noun(kind: DocumentKind) -> &'static str {
    match kind {
        DocumentKind::Workflow => "a workflow",
        DocumentKind::Form => "a form",
        DocumentKind::SigningCase => "a signing case",
    }
}

impl Loader {
    pub fn directory(
        &mut self,
        file: FileId,
        folder: &Path,
        source: &mut DirectorySource,
        request: &Request,
    ) -> Option<usize> {
        match source {
            DirectorySource::Empty => Some(0),
            // The scenario needs them no more.
            DirectorySource::Inline(entries, location) => match Directory::new(std::mem::take(entries)) {
                Ok(directory) => Some(self.add_directory(directory)),
                Err(duplicate) => {
                    self.problem(at(file, location), duplicate, None);
                    None
                }
            },
            DirectorySource::File(named) => {
                let (path, name) = project::clean_path(&folder.join(&named.value), &request.current);
                let cannot_read = |error: &ReadError| format!("cannot read {name}: {error}");
                if let Err(error) = request.boundary.check(&path, folder) {
                    self.problem(at(file, &named.location), cannot_read(&error), None);
                    return None;
                }
                if let Some(known) = self.directories.get(&path) {
                    return *known;
                }
                self.loaded.files.push(path.clone());
                let index = match self.unsaved.read(&path) {
                    Ok(text) => self.read_ldif(&path, &name, &text),
                    Err(error) => {
                        let help = Some("give the path relative to the scenario's folder".to_owned());
                        self.problem(at(file, &named.location), cannot_read(&error), help);
                        return None;
                    }
                };
                self.directories.insert(path, index);
                index
            }
        }
    }

    fn read_ldif(&mut self, path: &Path, name: &str, text: &str) -> Option<usize> {
        let file = self.add_source(path, name, text);
        // A scenario may name any file: neither a message nor an excerpt shows its lines.
        if let Some(source) = self.loaded.sources.get_mut(&file) {
            source.is_quoted = false;
        }
        let read: Result<Vec<Entry>, _> = ldif::parse(text);
        match read {
            Ok(entries) => match Directory::new(entries) {
                Ok(directory) => Some(self.add_directory(directory)),
                Err(_) => {
                    self.problem(at(file, &FileLocation::default()), "duplicate entry", None);
                    None
                }
            },
            Err(error) => {
                let small = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
                let span = Span::new(small(error.span.start), small(error.span.end));
                self.problem(Location { file, pointer: String::new(), span }, error.message, None);
                None
            }
        }
    }

    fn add_directory(&mut self, directory: Directory) -> usize {
        self.loaded.directories.push(directory);
        self.loaded.directories.len() - 1
    }
}
