//! The folders of a walk.

use std::path::{Path, PathBuf};

use super::walk::Walk;

/// The folders that a walk through a folder visits, itself first.
pub fn walked_folders(folder: &Path) -> Vec<PathBuf> {
    let Ok(walk) = Walk::new(folder, None) else { return vec![folder.to_path_buf()] };
    // The folder itself may be named by a link.
    let folders = walk.filter_map(Result::ok).filter(|entry| entry.depth() == 0 || entry.file_type().is_dir());
    folders.map(walkdir::DirEntry::into_path).collect()
}
