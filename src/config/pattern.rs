//! Glob patterns of files, such as `archive/**`, relative to the folder of the file that has them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::Hash;
use std::path::{Path, PathBuf};

use globset::{Glob, GlobBuilder, GlobMatcher, GlobSet};

use crate::common::collections::HashSet;
use crate::files::paths::clean;
use crate::files::read::is_present;

/// The characters that make a path a pattern.
pub(super) const WILDCARDS: [char; 5] = ['*', '?', '[', '{', '\\'];

/// Longer patterns do not occur but in hostile files.
const MAX_PATTERN_BYTES: usize = 1000;

/// The patterns with wildcards of a configuration, with which a [`GlobSet`] stays below the limit of its size.
pub(super) const MAX_PATTERNS_BYTES: usize = 32 << 10;

/// Compiles a pattern: `*` stays within a folder, `**` crosses folders.
pub(super) fn glob(pattern: &str) -> Result<GlobMatcher, String> {
    compile(pattern).map(|glob| glob.compile_matcher())
}

pub(super) fn compile(pattern: &str) -> Result<Glob, String> {
    if pattern.len() > MAX_PATTERN_BYTES {
        return Err(format!("pattern of more than {MAX_PATTERN_BYTES} bytes"));
    }
    let glob = GlobBuilder::new(&normalized(pattern)).literal_separator(true).build();
    glob.map_err(|error| format!("invalid pattern `{pattern}`: {}", error.kind()))
}

/// Removes `.` from the folders of a pattern, and a `/` at its end: the paths that it is compared with have neither.
fn normalized(pattern: &str) -> Cow<'_, str> {
    let pattern = pattern.strip_suffix('/').unwrap_or(pattern);
    if !pattern.starts_with("./") && !pattern.contains("/./") {
        return Cow::Borrowed(pattern);
    }
    Cow::Owned(pattern.split('/').filter(|part| *part != ".").collect::<Vec<_>>().join("/"))
}

/// Patterns with a value each.
#[derive(Debug, Clone)]
pub struct PatternSet<T> {
    globs: GlobSet,
    /// By the number of the pattern.
    values: Vec<T>,
}

