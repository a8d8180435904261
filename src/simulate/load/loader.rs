//! The state of loading.

use std::path::{Path, PathBuf};

use super::loaded::Loaded;
use super::problem::problem;
use crate::collections::HashMap;
use crate::diagnostic::{FileId, Location};
use crate::ldap::Directory;
use crate::read::Unsaved;
use crate::simulate::scenario::Scenario;
use crate::source::SourceFile;

/// A scenario that was read, with the folder to which its paths are relative.
pub struct ReadScenario {
    pub file: FileId,
    pub folder: PathBuf,
    /// On the heap, as all scenarios are listed before they are loaded.
    pub scenario: Box<Scenario>,
}

/// Why a document cannot be used.
pub struct Unusable {
    pub reason: String,
    /// What to do about it, unless the reason says it.
    pub help: Option<&'static str>,
}

#[derive(Default)]
pub struct Loader {
    pub loaded: Loaded,
    /// The index of each document, or why it cannot be used, by path.
    pub documents: HashMap<PathBuf, Result<usize, Unusable>>,
    /// Files that scenarios with errors may name as documents.
    pub named_by_broken: Vec<PathBuf>,
    /// The index of each directory, by path; `None` if it has a problem, which is reported once.
    pub directories: HashMap<PathBuf, Option<usize>>,
    /// The number of files so far, which is the id of the next.
    pub files: u32,
    pub unsaved: Unsaved,
}

impl Loader {
    pub fn new(unreadable: Vec<String>) -> Self {
        let loaded = Loaded { unreadable, directories: vec![Directory::default()], ..Loaded::default() };
        Self { loaded, ..Self::default() }
    }

    fn next_file(&mut self) -> FileId {
        let id = FileId(self.files);
        self.files += 1;
        id
    }

    pub fn add_source(&mut self, path: &Path, name: &str, text: &str) -> FileId {
        let id = self.next_file();
        self.loaded.sources.insert(id, SourceFile::new(path.to_path_buf(), name.to_owned(), text.into()));
        id
    }

    pub fn problem(&mut self, location: Location, message: impl Into<String>, help: Option<String>) {
        self.loaded.problems.push(problem(location, message.into(), help));
    }
}
