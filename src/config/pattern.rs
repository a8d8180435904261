//! Patterns of files, such as `archive/**`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use globset::{Glob, GlobBuilder, GlobMatcher};

use crate::collections::{HashMap, HashSet};
use crate::read::is_present;
use crate::text::prefixes;

/// Compiles a pattern: `*` stays within a folder, `**` crosses folders.
///
/// # Errors
/// Why the pattern is invalid.
pub(super) fn glob(pattern: &str) -> Result<GlobMatcher, String> {
    compile(pattern).map(|glob| glob.compile_matcher())
}

pub(super) fn compile(pattern: &str) -> Result<Glob, String> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map_err(|error| format!("invalid pattern `{pattern}`: {}", error.kind()))
}

/// Compiled patterns, each with a value. They are found by the text before their first wildcard, so that a path is
/// compared with few of them.
#[derive(Debug, Clone)]
pub struct PatternSet<T> {
    by_prefix: HashMap<String, Vec<(GlobMatcher, T)>>,
}

impl<T: Copy> PatternSet<T> {
    /// Invalid patterns are left out: the configuration reports them.
    pub fn new<'p>(patterns: impl IntoIterator<Item = (&'p str, T)>) -> Self {
        let mut by_prefix: HashMap<String, Vec<(GlobMatcher, T)>> = HashMap::default();
        for (pattern, value) in patterns {
            if let Ok(matcher) = glob(pattern) {
                let prefix = pattern.split(['*', '?', '[', '{', '\\']).next().unwrap_or_default();
                by_prefix.entry(prefix.to_owned()).or_default().push((matcher, value));
            }
        }
        Self { by_prefix }
    }

    /// The values of the patterns that match a path, in any order.
    pub fn matching(&self, path: &Path) -> impl Iterator<Item = T> {
        let text = path.to_string_lossy().replace('\\', "/");
        let mut found = Vec::new();
        for prefix in prefixes(&text) {
            let patterns = self.by_prefix.get(prefix).into_iter().flatten();
            found.extend(patterns.filter(|(matcher, _)| matcher.is_match(path)).map(|(_, value)| *value));
        }
        found.into_iter()
    }
}

/// Patterns that are relative to several folders, each with a value.
#[derive(Debug, Clone)]
pub struct RootedPatterns<T>(Vec<(PathBuf, PatternSet<T>)>);

impl<T: Copy> RootedPatterns<T> {
    pub fn new<'p>(patterns: impl IntoIterator<Item = (&'p Path, &'p str, T)>) -> Self {
        let mut by_folder: BTreeMap<&Path, Vec<(&str, T)>> = BTreeMap::new();
        for (folder, pattern, value) in patterns {
            by_folder.entry(folder).or_default().push((pattern, value));
        }
        let sets = by_folder.into_iter().map(|(folder, patterns)| (folder.to_path_buf(), PatternSet::new(patterns)));
        Self(sets.collect())
    }

    /// The values of the patterns that match a path, in any order. A path outside of a folder is compared as it is.
    pub fn matching(&self, path: &Path) -> impl Iterator<Item = T> {
        self.0.iter().flat_map(move |(folder, set)| set.matching(path.strip_prefix(folder).unwrap_or(path)))
    }

    /// The values of the patterns that match a path below their folder, in any order.
    pub fn matching_below(&self, path: &Path) -> impl Iterator<Item = T> {
        let inside = self.0.iter().filter_map(move |(folder, set)| Some((path.strip_prefix(folder).ok()?, set)));
        inside.flat_map(|(inside, set)| set.matching(inside))
    }

    /// The values of the patterns that match a path or a folder around it, below their folder, in any order.
    pub fn matching_around(&self, path: &Path) -> impl Iterator<Item = T> {
        let inside = self.0.iter().filter_map(move |(folder, set)| Some((path.strip_prefix(folder).ok()?, set)));
        inside.flat_map(|(inside, set)| {
            let parts = inside.ancestors().filter(|part| !part.as_os_str().is_empty());
            parts.flat_map(|part| set.matching(part))
        })
    }
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

/// Which of some patterns match a file below a folder, linted or not: their values. The folder is walked once.
pub fn matched_by_files(folder: &Path, patterns: &[&str]) -> HashSet<usize> {
    let is_plain = |pattern: &str| !pattern.contains(['*', '?', '[', '{', '\\']);
    let (plain, wild): (Vec<_>, Vec<_>) = patterns.iter().enumerate().partition(|(_, pattern)| is_plain(pattern));
    let mut matched: HashSet<usize> =
        plain.into_iter().filter(|(_, pattern)| is_present(&folder.join(pattern))).map(|(index, _)| index).collect();
    if !wild.is_empty() {
        let set = PatternSet::new(wild.into_iter().map(|(index, pattern)| (*pattern, index)));
        for inside in walk(folder) {
            matched.extend(set.matching(&inside));
        }
    }
    matched
}
