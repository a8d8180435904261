//! Patterns of files, such as `archive/**`.

use std::path::{Path, PathBuf};

/// Compiles a pattern: `*` stays within a folder, `**` crosses folders.
///
/// # Errors
/// Why the pattern is invalid.
pub fn glob(pattern: &str) -> Result<globset::GlobMatcher, String> {
    let glob = globset::GlobBuilder::new(pattern).literal_separator(true).build();
    let glob = glob.map_err(|error| format!("invalid pattern `{pattern}`: {}", error.kind()))?;
    Ok(glob.compile_matcher())
}

/// The files below a folder that match a pattern, sorted. A plain path is returned even when no
/// such file exists, so that reading it reports why.
pub(super) fn matching_files(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    if !pattern.contains(['*', '?', '[', '{']) {
        return Ok(vec![folder.join(pattern)]);
    }
    let matcher = glob(pattern)?;
    let walk = ignore::WalkBuilder::new(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
        .standard_filters(false)
        .hidden(true)
        .build();
    let mut paths: Vec<PathBuf> = walk
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(ignore::DirEntry::into_path)
        .filter(|path| {
            let inside = path.strip_prefix(folder).unwrap_or(path);
            matcher.is_match(inside.strip_prefix(".").unwrap_or(inside))
        })
        .collect();
    paths.sort();
    Ok(paths)
}
