//! Limits which files a configuration or scenario can name: its author may be a stranger, who must not choose what is
//! read elsewhere on the machine.

use std::path::{Path, PathBuf};

use crate::files::paths::canonicalize;
use crate::files::read::{ReadError, is_present, is_regular};

/// The folders from which files that a configuration or scenario names may be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Boundary {
    /// Folders of the command line and the current one, for files outside of a repository.
    given: Vec<PathBuf>,
    is_lifted: bool,
}

impl Boundary {
    /// Files are read below the repository of the file that names them; outside of any repository, below
    /// these folders and that of the file that names them.
    pub const fn below(given: Vec<PathBuf>) -> Self {
        Self { given, is_lifted: false }
    }

    /// Files are read wherever they are.
    pub const fn lifted() -> Self {
        Self { given: Vec::new(), is_lifted: true }
    }

    /// Whether a file may be read when a file in `naming_folder` names it. Links are resolved first.
    ///
    /// # Errors
    /// The file is outside. A missing or irregular file passes: reading it reports the error.
    pub fn check(&self, path: &Path, naming_folder: &Path) -> Result<(), ReadError> {
        if self.is_lifted || !is_regular(path) {
            return Ok(());
        }
        canonicalize(path).map_or(Ok(()), |path| self.check_resolved(&path, naming_folder))
    }

    /// Whether a file, which may be missing, may be written when a file in `naming_folder` names it.
    ///
    /// # Errors
    /// The file is outside, or would be: then its nearest folder that exists is. A link to a missing file is refused.
    pub fn check_target(&self, path: &Path, naming_folder: &Path) -> Result<(), ReadError> {
        if self.is_lifted {
            return Ok(());
        }
        let existing = path.ancestors().find(|existing| is_present(existing)).unwrap_or(path);
        match canonicalize(existing) {
            Ok(resolved) => self.check_resolved(&resolved, naming_folder),
            Err(error) => Err(ReadError::Other(error.to_string())),
        }
    }

    fn check_resolved(&self, path: &Path, naming_folder: &Path) -> Result<(), ReadError> {
        let naming_folder = resolve(naming_folder);
        if let Some(repository) = repository(&naming_folder) {
            let is_inside = path.starts_with(repository);
            return if is_inside { Ok(()) } else { Err(ReadError::Outside("the repository")) };
        }
        let is_inside =
            path.starts_with(&naming_folder) || self.given.iter().any(|folder| path.starts_with(resolve(folder)));
        if is_inside { Ok(()) } else { Err(ReadError::Outside("the folders of the command line")) }
    }
}

/// The nearest folder at or above a folder that is a git repository; in a worktree or a submodule `.git`
/// is a file.
fn repository(folder: &Path) -> Option<&Path> {
    folder
        .ancestors()
        .find(|folder| std::fs::metadata(folder.join(".git")).is_ok_and(|git| git.is_dir() || git.is_file()))
}

fn resolve(folder: &Path) -> PathBuf {
    canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf())
}
