//! Which files the ignore files of a folder match: for files of a git revision, which no walk meets.

use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::ignore_files;
use crate::collections::HashMap;

/// The ignore files of the disk, each read once.
#[derive(Debug, Default)]
pub struct IgnoreRules {
    folders: HashMap<PathBuf, Rules>,
    /// By folder or file: whether it is left out.
    known: HashMap<PathBuf, bool>,
}

/// The rules of a folder.
#[derive(Debug, Clone)]
struct Rules {
    /// Of `.ignore`, `.gitignore` and `.git/info/exclude`, the strongest first.
    files: [Gitignore; 3],
    /// Whether it is that of a repository, so that rules for git above it do not count.
    is_repository: bool,
}

impl Rules {
    fn of(folder: &Path) -> Self {
        let names: [&[&str]; 3] = [&[".ignore"], &[".gitignore"], &[".git/info/exclude"]];
        let is_readable = ignore_files::check(folder).is_ok();
        let files = names.map(|names| {
            let mut builder = GitignoreBuilder::new(folder);
            for path in names.iter().map(|name| folder.join(name)).filter(|path| is_readable && path.is_file()) {
                // A pattern that cannot be read is left out, as by a walk.
                let _ = builder.add(path);
            }
            builder.build().unwrap_or_else(|_| Gitignore::empty())
        });
        Self { files, is_repository: folder.join(".git").exists() }
    }
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
        let mut decided: [Option<bool>; 3] = [None; 3];
        let mut is_inside = true;
        for folder in path.ancestors().skip(1) {
            let rules = self.folders.entry(folder.to_path_buf()).or_insert_with(|| Rules::of(folder));
            for (index, (rule, decided)) in rules.files.iter().zip(&mut decided).enumerate() {
                // `.ignore` is not of git, so repositories do not bound it.
                let counts = index == 0 || is_inside;
                let found = rule.matched(path, is_folder);
                if decided.is_none() && counts && !found.is_none() {
                    *decided = Some(found.is_ignore());
                }
            }
            is_inside &= !rules.is_repository;
        }
        decided.into_iter().flatten().next().unwrap_or(false)
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
