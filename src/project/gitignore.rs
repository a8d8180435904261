//! The patterns of an ignore file, as git reads and matches them: gitignore(5), and `dir.c` and `wildmatch.c` of git.

use std::cell::Cell;
use std::path::{Path, PathBuf};

/// Longer patterns do not occur but in hostile files.
const MAX_PATTERN_BYTES: usize = 4096;
/// Steps of one match: patterns such as `**/**/**` take exponential time.
const MAX_STEPS: u32 = 100_000;

/// The patterns of a file, for everything below a folder.
#[derive(Debug, Clone, Default)]
pub(super) struct Patterns {
    folder: PathBuf,
    patterns: Vec<Pattern>,
}

#[derive(Debug, Clone)]
struct Pattern {
    /// Without `!`, and without `/` at its end.
    glob: Vec<u8>,
    is_negated: bool,
    only_folders: bool,
    /// Whether it is matched with the whole path, and not only with the name.
    has_slash: bool,
}

impl Patterns {
    pub fn parse(folder: &Path, text: &[u8]) -> Self {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let patterns = text.split(|&byte| byte == b'\n').filter_map(Pattern::parse);
        Self { folder: folder.to_path_buf(), patterns: patterns.collect() }
    }

    /// Whether the last pattern that matches an entry ignores it; `None` if none matches.
    pub fn ignores(&self, path: &Path, is_folder: bool, folds_case: bool) -> Option<bool> {
        if self.patterns.is_empty() {
            return None;
        }
        let inside = path.strip_prefix(&self.folder).ok()?.as_os_str().as_encoded_bytes();
        let inside: Vec<u8> =
            inside.iter().map(|&byte| if cfg!(windows) && byte == b'\\' { b'/' } else { byte }).collect();
        let name = inside.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        let matches = |pattern: &&Pattern| {
            (is_folder || !pattern.only_folders)
                && pattern.matches(if pattern.has_slash { &inside } else { name }, folds_case)
        };
        self.patterns.iter().rev().find(matches).map(|pattern| !pattern.is_negated)
    }
}

impl Pattern {
    /// Reads a line; `None` for a comment, and for a line without a pattern.
    fn parse(line: &[u8]) -> Option<Self> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() || line.starts_with(b"#") || line.len() > MAX_PATTERN_BYTES || line.contains(&0) {
            return None;
        }
        let line = without_spaces_at_end(line);
        let (is_negated, line) = line.strip_prefix(b"!").map_or((false, line), |line| (true, line));
        let (only_folders, glob) = line.strip_suffix(b"/").map_or((false, line), |glob| (true, glob));
        (!glob.is_empty()).then(|| Self {
            glob: glob.to_vec(),
            is_negated,
            only_folders,
            has_slash: glob.contains(&b'/'),
        })
    }

    fn matches(&self, text: &[u8], folds_case: bool) -> bool {
        let glob = self.glob.strip_prefix(b"/").unwrap_or(&self.glob);
        // As git does, with the effect that `a**/b` matches `a/c/b`.
        let literal = glob.iter().position(|byte| b"*?[\\".contains(byte)).unwrap_or(glob.len());
        let ((plain, wild), Some((start, rest))) = (glob.split_at(literal), text.split_at_checked(literal)) else {
            return false;
        };
        let is_equal = if folds_case { plain.eq_ignore_ascii_case(start) } else { plain == start };
        if !is_equal || wild.is_empty() {
            return is_equal && rest.is_empty();
        }
        let matcher = Matcher { pattern: wild, text: rest, folds_case, steps: Cell::new(0) };
        matcher.run(0, 0) == Outcome::Match
    }
}

/// Spaces that are not escaped.
fn without_spaces_at_end(line: &[u8]) -> &[u8] {
    let (mut end, mut at) = (0, 0);
    while let Some(&byte) = line.get(at) {
        match byte {
            b' ' => {}
            b'\\' => {
                at += 1;
                end = (at + 1).min(line.len());
            }
            _ => end = at + 1,
        }
        at += 1;
    }
    line.get(..end).unwrap_or(line)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Match,
    No,
    /// No longer text matches either.
    AbortAll,
    /// Only a `**` before may still match.
    AbortToDoubleStar,
}

