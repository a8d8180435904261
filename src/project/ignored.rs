//! Which files the ignore files of a folder match: for files of a git revision, which no walk meets.

use std::path::{Path, PathBuf};

use super::ignore_files::{Rules, ignores};
use crate::collections::HashMap;

/// The ignore files of the disk, each read once.
#[derive(Debug, Default)]
pub struct IgnoreRules {
    folders: HashMap<PathBuf, Rules>,
    /// By folder or file: whether it is left out.
    known: HashMap<PathBuf, bool>,
}

impl IgnoreRules {
    /// Whether a walk through a folder leaves this file out: a rule ignores it, or a folder around it.
    pub fn ignores(&mut self, file: &Path, folder: &Path) -> bool {
        let inside: Vec<&Path> =
            file.ancestors().take_while(|path| path.starts_with(folder) && *path != folder).collect();
        inside.into_iter().rev().any(|path| {
            if let Some(&known) = self.known.get(path) {
                return known;
            }
            let is_ignored = self.is_matched(path, path != file);
            self.known.insert(path.to_path_buf(), is_ignored);
            is_ignored
        })
    }

    /// Whether the strongest rule that matches a path ignores it.
    fn is_matched(&mut self, path: &Path, is_folder: bool) -> bool {
        for folder in path.ancestors().skip(1) {
            self.folders.entry(folder.to_path_buf()).or_insert_with(|| Rules::of(folder).unwrap_or_default());
        }
        let around = path.ancestors().skip(1).filter_map(|folder| Some((self.folders.get(folder)?, path)));
        ignores(around, is_folder).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_those_of_git() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("a/.git")).unwrap();
        std::fs::write(root.join(".gitignore"), "*.json\n").unwrap();
        std::fs::write(root.join("a/.gitignore"), "old/\n*.tmp.json\n!keep.tmp.json\n").unwrap();
        std::fs::write(root.join("a/.ignore"), "x.json\n").unwrap();
        let mut rules = IgnoreRules::default();
        let mut ignores = |path: &str| rules.ignores(&root.join("a").join(path), &root.join("a"));
        assert!(ignores("old/order.json") && ignores("b/c.tmp.json") && ignores("b/x.json"));
        assert!(!ignores("b/keep.tmp.json") && !ignores("order.json"), "rules above the repository do not count");
    }
}
