//! The folders of a walk.

use std::path::{Path, PathBuf};

use super::ignore_files;

/// The folders that a walk through a folder visits, itself first; without those whose ignore files cannot be read.
pub fn walked_folders(folder: &Path) -> Vec<PathBuf> {
    if ignore_files::check_from(folder).is_err() {
        return vec![folder.to_path_buf()];
    }
    let walk = ignore::WalkBuilder::new(folder)
        .require_git(false)
        .git_global(ignore_files::may_be_global())
        // Called before the ignore files of a folder are read.
        .filter_entry(|entry| {
            entry.file_type().is_some_and(|kind| kind.is_dir()) && ignore_files::check(entry.path()).is_ok()
        })
        .build();
    walk.filter_map(Result::ok).map(ignore::DirEntry::into_path).collect()
}
