//! Patterns of files, such as `archive/**`.

use std::path::{Path, PathBuf};

use globset::{Glob, GlobBuilder, GlobMatcher};

use crate::read::is_present;

/// Compiles a pattern: `*` stays within a folder, `**` crosses folders.
///
/// # Errors
/// Why the pattern is invalid.
pub fn glob(pattern: &str) -> Result<GlobMatcher, String> {
    compile(pattern).map(|glob| glob.compile_matcher())
}

pub(super) fn compile(pattern: &str) -> Result<Glob, String> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map_err(|error| format!("invalid pattern `{pattern}`: {}", error.kind()))
}

/// Everything below a folder that is not a folder itself, links included, relative to it. Hidden entries
/// are left out.
pub(super) fn walk(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let walk = ignore::WalkBuilder::new(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
        .standard_filters(false)
        .hidden(true)
        .build();
    walk.filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| !kind.is_dir()))
        .map(ignore::DirEntry::into_path)
        .map(move |path| {
            let inside = path.strip_prefix(folder).unwrap_or(&path);
            inside.strip_prefix(".").unwrap_or(inside).to_path_buf()
        })
}

/// The files below a folder that match a pattern, sorted. A plain path is returned even when no
/// such file exists, and a link, pipe or device that matches too, so that reading it reports why.
pub(super) fn matching_files(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    if !pattern.contains(['*', '?', '[', '{']) {
        return Ok(vec![folder.join(pattern)]);
    }
    let matcher = glob(pattern)?;
    let mut paths: Vec<PathBuf> = walk(folder)
        .filter(|inside| matcher.is_match(inside))
        .map(|inside| folder.join(inside))
        .filter(|path| !path.is_dir())
        .collect();
    paths.sort();
    Ok(paths)
}

/// Whether any file below a folder matches a pattern, linted or not.
pub fn matches_any_file(folder: &Path, pattern: &str) -> bool {
    if !pattern.contains(['*', '?', '[', '{', '\\']) {
        return is_present(&folder.join(pattern));
    }
    glob(pattern).is_ok_and(|matcher| walk(folder).any(|inside| matcher.is_match(inside)))
}
