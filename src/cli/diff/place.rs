//! An argument of `wflint diff`: a path, or a place in a git revision.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use crate::files::paths::{canonicalize, clean};
use crate::files::read;
use crate::git::{Blobs, ObjectId, Repository};
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
        let found = Repository::of(current)
            .map_err(|error| format!("{} is neither a path nor a git revision: {error}", quote(text)))
            .and_then(|repository| RevisionPlace::new(repository, text, current));
        let found = found.or_else(|error| RevisionPlace::in_own_repository(text, current).unwrap_or(Err(error)));
        found.map(Self::Revision)
    }

    /// The same place in the working tree.
    pub fn in_working_tree(&self) -> Result<Self, String> {
        let Self::Revision(place) = self else {
            return Err(
                "only a git revision is compared with the working tree; name what to compare with as NEW".to_owned()
            );
        };
        let path = place.working_path();
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

/// The files of a folder, or a document, of a revision.
#[derive(Debug)]
pub(super) struct RevisionPlace {
    repository: Repository,
    /// The folder in which git was asked.
    asked: PathBuf,
    /// As it was named.
    revision: String,
    /// Below the root of the repository.
    path: PathBuf,
    /// All files at or below it, by path below the root.
    pub files: Vec<(PathBuf, ObjectId)>,
    pub is_folder: bool,
    /// Whether it is the version of the current folder.
    pub is_current: bool,
}

/// The revision and the path of `REV:PATH`; `None` without a path. A colon in braces belongs to the revision:
/// `HEAD^{/fix: it}`.
fn splits(word: &str) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    let colon = word.char_indices().find(|(_, character)| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        *character == ':' && depth == 0
    });
    let (at, _) = colon?;
    Some((word.get(..at)?, word.get(at + 1..)?))
}

impl RevisionPlace {
    pub fn new(repository: Repository, word: &str, current: &Path) -> Result<Self, String> {
        let (revision, path) = splits(word).map_or((word, None), |(revision, path)| (revision, Some(path)));
        let commit = repository.commit(revision).map_err(|error| {
            let is_path = path.is_none() && error.starts_with("unknown revision");
            if is_path { format!("{} is neither a path nor a git revision", quote(word)) } else { error }
        })?;
        let outside = || format!("the current folder is outside of the repository {}", repository.root().display());
        let prefix = repository.below(current).ok_or_else(outside)?;
        let missing = || format!("{} has no file or folder {}", quote(revision), quote(path.unwrap_or_default()));
        let below = match path {
            Some(path) => inside(path, &prefix).ok_or_else(missing)?,
            None => prefix,
        };
        let tree = repository.tree(&commit, |file| file.starts_with(&below))?;
        let is_file = tree.files.iter().any(|(file, _)| *file == below);
        // The current folder may be new, and is empty then.
        let is_there = path.is_none() || below.as_os_str().is_empty() || !tree.files.is_empty();
        if !is_there {
            return Err(missing() + "; links and submodules are not followed");
        }
        let (is_folder, is_current) = (!is_file, path.is_none());
        let asked = current.to_path_buf();
        Ok(Self {
            asked,
            revision: revision.to_owned(),
            path: below,
            files: tree.files,
            is_folder,
            is_current,
            repository,
        })
    }

    /// The place of `REV:./PATH` if the path is in a repository of its own below the current folder: git is asked there.
    /// `None` if it is not.
    fn in_own_repository(word: &str, current: &Path) -> Option<Result<Self, String>> {
        let (revision, path) = splits(word).filter(|(_, path)| path.starts_with("./"))?;
        let path = clean(&current.join(path));
        let folder = path.ancestors().take_while(|above| *above != current).find(|above| above.is_dir())?;
        let repository = Repository::of(folder).ok()?;
        if Repository::of(current).is_ok_and(|around| around.root() == repository.root()) {
            return None;
        }
        let below: Vec<_> = path.strip_prefix(folder).ok()?.iter().map(|part| part.to_string_lossy()).collect();
        Some(Self::new(repository, &format!("{revision}:./{}", below.join("/")), folder))
    }

    /// Its path in the working tree, relative to the folder in which git was asked.
    pub fn working_path(&self) -> PathBuf {
        let (root, current) = (self.repository.root(), self.asked.as_path());
        let depth = self.repository.below(current).map_or(0, |prefix| prefix.components().count());
        let above = current.ancestors().nth(depth).filter(|folder| canonicalize(folder).is_ok_and(|it| it == root));
        let path = above.unwrap_or(root).join(&self.path);
        if self.path.as_os_str().is_empty() { above.unwrap_or(root).to_path_buf() } else { path }
    }

    /// The name of a file in reports: `REV:PATH`.
    pub fn name(&self, file: &Path) -> String {
        let parts: Vec<_> = file.iter().map(|part| part.to_string_lossy()).collect();
        format!("{}:{}", self.revision, parts.join("/"))
    }

    /// The path of a file below the place; of the place itself, its name.
    pub fn below<'f>(&self, file: &'f Path) -> &'f Path {
        let below = file.strip_prefix(&self.path).unwrap_or(file);
        if below.as_os_str().is_empty() { file.file_name().map_or(file, Path::new) } else { below }
    }

    pub fn blobs(&self) -> Result<Blobs, String> {
        self.repository.blobs()
    }
}

/// A path of `REV:PATH` below the root, as git reads it: from there, or with `./` or `../` from the current folder.
fn inside(path: &str, prefix: &Path) -> Option<PathBuf> {
    let is_relative = matches!(path, "." | "..") || path.starts_with("./") || path.starts_with("../");
    let mut found = if is_relative { prefix.to_path_buf() } else { PathBuf::new() };
    for part in Path::new(path).components() {
        match part {
            Component::Normal(name) => found.push(name),
            Component::CurDir => {}
            Component::ParentDir if is_relative && found.pop() => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revision_and_path_are_split_as_git_does() {
        assert_eq!(splits("main:services/sign"), Some(("main", "services/sign")));
        assert_eq!(splits("HEAD^{/fix: it}:a:b"), Some(("HEAD^{/fix: it}", "a:b")));
        assert_eq!((splits("main"), splits("main:")), (None, Some(("main", ""))));
    }

    #[test]
    fn paths_are_those_of_git() {
        let found = |path| inside(path, Path::new("a/b")).map(|path| path.to_string_lossy().replace('\\', "/"));
        for (path, wanted) in
            [("x/y/", "x/y"), ("./x", "a/b/x"), ("../x", "a/x"), ("", ""), ("./", "a/b"), (".", "a/b")]
        {
            assert_eq!(found(path).as_deref(), Some(wanted), "{path}");
        }
        for path in ["../../../x", "/x", "x/../y"] {
            assert_eq!(found(path), None, "{path}");
        }
    }
}
