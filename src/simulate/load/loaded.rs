//! Scenarios that were read, with everything that they name.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::config::Config;
use crate::diagnostic::{Diagnostic, FileId};
use crate::document::Document;
use crate::ldap::Directory;
use crate::read::FileKey;
use crate::schema::DocumentKind;
use crate::simulate::scenario::Scenario;
use crate::source::SourceFile;

#[derive(Debug)]
pub struct LoadedScenario {
    pub file: FileId,
    pub scenario: Box<Scenario>,
    /// Index in [`Loaded::documents`].
    pub workflow: usize,
    /// Index in [`Loaded::documents`].
    pub form: Option<usize>,
    /// Index in [`Loaded::directories`].
    pub directory: usize,
}

/// A document that a scenario names, or a workflow that was found.
#[derive(Debug)]
pub struct LoadedDocument {
    pub file: FileId,
    /// As reports show it.
    pub name: String,
    pub kind: DocumentKind,
    pub document: Arc<Document>,
    /// Index in [`Loaded::configs`].
    pub config: usize,
}

/// Scenarios, and everything that they name.
#[derive(Debug, Default)]
pub struct Loaded {
    pub sources: BTreeMap<FileId, SourceFile>,
    /// The scenarios that can be run, sorted by the names of their files.
    pub scenarios: Vec<LoadedScenario>,
    pub documents: Vec<LoadedDocument>,
    /// Documents that scenarios with errors may be for.
    pub documents_of_broken: Vec<LoadedDocument>,
    /// The directories; the first is empty.
    pub directories: Vec<Directory>,
    pub configs: Vec<Config>,
    /// The problems of scenarios that cannot be run.
    pub problems: Vec<Diagnostic>,
    /// What could not be read, with the reason.
    pub unreadable: Vec<String>,
    /// Why files that may hold workflows count in no coverage.
    pub uncounted: Vec<String>,
    /// The files that were read, or could not be.
    pub files: Vec<PathBuf>,
}

impl Loaded {
    /// Whether a file is read for the run.
    pub fn reads(&self, file: &FileKey) -> bool {
        let configs = self.configs.iter().flat_map(|config| &config.files);
        self.files.iter().chain(configs).any(|path| file.is_of(path))
    }
}
