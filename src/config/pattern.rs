//! Glob patterns of files, such as `archive/**`, and sets of them that are matched quickly.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use globset::{Glob, GlobBuilder, GlobMatcher};
use regex_automata::nfa::thompson::pikevm::{Cache, PikeVM};
use regex_automata::nfa::thompson::{NFA, WhichCaptures};
use regex_automata::util::syntax;

use crate::collections::{HashMap, HashSet, PrefixMap};
use crate::paths::clean;
use crate::read::is_present;

/// The characters that make a path a pattern.
pub(super) const WILDCARDS: [char; 5] = ['*', '?', '[', '{', '\\'];

/// Compiles a pattern: `*` stays within a folder, `**` crosses folders.
///
/// # Errors
/// Why the pattern is invalid.
pub(super) fn glob(pattern: &str) -> Result<GlobMatcher, String> {
    compile(pattern).map(|glob| glob.compile_matcher())
}

pub(super) fn compile(pattern: &str) -> Result<Glob, String> {
    let glob = GlobBuilder::new(&without_dots(pattern)).literal_separator(true).build();
    glob.map_err(|error| format!("invalid pattern `{pattern}`: {}", error.kind()))
}

/// Removes `.` from the folders of a pattern, which the paths that it is compared with do not have.
fn without_dots(pattern: &str) -> Cow<'_, str> {
    if !pattern.starts_with("./") && !pattern.contains("/./") {
        return Cow::Borrowed(pattern);
    }
    Cow::Owned(pattern.split('/').filter(|part| *part != ".").collect::<Vec<_>>().join("/"))
}

/// A pattern that is compiled when a path is first compared with it. There may be very many, and a [`GlobMatcher`]
/// takes about 15 KiB. This one runs the same regular expression on a `PikeVM` instead, with memory that all patterns
/// share.
#[derive(Debug, Clone)]
struct LazyGlob {
    pattern: Box<str>,
    /// `None` if it is invalid.
    matcher: OnceLock<Option<Box<PikeVM>>>,
}

impl LazyGlob {
    fn new(pattern: &str) -> Self {
        Self { pattern: pattern.into(), matcher: OnceLock::new() }
    }

    fn is_match(&self, path: &[u8], cache: &mut Option<Cache>) -> bool {
        if !self.pattern.contains(WILDCARDS) {
            return self.pattern.as_bytes() == path;
        }
        let matcher = self.matcher.get_or_init(|| matcher(&self.pattern).map(Box::new));
        let Some(matcher) = matcher else { return false };
        let cache = cache.get_or_insert_with(|| matcher.create_cache());
        cache.reset(matcher);
        matcher.is_match(cache, path)
    }
}

fn matcher(pattern: &str) -> Option<PikeVM> {
    // The options of a `GlobMatcher`.
    let syntax = syntax::Config::new().utf8(false).dot_matches_new_line(true);
    let automaton = NFA::config().utf8(false).nfa_size_limit(Some(10 << 20)).which_captures(WhichCaptures::None);
    PikeVM::builder().syntax(syntax).thompson(automaton).build(compile(pattern).ok()?.regex()).ok()
}

/// Patterns with a value each, indexed by a part without wildcards, so that a path is compared with few of them.
#[derive(Debug, Clone)]
pub struct PatternSet<T> {
    /// By the text before the first wildcard, possibly empty.
    starts: PrefixMap<Vec<(LazyGlob, T)>>,
    /// Patterns that begin with a wildcard, by the name of a file or folder in them.
    parts: HashMap<String, Vec<(LazyGlob, T)>>,
    /// The other patterns, by the beginning of their last name.
    names: PrefixMap<Vec<(LazyGlob, T)>>,
}