struct Matcher<'m> {
    pattern: &'m [u8],
    text: &'m [u8],
    folds_case: bool,
    steps: Cell<u32>,
}

/// The byte at an offset; 0 at the end.
fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(0)
}

impl Matcher<'_> {
    fn fold(&self, byte: u8) -> u8 {
        if self.folds_case { byte.to_ascii_lowercase() } else { byte }
    }

    /// Whether the rests of pattern and text match.
    fn run(&self, mut p: usize, mut t: usize) -> Outcome {
        loop {
            self.steps.set(self.steps.get() + 1);
            let pattern = self.fold(byte(self.pattern, p));
            if pattern == 0 || self.steps.get() > MAX_STEPS {
                return if pattern == 0 && t >= self.text.len() { Outcome::Match } else { Outcome::No };
            }
            let text = self.fold(byte(self.text, t));
            if text == 0 && pattern != b'*' {
                return Outcome::AbortAll;
            }
            let is_matched = match pattern {
                b'?' => text != b'/',
                b'*' => match self.star(&mut p, &mut t) {
                    Some(outcome) => return outcome,
                    None => true,
                },
                b'[' => match self.class(&mut p, text) {
                    Some(is_matched) => is_matched,
                    None => return Outcome::AbortAll,
                },
                b'\\' => {
                    p += 1;
                    text == byte(self.pattern, p)
                }
                other => text == other,
            };
            if !is_matched {
                return Outcome::No;
            }
            (p, t) = (p + 1, t + 1);
        }
    }

    /// Matches one or more stars; `None` if both then stand at a `/`.
    fn star(&self, p: &mut usize, t: &mut usize) -> Option<Outcome> {
        let start = *p;
        while byte(self.pattern, *p) == b'*' {
            *p += 1;
        }
        let (after, mut crosses_folders) = (byte(self.pattern, *p), false);
        let is_part = start == 0 || byte(self.pattern, start - 1) == b'/';
        let ends_part = matches!(after, 0 | b'/') || after == b'\\' && byte(self.pattern, *p + 1) == b'/';
        if *p - start > 1 && is_part && ends_part {
            if after == b'/' && self.run(*p + 1, *t) == Outcome::Match {
                return Some(Outcome::Match);
            }
            crosses_folders = true;
        }
        let slash = || self.text.get(*t..)?.iter().position(|&byte| byte == b'/');
        if after == 0 {
            return Some(if crosses_folders || slash().is_none() { Outcome::Match } else { Outcome::No });
        }
        if !crosses_folders && after == b'/' {
            let Some(slash) = slash() else { return Some(Outcome::AbortAll) };
            *t += slash;
            return None;
        }
        for at in *t..self.text.len() {
            match self.run(*p, at) {
                Outcome::No if !crosses_folders && byte(self.text, at) == b'/' => {
                    return Some(Outcome::AbortToDoubleStar);
                }
                Outcome::AbortToDoubleStar if crosses_folders => {}
                Outcome::No => {}
                outcome => return Some(outcome),
            }
        }
        Some(Outcome::AbortAll)
    }

    /// Whether a class such as `[a-z]` matches a character; the pattern then stands at its `]`. `None` for an invalid one.
    fn class(&self, p: &mut usize, text: u8) -> Option<bool> {
        *p += 1;
        let is_negated = matches!(byte(self.pattern, *p), b'!' | b'^');
        *p += usize::from(is_negated);
        let (mut is_matched, mut before) = (false, 0);
        let mut current = byte(self.pattern, *p);
        loop {
            match current {
                0 => return None,
                b'\\' => {
                    *p += 1;
                    current = byte(self.pattern, *p);
                    is_matched |= current != 0 && text == current;
                    if current == 0 {
                        return None;
                    }
                }
                b'-' if before != 0 && !matches!(byte(self.pattern, *p + 1), 0 | b']') => {
                    *p += 1;
                    *p += usize::from(byte(self.pattern, *p) == b'\\');
                    let (first, last) = (before, byte(self.pattern, *p));
                    if last == 0 {
                        return None;
                    }
                    let upper = if self.folds_case { text.to_ascii_uppercase() } else { text };
                    is_matched |= [text, upper].iter().any(|text| (first..=last).contains(text));
                    current = 0;
                }
                b'[' if byte(self.pattern, *p + 1) == b':' => match self.named_class(p)? {
                    Some(name) => {
                        is_matched |= is_in_class(name, text, self.folds_case)?;
                        current = 0;
                    }
                    // Without its end, it is a bracket.
                    None => is_matched |= text == b'[',
                },
                other => is_matched |= text == other,
            }
            before = current;
            *p += 1;
            current = byte(self.pattern, *p);
            if current == b']' {
                return Some(is_matched != is_negated && text != b'/');
            }
        }
    }

    /// The name in `[:name:]`, at whose end the pattern then stands; `None` inside if it is not one. `None` for a class
    /// without an end.
    #[expect(clippy::option_option, reason = "the class may be invalid, or none")]
    fn named_class(&self, p: &mut usize) -> Option<Option<&[u8]>> {
        let start = *p + 2;
        let length = self.pattern.get(start..)?.iter().position(|&byte| byte == b']')?;
        let Some(name) = self.pattern.get(start..start + length)?.strip_suffix(b":") else { return Some(None) };
        *p = start + length;
        Some(Some(name))
    }
}

