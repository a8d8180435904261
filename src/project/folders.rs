//! The folders of a walk.

use std::path::{Path, PathBuf};

use super::walk::walk;

/// The folders that a walk through a folder visits, itself first.
pub fn walked_folders(folder: &Path) -> Vec<PathBuf> {
    let walked = walk(folder, None, &|_, file_type| file_type.is_dir()).unwrap_or_default();
    let below = walked.entries.into_iter().map(|entry| entry.path);
    std::iter::once(folder.to_path_buf()).chain(below).collect()
}
