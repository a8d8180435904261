//! Glob patterns of files, such as `archive/**`, and sets of them that are matched quickly.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::hash::Hash;
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
    /// The other patterns, by the text in them without wildcards that the fewest patterns have.
    pieces: PrefixMap<Vec<(LazyGlob, T)>>,
    /// The bytes that pieces begin with.
    first: [bool; 256],
}

impl<T: Copy> PatternSet<T> {
    /// Invalid patterns match nothing: the configuration reports them.
    pub fn new<'p>(patterns: impl IntoIterator<Item = (&'p str, T)>) -> Self {
        let patterns: Vec<(Cow<'_, str>, T)> =
            patterns.into_iter().map(|(pattern, value)| (normalized(pattern), value)).collect();
        // How many patterns have each piece.
        let mut counts: HashMap<&str, usize> = HashMap::default();
        for (pattern, _) in &patterns {
            // One with alternatives has its start in addition.
            let start = Some(plain_start(pattern).trim_matches('/')).filter(|_| pattern.contains(['[', '{', '\\']));
            for piece in pieces(pattern).chain(part(pattern)).chain(start) {
                *counts.entry(piece).or_default() += 1;
            }
        }
        let count = |piece: &str| counts.get(piece).copied().unwrap_or_default();
        let mut set = Self {
            starts: PrefixMap::default(),
            parts: HashMap::default(),
            pieces: PrefixMap::default(),
            first: [false; 256],
        };
        for (pattern, value) in &patterns {
            let start = plain_start(pattern);
            let rarest = pieces(pattern).min_by_key(|piece| (count(piece), Reverse(piece.len()))).unwrap_or_default();
            let found = match part(pattern) {
                _ if !start.is_empty() && count(start.trim_matches('/')) <= count(rarest) => set.starts.of(start),
                Some(part) if count(part) <= count(rarest) + 1 => set.parts.entry(part.to_owned()).or_default(),
                _ if !rarest.is_empty() => {
                    let first = rarest.bytes().next().and_then(|byte| set.first.get_mut(usize::from(byte)));
                    if let Some(first) = first {
                        *first = true;
                    }
                    set.pieces.of(rarest)
                }
                _ => set.starts.of(start),
            };
            found.push((LazyGlob::new(pattern), *value));
        }
        set
    }

    /// The values of the patterns that match a path, in any order.
    pub fn matching(&self, path: &Path) -> impl Iterator<Item = T> {
        let text = path.to_string_lossy().replace('\\', "/");
        let by_start = self.starts.prefixes(&text).map(|(_, patterns)| patterns);
        let parts: HashSet<&str> = text.split('/').collect();
        let by_part = parts.into_iter().filter_map(|part| self.parts.get(part));
        // Each piece once, however often it occurs.
        let mut seen: HashSet<&str> = HashSet::default();
        let begins = |byte: u8| self.first.get(usize::from(byte)).is_some_and(|begins| *begins);
        let starts = text.bytes().enumerate().filter(|(_, byte)| begins(*byte));
        let ends = starts.filter_map(|(at, _)| text.get(at..));
        let by_piece = ends.flat_map(|end| self.pieces.prefixes(end));
        let by_piece = by_piece.filter(move |(piece, _)| seen.insert(piece)).map(|(_, patterns)| patterns);
        let patterns = by_start.chain(by_part).chain(by_piece).flatten();
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

/// The texts that every path that matches a pattern contains; only that after the last wildcard, if the pattern has
/// alternatives. A `/` beside `**` may match nothing.
fn pieces(pattern: &str) -> impl Iterator<Item = &str> {
    let is_simple = !pattern.contains(['[', '{', '\\']);
    let pieces = pattern.rsplit(['*', '?', '[', ']', '{', '}']).take(if is_simple { usize::MAX } else { 1 });
    pieces.filter(|_| !pattern.contains('\\')).map(|piece| piece.trim_matches('/')).filter(|piece| !piece.is_empty())
}

/// The name of a file or folder in a pattern, which every path that matches it has. Alternatives can hold a `/`.
fn part(pattern: &str) -> Option<&str> {
    let is_simple = !pattern.contains(['[', '{', '\\']);
    pattern.split('/').find(|part| is_simple && !part.is_empty() && !part.contains(['*', '?']))
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
    fn paths_are_compared_with_few_patterns() {
        let number = 1000;
        for pattern in
            ["*f@.json", "*f@*.json", "a*f@.json", "**/*f@.json", "*[ab]f@.json", "f[ab]@.json", "f@*", "d@/**"]
        {
            let patterns: Vec<String> = (0..number).map(|at| pattern.replace('@', &format!("{at}."))).collect();
            let set = PatternSet::new(patterns.iter().map(String::as_str).zip(0..number));
            let path = pattern.replace('@', "17.").replace("[ab]", "a").replace('*', "x");
            assert_eq!(set.matching(Path::new(&path)).collect::<Vec<i32>>(), [17], "{pattern}");
            let sets = set.starts.values().chain(set.parts.values()).chain(set.pieces.values());
            let compiled = sets.flatten().filter(|(pattern, _)| pattern.matcher.get().is_some()).count();
            assert!(compiled < 10, "{pattern}: {compiled}");
        }
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
            "*b*n",
            "*[.]json",
            "?/*.{txt,json}",
            "x/**/b.txt",
            "a*b.json",
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
        assert_eq!(found("a/b.json"), [0, 1, 2, 3, 4, 6, 7, 8, 13, 16, 17]);
    }
}