fn is_in_class(name: &[u8], text: u8, folds_case: bool) -> Option<bool> {
    Some(match name {
        b"alnum" => text.is_ascii_alphanumeric(),
        b"alpha" => text.is_ascii_alphabetic(),
        b"blank" => matches!(text, b' ' | b'\t'),
        b"cntrl" => text.is_ascii_control(),
        b"digit" => text.is_ascii_digit(),
        b"graph" => text.is_ascii_graphic(),
        b"lower" => text.is_ascii_lowercase(),
        b"print" => text.is_ascii_graphic() || text == b' ',
        b"punct" => text.is_ascii_punctuation(),
        b"space" => text.is_ascii_whitespace() || text == 0x0b,
        b"upper" => text.is_ascii_uppercase() || folds_case && text.is_ascii_lowercase(),
        b"xdigit" => text.is_ascii_hexdigit(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_ignores(patterns: &str, wanted: &[(&str, bool)]) {
        let patterns = Patterns::parse(Path::new("/r"), patterns.as_bytes());
        for (path, is_ignored) in wanted {
            let (path, is_folder) = path.strip_suffix('/').map_or((*path, false), |path| (path, true));
            let found = patterns.ignores(&Path::new("/r").join(path), is_folder, false) == Some(true);
            assert_eq!(found, *is_ignored, "{path}");
        }
    }

    #[test]
    fn braces_are_literal_and_classes_are_known() {
        assert_ignores("{a,b}.json", &[("a.json", false), ("{a,b}.json", true)]);
        assert_ignores("[[:lower:]]*.json", &[("a.json", true), ("A.json", false), ("x/b.json", true)]);
        assert_ignores("a[!b]c.json", &[("axc.json", true), ("abc.json", false), ("a/c.json", false)]);
        assert_ignores("/x[!a]y", &[("x/y", false), ("xby", true)]);
        assert_ignores("[]]a", &[("]a", true)]);
        assert_ignores("[a", &[("[a", false), ("a", false)]);
    }

    #[test]
    fn lines_are_read_as_git_reads_them() {
        assert_ignores(
            "\u{feff}a\r\n# b\n\\# c\nd  \ne\\ \n!f\n/g\nh/\n",
            &[
                ("a", true),
                ("b", false),
                ("# c", true),
                ("d", true),
                ("e ", true),
                ("x/g", false),
                ("g", true),
                ("h", false),
                ("h/", true),
            ],
        );
        assert_ignores("a/**/b", &[("a/b", true), ("a/x/y/b", true), ("a/xb", false)]);
        assert_ignores("**/c\nd/**", &[("c", true), ("x/c", true), ("d", false), ("d/x/y", true)]);
        assert_ignores(&"**/".repeat(40), &[("a/b", false)]);
    }
}