impl<T: Copy> PatternSet<T> {
    /// Invalid patterns match nothing: the configuration reports them.
    pub fn new<'p>(patterns: impl IntoIterator<Item = (&'p str, T)>) -> Self {
        let mut set = Self { starts: PrefixMap::default(), parts: HashMap::default(), names: PrefixMap::default() };
        for (pattern, value) in patterns {
            let pattern = &*without_dots(pattern);
            // Alternatives can hold a `/`.
            let is_simple = !pattern.contains(['[', '{', '\\']);
            let part = pattern.split('/').find(|part| is_simple && !part.is_empty() && !part.contains(['*', '?']));
            let (start, name) = (plain_start(pattern), plain_start(pattern.rsplit('/').next().unwrap_or_default()));
            let found = match part {
                _ if !start.is_empty() => set.starts.of(start),
                Some(part) => set.parts.entry(part.to_owned()).or_default(),
                None if is_simple && !name.is_empty() => set.names.of(name),
                None => set.starts.of(""),
            };
            found.push((LazyGlob::new(pattern), value));
        }
        set
    }

    /// The values of the patterns that match a path, in any order.
    pub fn matching(&self, path: &Path) -> impl Iterator<Item = T> {
        let text = path.to_string_lossy().replace('\\', "/");
        let by_start = self.starts.prefixes(&text).map(|(_, patterns)| patterns);
        let parts: HashSet<&str> = text.split('/').collect();
        let by_part = parts.into_iter().filter_map(|part| self.parts.get(part));
        let name = text.rsplit('/').next().unwrap_or_default();
        let by_name = self.names.prefixes(name).map(|(_, patterns)| patterns);
        let patterns = by_start.chain(by_part).chain(by_name).flatten();
        let bytes = if cfg!(windows) { text.as_bytes() } else { path.as_os_str().as_encoded_bytes() };
        let mut cache = None;
        let found = patterns.filter(|(pattern, _)| pattern.is_match(bytes, &mut cache)).map(|(_, value)| *value);
        let found: Vec<T> = found.collect();
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

/// The files below a folder that match a pattern, sorted. A plain path is returned even when no
/// such file exists, and a link, pipe or device that matches too, so that reading it reports why.
pub(super) fn matching_files(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    if !pattern.contains(['*', '?', '[', '{']) {
        return Ok(vec![folder.join(pattern)]);
    }
    // A pattern may lead out of the folder, to one without wildcards.
    let (folder, pattern) = match pattern.split_at(plain_start(pattern).rfind('/').map_or(0, |slash| slash + 1)) {
        ("", pattern) => (folder.to_path_buf(), pattern),
        (plain, pattern) => (clean(&folder.join(plain)), pattern),
    };
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
pub fn matched_by_files(folder: &Path, patterns: &[&str]) -> HashSet<usize> {
    let is_plain = |pattern: &str| !pattern.contains(WILDCARDS);
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
    fn patterns_of_every_shape_are_found() {
        let patterns = [
            "a/b.json",
            "a/*.json",
            "**/b.json",
            "**/a/**",
            "**/b.*",
            "*.json",
            "{a,x/y}/b.*",
            "**/[b].json",
            "a/?.json",
            "**/ä*",
            "**/[!a]/*.json",
            "a/b.json",
            "./a/./*.json",
        ];
        let set = PatternSet::new(patterns.into_iter().zip(0..));
        let found = |path: &str| {
            let mut found: Vec<i32> = set.matching(Path::new(path)).collect();
            found.sort_unstable();
            found
        };
        let compared = |path: &str| {
            let matches = |(index, pattern): (i32, &str)| glob(pattern).unwrap().is_match(path).then_some(index);
            (0..).zip(patterns).filter_map(matches).collect::<Vec<i32>>()
        };
        for path in
            ["a/é.json", "ä/b.json", "x/äb", "a/b.json", "b.json", "x/a/c.json", "x/y/b.txt", "c/d", "a", "a/a/b.json"]
        {
            assert_eq!(found(path), compared(path), "{path}");
        }
        assert_eq!(found("a/b.json"), [0, 1, 2, 3, 4, 6, 7, 8, 11, 12]);
    }
}
