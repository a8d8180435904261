//! What comes of exploring a project.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::explored::Explored;
use crate::diagnostic::FileId;
use crate::read::FileKey;
use crate::source::SourceFile;

/// What exploring the services of a project has found.
#[derive(Debug, Default)]
pub struct ExploredProject {
    pub explored: Explored,
    /// The files that the results are about.
    pub sources: BTreeMap<FileId, SourceFile>,
    /// What could not be read, with the reason, beside what the project lists.
    pub unreadable: Vec<String>,
    /// Errors of configurations that only the services show: unknown names in laws.
    pub errors: Vec<String>,
    /// Files that were read beside those of the project: directories.
    pub files: Vec<PathBuf>,
}

impl ExploredProject {
    /// Whether a file was read, beside those of the project.
    pub fn reads(&self, file: &FileKey) -> bool {
        self.files.iter().any(|path| file.is_of(path))
    }
}
