//! Ignore files, and their rules. Each file is checked before it is read, since the library would wait at a pipe, and
//! read a device or a huge file whole.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::common::collections::{HashMap, HashSet};
use crate::common::limits::MAX_SMALL_FILE_BYTES;
use crate::files::read::{FileKey, check_readable, is_regular, read_regular};

/// The ignore files of a folder.
const FILES: [&str; 3] = [".ignore", ".gitignore", ".git/info/exclude"];

/// What makes entries ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IgnoreFile {
    Ignore,
    GitIgnore,
    /// The folder of a repository, or the file that names it, which has `info/exclude`.
    Git,
}

impl IgnoreFile {
    const ALL: [Self; 3] = [Self::Ignore, Self::GitIgnore, Self::Git];

    const fn name(self) -> &'static str {
        match self {
            Self::Ignore => ".ignore",
            Self::GitIgnore => ".gitignore",
            Self::Git => ".git",
        }
    }

    /// The one with this name.
    pub fn named(name: &OsStr) -> Option<Self> {
        Self::ALL.into_iter().find(|file| name == file.name())
    }
}

/// The rules of a folder.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    /// Of `.ignore`, `.gitignore` and `.git/info/exclude`, the strongest first.
    files: [Gitignore; 3],
    /// Whether it is that of a repository, so that rules for git above it do not count.
    is_repository: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self { files: std::array::from_fn(|_| Gitignore::empty()), is_repository: false }
    }
}

impl Rules {
    /// The rules of all ignore files of a folder.
    ///
    /// # Errors
    /// The first one that is not to be read, with the reason.
    pub fn of(folder: &Path) -> Result<Self, String> {
        let mut rules = Self::default();
        for file in IgnoreFile::ALL.into_iter().filter(|file| folder.join(file.name()).exists()) {
            rules.add(file, folder)?;
        }
        Ok(rules)
    }

    /// Adds those of one that is in the folder.
    ///
    /// # Errors
    /// Why it is not to be read.
    pub fn add(&mut self, file: IgnoreFile, folder: &Path) -> Result<(), String> {
        let [ignore, git_ignore, exclude] = &mut self.files;
        match file {
            IgnoreFile::Ignore => *ignore = read(folder, &folder.join(file.name()))?,
            IgnoreFile::GitIgnore => *git_ignore = read(folder, &folder.join(file.name()))?,
            IgnoreFile::Git => {
                self.is_repository = true;
                if let Some(path) = exclude_file(&folder.join(file.name()))? {
                    *exclude = read(folder, &path)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether the strongest rule that matches ignores an entry, by the rules of the folders around it, the innermost first,
/// each with the path of the entry; `None` if no rule matches.
pub(super) fn ignores<'r>(rules: impl Iterator<Item = (&'r Rules, &'r Path)>, is_folder: bool) -> Option<bool> {
    let mut decided: [Option<bool>; 3] = [None; 3];
    let mut is_inside = true;
    for (rules, path) in rules {
        for (index, (rule, decided)) in rules.files.iter().zip(&mut decided).enumerate() {
            // `.ignore` is not of git, so repositories do not bound it.
            if decided.is_none() && (index == 0 || is_inside) {
                let found = rule.matched(path, is_folder);
                *decided = (!found.is_none()).then(|| found.is_ignore());
            }
        }
        is_inside &= !rules.is_repository;
    }
    decided.into_iter().flatten().next()
}

/// The rules of an ignore file. One that cannot be understood is left out, as by git.
fn read(folder: &Path, path: &Path) -> Result<Gitignore, String> {
    check_file(path)?;
    let mut builder = GitignoreBuilder::new(folder);
    let _ = builder.add(path);
    Ok(builder.build().unwrap_or_else(|_| Gitignore::empty()))
}

/// The `info/exclude` of a repository.
fn exclude_file(git: &Path) -> Result<Option<PathBuf>, String> {
    if !is_regular(git) {
        return Ok(Some(git.join("info/exclude")));
    }
    // The file of a worktree or submodule names its folder, which may name that of the repository.
    check_file(git)?;
    let own = first_line(git).and_then(|line| Some(git.parent()?.join(line.strip_prefix("gitdir: ")?)));
    let Some(own) = own else { return Ok(None) };
    let common = own.join("commondir");
    check_file(&common)?;
    let repository = first_line(&common).map_or_else(|| own.clone(), |repository| own.join(repository));
    Ok(Some(repository.join("info/exclude")))
}

/// The `info/exclude` of the repository whose folder this is, which need not exist.
pub fn exclude_file_of(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(IgnoreFile::Git.name());
    if git.exists() { exclude_file(&git).ok().flatten() } else { None }
}

/// Whether git may have an ignore file for all repositories: it is at the default path, or a configuration of the user or
/// the machine names one. To look for it costs a walk more than a small folder does.
pub(super) fn may_be_global() -> bool {
    let path_in = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = std::env::home_dir();
    let user = path_in("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config")));
    let configs = [
        path_in("GIT_CONFIG_GLOBAL"),
        home.map(|home| home.join(".gitconfig")),
        user.as_ref().map(|user| user.join("git/config")),
        Some(path_in("GIT_CONFIG_SYSTEM").unwrap_or_else(|| "/etc/gitconfig".into())),
    ];
    user.is_some_and(|user| user.join("git/ignore").exists()) || configs.iter().flatten().any(|path| may_name_one(path))
}

/// Whether a configuration of git contains the key of an ignore file, in a comment perhaps. One that cannot be read may.
fn may_name_one(config: &Path) -> bool {
    match read_regular(config) {
        Ok(text) => text.to_ascii_lowercase().contains("excludesfile"),
        Err(_) => config.exists(),
    }
}

/// Whether a file is an ignore file: by its name, or by a link to that of a folder at or above these files.
pub(super) fn is_one<'p>(file: &FileKey, files: impl Iterator<Item = &'p Path>) -> bool {
    let path = file.path();
    if FILES.iter().any(|name| path.ends_with(name)) {
        return true;
    }
    let mut seen = HashSet::default();
    let mut folders = files.flat_map(|file| file.ancestors().skip(1)).filter(|folder| seen.insert(*folder));
    folders.any(|folder| {
        FILES.into_iter().any(|name| {
            let path = folder.join(name);
            path.exists() && file.is_of(&path)
        })
    })
}

fn check_file(path: &Path) -> Result<(), String> {
    check_readable(path, MAX_SMALL_FILE_BYTES as u64)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn first_line(path: &Path) -> Option<String> {
    read_regular(path).ok()?.lines().next().map(str::to_owned)
}

/// The ignore files of the disk, each read once: for files of a git revision, which no walk meets.
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
