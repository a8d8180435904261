//! A place in a git revision: `REV` or `REV:PATH`.

use std::path::{Component, Path, PathBuf};

use crate::git::{Blobs, ObjectId, Repository};
use crate::text::quote;

/// The files of a folder, or a document, of a revision.
#[derive(Debug)]
pub(super) struct RevisionPlace {
    repository: Repository,
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
pub(super) fn splits(word: &str) -> Option<(&str, &str)> {
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
    /// # Errors
    /// The revision is unknown, or has no such path.
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
        Ok(Self { revision: revision.to_owned(), path: below, files: tree.files, is_folder, is_current, repository })
    }

    /// Its path in the working tree, relative to the current folder.
    pub fn working_path(&self, current: &Path) -> PathBuf {
        let root = self.repository.root();
        let depth = self.repository.below(current).map_or(0, |prefix| prefix.components().count());
        let above =
            current.ancestors().nth(depth).filter(|folder| std::fs::canonicalize(folder).is_ok_and(|it| it == root));
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