impl<T: Copy> PatternSet<T> {
    /// Invalid patterns match nothing: the configuration reports them.
    pub fn new<'p>(patterns: impl IntoIterator<Item = (&'p str, T)>) -> Self {
        let compiled = patterns.into_iter().filter_map(|(pattern, value)| Some((compile(pattern).ok()?, value)));
        let (globs, values): (Vec<Glob>, Vec<T>) = compiled.unzip();
        Self { globs: GlobSet::new(globs).unwrap_or_default(), values }
    }

    /// The values of the patterns that match a path, in their order.
    pub fn matching(&self, path: &Path) -> impl Iterator<Item = T> {
        self.globs.matches(path).into_iter().filter_map(|number| self.values.get(number).copied())
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

    /// As [`Self::new`], and patterns that [can name a folder](files_and_folders) match everything in it, too.
    pub fn with_folders<'p>(patterns: impl IntoIterator<Item = (&'p Path, &'p str, T)>) -> Self {
        let patterns: Vec<(&Path, Cow<'_, str>, T)> = patterns
            .into_iter()
            .flat_map(|(folder, pattern, value)| files_and_folders(pattern).map(move |it| (folder, it, value)))
            .collect();
        Self::new(patterns.iter().map(|(folder, pattern, value)| (*folder, pattern.as_ref(), *value)))
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

/// A pattern, and one of everything below it if it can name a folder: `sub` is `sub/**` as well, but `sub/*` stays the
/// files of one folder, because `*` does not cross folders.
pub fn files_and_folders(pattern: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let plain = pattern.strip_suffix('/').unwrap_or(pattern);
    let last = plain.rsplit('/').next().unwrap_or_default();
    let below = match pattern {
        "" | "." | "./" => Some("**".to_owned()),
        _ => (!last.is_empty() && !last.contains(WILDCARDS)).then(|| format!("{plain}/**")),
    };
    [Some(Cow::Borrowed(pattern)), below.map(Cow::Owned)].into_iter().flatten()
}

/// The text before the first wildcard.
fn plain_start(pattern: &str) -> &str {
    pattern.split(WILDCARDS).next().unwrap_or_default()
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

/// The innermost folder that a pattern leads to, maybe out of its own folder, and what the pattern is there.
pub(super) fn rooted<'p>(folder: &Path, pattern: &'p str) -> (PathBuf, &'p str) {
    match pattern.split_at(plain_start(pattern).rfind('/').map_or(0, |slash| slash + 1)) {
        ("", pattern) => (folder.to_path_buf(), pattern),
        (plain, pattern) => (clean(&folder.join(plain)), pattern),
    }
}

/// The files below a folder that match a pattern, sorted. A plain path is returned even when no
/// such file exists, and a link, pipe or device that matches too, so that reading it reports why.
pub(super) fn matching_files(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    if !pattern.contains(['*', '?', '[', '{']) {
        return Ok(vec![folder.join(pattern)]);
    }
    let (folder, pattern) = rooted(folder, pattern);
    let matcher = glob(pattern)?;
    let mut paths: Vec<PathBuf> = walk(&folder)
        .filter(|inside| matcher.is_match(inside))
        .map(|inside| folder.join(inside))
        .filter(|path| !path.is_dir())
        .collect();
    paths.sort();
    Ok(paths)
}

/// Which of some patterns match a file below a folder, linted or not: their values. The folder is walked once.
pub fn matched_by_files<'p, T: Copy + Eq + Hash>(
    folder: &Path,
    patterns: impl IntoIterator<Item = (&'p str, T)>,
) -> HashSet<T> {
    let (plain, wild): (Vec<_>, Vec<_>) = patterns.into_iter().partition(|(pattern, _)| !pattern.contains(WILDCARDS));
    let is_file = |path: &Path| is_present(path) && !path.is_dir();
    let plain = plain.into_iter().filter(|(pattern, _)| is_file(&folder.join(pattern)));
    let mut matched: HashSet<T> = plain.map(|(_, value)| value).collect();
    if !wild.is_empty() {
        let set = PatternSet::new(wild);
        for inside in walk(folder) {
            matched.extend(set.matching(&inside));
        }
    }
    matched
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pattern_may_lead_out_of_its_folder() {
        let root = tempfile::tempdir().unwrap();
        let (shared, own) = (root.path().join("shared"), root.path().join("own"));
        for folder in [&shared, &own] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("a.toml"), "").unwrap();
        }
        assert_eq!(matching_files(&own, "../shared/*.toml").unwrap(), [shared.join("a.toml")]);
        assert_eq!(matching_files(&own, "../*/a.toml").unwrap(), [own.join("a.toml"), shared.join("a.toml")]);
        assert_eq!(matching_files(&own, "./?.toml").unwrap(), [own.join("a.toml")]);
    }

    #[test]
    fn sets_match_as_each_pattern_does() {
        let patterns = [
            "a/b.json", "a/*.json", "**/b.json", "**/a/**", "*.json", "{a,x/y}/b.*", "**/[b].json", "a/?.json",
            "**/[!a]/*.json", "x/**/b.txt", "./a/./*.json", "a/**",
        ];
        let set = PatternSet::new(patterns.into_iter().zip(0..));
        for (path, wanted) in [
            ("a/b.json", &[0, 1, 2, 3, 5, 6, 7, 10, 11][..]),
            ("b.json", &[2, 4, 6]),
            ("x/a/c.json", &[3]),
            ("x/y/b.txt", &[5, 9]),
            ("A/b.json", &[2, 6, 8]),
            ("a", &[]),
        ] {
            let matches = |(index, pattern): (i32, &str)| glob(pattern).unwrap().is_match(path).then_some(index);
            assert_eq!((0..).zip(patterns).filter_map(matches).collect::<Vec<i32>>(), wanted, "{path}");
            assert_eq!(set.matching(Path::new(path)).collect::<Vec<i32>>(), wanted, "{path}");
        }
    }

    #[test]
    fn patterns_within_the_limit_are_compiled_together() {
        for part in ["*", "?", "**/", "[a-z]", "{a,b}", "ä"] {
            let pattern = part.repeat(MAX_PATTERN_BYTES / part.len());
            let patterns = vec![(pattern.as_str(), ()); 2 * MAX_PATTERNS_BYTES / MAX_PATTERN_BYTES];
            assert_eq!(PatternSet::new(patterns.clone()).globs.len(), patterns.len(), "{part}");
        }
        assert!(glob(&"a".repeat(MAX_PATTERN_BYTES + 1)).is_err());
    }
}
