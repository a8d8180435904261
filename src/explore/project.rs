//! The result of exploring a project.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::explored::Explored;
use crate::diagnostic::FileId;
use crate::read::FileKey;
use crate::source::SourceFile;

/// The results of the services of a project.
#[derive(Debug, Default)]
pub struct ExploredProject {
    pub explored: Explored,
    /// The files that the results are about.
    pub sources: BTreeMap<FileId, SourceFile>,
    /// What could not be read, with the reason, besides the files of the project.
    pub unreadable: Vec<String>,
    /// Errors of configurations that are found only with the services: unknown names in laws.
    pub errors: Vec<String>,
    /// Other files that were read: directories (LDIF).
    pub files: Vec<PathBuf>,
}

impl ExploredProject {
    /// Whether a file was read, besides those of the project.
    pub fn reads(&self, file: &FileKey) -> bool {
        self.files.iter().any(|path| file.is_of(path))
    }
}
