//! The ignore files that a walk reads: checked first, since the walk itself would wait at a pipe, and read
//! a device or a huge file whole.

use std::path::{Path, PathBuf};

use crate::collections::HashSet;
use crate::read::{FileKey, check_readable, read_regular};

/// Bytes of an ignore file.
const MAX_BYTES: u64 = 1 << 20;

/// The ignore files of a folder.
const NAMES: [&str; 2] = [".ignore", ".gitignore"];

/// Checks the ignore files of a folder and of those above it, where a walk begins.
///
/// # Errors
/// The first one that is not to be read, with the reason.
pub(super) fn check_from(folder: &Path) -> Result<(), String> {
    // A walk resolves links before it goes up.
    let resolved = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    resolved.ancestors().try_for_each(check)
}

/// Checks the ignore files of a folder.
///
/// # Errors
/// The first one that is not to be read, with the reason.
pub(super) fn check(folder: &Path) -> Result<(), String> {
    NAMES.iter().map(|name| folder.join(name)).try_for_each(|path| check_file(&path))?;
    let git = folder.join(".git");
    let Ok(metadata) = std::fs::metadata(&git) else { return Ok(()) };
    if !metadata.is_file() {
        return check_file(&git.join("info/exclude"));
    }
    // The file of a worktree names its folder, which may name that of the repository.
    check_file(&git)?;
    let Some(worktree) = first_line(&git).and_then(|line| Some(PathBuf::from(line.strip_prefix("gitdir: ")?))) else {
        return Ok(());
    };
    let common = worktree.join("commondir");
    check_file(&common)?;
    match first_line(&common) {
        Some(repository) => check_file(&worktree.join(repository).join("info/exclude")),
        None => Ok(()),
    }
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
    if NAMES.iter().any(|name| path.ends_with(name)) || path.ends_with(".git/info/exclude") {
        return true;
    }
    let mut seen = HashSet::default();
    let mut folders = files.flat_map(|file| file.ancestors().skip(1)).filter(|folder| seen.insert(*folder));
    folders.any(|folder| {
        NAMES.into_iter().chain([".git/info/exclude"]).any(|name| {
            let path = folder.join(name);
            path.exists() && file.is_of(&path)
        })
    })
}

fn check_file(path: &Path) -> Result<(), String> {
    check_readable(path, MAX_BYTES).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn first_line(path: &Path) -> Option<String> {
    read_regular(path).ok()?.lines().next().map(str::to_owned)
}
