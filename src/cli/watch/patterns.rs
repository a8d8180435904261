//! The patterns of files that a run reads besides the folders that it walks through, such as those of catalogs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::config::RootedPatterns;

#[derive(Debug)]
pub struct Patterns {
    files: RootedPatterns<()>,
    /// The folders of the patterns, with the number of levels below them in which files may match.
    folders: BTreeSet<(PathBuf, usize)>,
}

impl Patterns {
    pub fn new(patterns: &[(PathBuf, String)]) -> Self {
        let files = patterns.iter().map(|(folder, pattern)| (folder.as_path(), pattern.as_str(), ()));
        let levels = |pattern: &str| if pattern.contains("**") { usize::MAX } else { pattern.matches('/').count() };
        Self {
            files: RootedPatterns::new(files),
            folders: patterns.iter().map(|(folder, pattern)| (folder.clone(), levels(pattern))).collect(),
        }
    }

    /// The folders that may hold matching files, and those around folders that do not exist.
    pub fn folders(&self) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::new();
        for (folder, levels) in &self.folders {
            let mut left = vec![(folder.clone(), *levels)];
            found.extend(folder.parent().and_then(existing).map(Path::to_path_buf));
            while let Some((folder, levels)) = left.pop().filter(|(folder, _)| folder.is_dir()) {
                if let Some(below) = levels.checked_sub(1) {
                    left.extend(subfolders(&folder).map(|folder| (folder, below)));
                }
                found.insert(folder);
            }
        }
        found
    }

    /// Whether a path matches, or is that of a folder, maybe a former one, that may hold matching files.
    pub fn counts(&self, path: &Path) -> bool {
        let is_folder = |(folder, levels): &(PathBuf, usize)| {
            folder.starts_with(path)
                || path.strip_prefix(folder).is_ok_and(|inside| {
                    inside.components().count() <= *levels && !inside.iter().any(is_hidden) && !path.is_file()
                })
        };
        self.files.matching_below(path).next().is_some() || self.folders.iter().any(is_folder)
    }
}

/// The innermost folder at or above a path that exists.
pub fn existing(path: &Path) -> Option<&Path> {
    path.ancestors().find(|folder| folder.is_dir())
}

/// The folders in a folder, without links and hidden ones, as patterns see them.
fn subfolders(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.filter(|entry| !is_hidden(&entry.file_name())).map(|entry| entry.path())
}

fn is_hidden(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_in_which_files_may_match_are_watched() {
        let root = tempfile::tempdir().unwrap();
        for folder in ["shared/a/b", "shared/.hidden", "other"] {
            std::fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        let folders = |folder: &str, pattern: &str| {
            let folders = Patterns::new(&[(root.path().join(folder), pattern.to_owned())]).folders();
            let inside = folders.iter().map(|folder| folder.strip_prefix(root.path()).unwrap().to_str().unwrap());
            inside.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(folders("shared", "*.toml"), ["", "shared"]);
        assert_eq!(folders("shared", "*/*.toml"), ["", "shared", "shared/a"]);
        assert_eq!(folders("shared", "**/*.toml"), ["", "shared", "shared/a", "shared/a/b"]);
        assert_eq!(folders("missing/deeper", "*.toml"), [""]);
    }

    #[test]
    fn matching_files_and_folders_that_may_hold_some_count() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        std::fs::create_dir_all(path("shared/a")).unwrap();
        std::fs::write(path("shared/log"), "").unwrap();
        let patterns = Patterns::new(&[(path("shared"), "*/*.toml".to_owned())]);
        for name in ["shared", "shared/a", "shared/gone", "shared/a/b.toml"] {
            assert!(patterns.counts(&path(name)), "{name}");
        }
        for name in ["shared/log", "shared/.a", "shared/a/b", "shared/a/b.json", "other"] {
            assert!(!patterns.counts(&path(name)), "{name}");
        }
    }
}
