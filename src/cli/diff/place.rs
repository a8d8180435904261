//! An argument of `wflint diff`: a path, or a place in a git revision.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::revision::{RevisionPlace, splits};
use crate::git::Repository;
use crate::paths::clean;
use crate::read;
use crate::text::quote;

/// One side, before it is read.
#[derive(Debug)]
pub(super) enum Place {
    /// An absolute path.
    Path {
        path: PathBuf,
        is_folder: bool,
    },
    Revision(RevisionPlace),
}

impl Place {
    /// The place that an argument names.
    ///
    /// # Errors
    /// It names nothing, or both a path and a revision.
    pub fn of(word: &OsStr, current: &Path) -> Result<Self, String> {
        let path = clean(&current.join(word));
        let text = word.to_str();
        // As it is written: `main:a/../b` names a revision.
        if std::fs::symlink_metadata(current.join(word)).is_ok() && !word.is_empty() {
            if text.is_some_and(|text| is_revision(text, current)) {
                let shown = word.to_string_lossy();
                return Err(format!(
                    "{} is both a path and a git revision; write `./{shown}` for the path, or `{}` for the revision",
                    quote(&shown),
                    if shown.contains(':') { "REV:./PATH".to_owned() } else { format!("{shown}:") },
                ));
            }
            let is_folder = std::fs::metadata(&path).is_ok_and(|metadata| metadata.is_dir());
            return Ok(Self::Path { path, is_folder });
        }
        let text = text.ok_or_else(|| format!("cannot read {}: no such file or folder", path.display()))?;
        if text.starts_with('-') {
            return Err(format!("invalid revision {}: it begins with `-`", quote(text)));
        }
        let repository = Repository::of(current)
            .map_err(|error| format!("{} is neither a path nor a git revision: {error}", quote(text)))?;
        RevisionPlace::new(repository, text, current).map(Self::Revision)
    }

    /// The same place in the working tree.
    ///
    /// # Errors
    /// It is not of git, or does not exist there.
    pub fn in_working_tree(&self, current: &Path) -> Result<Self, String> {
        let Self::Revision(place) = self else {
            return Err(
                "only a git revision is compared with the working tree; name what to compare with as NEW".to_owned()
            );
        };
        let path = place.working_path(current);
        let metadata = std::fs::metadata(&path);
        let metadata = metadata.map_err(|error| format!("cannot read {}: {}", path.display(), read::reason(&error)))?;
        Ok(Self::Path { path, is_folder: metadata.is_dir() })
    }

    /// Whether it stands for a missing document, as when git runs a tool for a new or deleted file.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Path { path, .. } if path.as_path() == Path::new("/dev/null"))
    }

    pub const fn is_folder(&self) -> bool {
        match self {
            Self::Path { is_folder, .. } => *is_folder,
            Self::Revision(place) => place.is_folder,
        }
    }
}

/// Whether a word that is a path also names a git revision.
fn is_revision(word: &str, current: &Path) -> bool {
    // No name of a revision begins like this.
    if word.starts_with(['-', '.', '/', '\\', '~']) || Path::new(word).is_absolute() {
        return false;
    }
    let Ok(repository) = Repository::of(current) else { return false };
    match splits(word) {
        Some(_) => RevisionPlace::new(repository, word, current).is_ok(),
        None => repository.knows(word),
    }
}
