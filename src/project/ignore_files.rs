//! Ignore files, and their rules. Each file is checked before it is read, since the library would wait at a pipe, and
//! read a device or a huge file whole.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use gix_glob::pattern::Mode as Kind;
use gix_glob::wildmatch::Mode;
use gix_glob::{Pattern, wildmatch};

use crate::common::collections::{HashMap, HashSet};
use crate::common::limits::MAX_SMALL_FILE_BYTES;
use crate::files::read::{FileKey, check_readable, is_regular, read_regular, read_up_to};
use crate::git::ignore_settings;

/// The ignore files of a folder.
const FILES: [&str; 3] = [".ignore", ".gitignore", ".git/info/exclude"];

/// What makes entries ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IgnoreFile {
    Ignore,
    GitIgnore,
    /// The folder of a repository, or the file that names it, which has `info/exclude`.
    Git,
}

impl IgnoreFile {
    const ALL: [Self; 3] = [Self::Ignore, Self::GitIgnore, Self::Git];

    const fn name(self) -> &'static str {
        match self {
            Self::Ignore => ".ignore",
            Self::GitIgnore => ".gitignore",
            Self::Git => ".git",
        }
    }

    /// The one with this name.
    pub fn named(name: &OsStr) -> Option<Self> {
        Self::ALL.into_iter().find(|file| name == file.name())
    }
}

/// The patterns of an ignore file, for everything below a folder.
#[derive(Debug, Clone, Default)]
struct Patterns {
    folder: PathBuf,
    patterns: Vec<Pattern>,
}

impl Patterns {
    fn parse(folder: &Path, text: &[u8]) -> Self {
        let patterns = gix_ignore::parse(text, false).map(|(pattern, ..)| pattern).collect();
        Self { folder: folder.to_path_buf(), patterns }
    }

    /// Whether the last pattern that matches an entry ignores it; `None` if none matches.
    fn ignores(&self, path: &Path, is_folder: bool, folds_case: bool) -> Option<bool> {
        if self.patterns.is_empty() {
            return None;
        }
        let inside = path.strip_prefix(&self.folder).ok()?.as_os_str().as_encoded_bytes();
        let inside: Vec<u8> =
            inside.iter().map(|&byte| if cfg!(windows) && byte == b'\\' { b'/' } else { byte }).collect();
        let name = inside.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        let is_matched = |pattern: &&Pattern| {
            let is_name = pattern.mode.contains(Kind::NO_SUB_DIR) && !pattern.mode.contains(Kind::ABSOLUTE);
            (is_folder || !pattern.mode.contains(Kind::MUST_BE_DIR))
                && matches(pattern, if is_name { name } else { &inside }, folds_case)
        };
        self.patterns.iter().rev().find(is_matched).map(|pattern| !pattern.is_negative())
    }
}

/// As git does, the text before the first wildcard is compared apart, with the effect that `a**/b` matches `a/c/b`.
fn matches(pattern: &Pattern, text: &[u8], folds_case: bool) -> bool {
    let literal = pattern.first_wildcard_pos.unwrap_or(pattern.text.len());
    let (plain, wild) = pattern.text.split_at(literal);
    let Some((start, rest)) = text.split_at_checked(literal) else { return false };
    let is_equal = if folds_case { plain.eq_ignore_ascii_case(start) } else { plain == start };
    let case = if folds_case { Mode::IGNORE_CASE } else { Mode::empty() };
    is_equal
        && if wild.is_empty() {
            rest.is_empty()
        } else {
            wildmatch(wild.into(), rest.into(), Mode::NO_MATCH_SLASH_LITERAL | case)
        }
}

/// The rules of a folder.
#[derive(Debug, Clone, Default)]
pub(super) struct Rules {
    /// Of `.ignore`, `.gitignore`, `.git/info/exclude` and `core.excludesFile`, the strongest first.
    files: [Patterns; 4],
    /// Whether it is that of a repository, so that rules for git above it do not count.
    is_repository: bool,
    /// Whether patterns for git match in any case: `core.ignoreCase` of the repository.
    folds_case: bool,
}

impl Rules {
    /// The rules of all ignore files of a folder.
    pub fn of(folder: &Path) -> Result<Self, String> {
        let mut rules = Self::default();
        for file in IgnoreFile::ALL.into_iter().filter(|file| folder.join(file.name()).exists()) {
            rules.add(file, folder)?;
        }
        Ok(rules)
    }

    /// Adds those of one that is in the folder.
    pub fn add(&mut self, file: IgnoreFile, folder: &Path) -> Result<(), String> {
        let [ignore, git_ignore, exclude, further] = &mut self.files;
        match file {
            IgnoreFile::Ignore => *ignore = read(folder, &folder.join(file.name()))?,
            IgnoreFile::GitIgnore => *git_ignore = read(folder, &folder.join(file.name()))?,
            IgnoreFile::Git => {
                self.is_repository = true;
                let exclude_path = exclude_file(&folder.join(file.name()))?;
                let settings = Settings::of(folder, exclude_path.as_deref());
                self.folds_case = settings.folds_case;
                if let Some(path) = settings.excludes {
                    *further = read(folder, &path)?;
                }
                if let Some(path) = exclude_path {
                    *exclude = read(folder, &path)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether the strongest rule that matches ignores an entry, by the rules of the folders around it, the innermost first,
/// each with the path of the entry; `None` if no rule matches.
pub(super) fn ignores<'r>(rules: impl Iterator<Item = (&'r Rules, &'r Path)> + Clone, is_folder: bool) -> Option<bool> {
    let mut decided: [Option<bool>; 4] = [None; 4];
    let folds_case = rules.clone().find(|(rules, _)| rules.is_repository).is_some_and(|(rules, _)| rules.folds_case);
    let mut is_inside = true;
    for (rules, path) in rules {
        for (index, (rule, decided)) in rules.files.iter().zip(&mut decided).enumerate() {
            // `.ignore` is not of git, so repositories do not bound it.
            if decided.is_none() && (index == 0 || is_inside) {
                *decided = rule.ignores(path, is_folder, folds_case);
            }
        }
        is_inside &= !rules.is_repository;
    }
    decided.into_iter().flatten().next()
}

/// The rules of an ignore file, which need not exist.
fn read(folder: &Path, path: &Path) -> Result<Patterns, String> {
    check_file(path)?;
    let text = read_up_to(path, MAX_SMALL_FILE_BYTES as u64).unwrap_or_default();
    Ok(Patterns::parse(folder, &text))
}

/// What git is configured to ignore besides.
struct Settings {
    excludes: Option<PathBuf>,
    folds_case: bool,
}

impl Settings {
    /// Those of a repository, whose `info/exclude` this is. git is asked only if a configuration may have such a setting,
    /// since that costs more than a small walk.
    fn of(folder: &Path, exclude: Option<&Path>) -> Self {
        let local = exclude.and_then(|exclude| exclude.parent()?.parent()).map(|git| git.join("config"));
        let mut configs = user_configs().into_iter().chain(local);
        if configs.any(|path| may_have_settings(&path)) {
            let (excludes, folds_case) = ignore_settings(folder);
            return Self { excludes: excludes.or_else(default_excludes), folds_case };
        }
        Self { excludes: default_excludes(), folds_case: false }
    }
}

/// The rules for all repositories, in a folder outside of them.
pub(super) fn global(folder: &Path) -> Result<Rules, String> {
    let Settings { excludes, .. } = Settings::of(folder, None);
    let mut rules = Rules { is_repository: true, ..Rules::default() };
    if let (Some(path), [.., further]) = (excludes, &mut rules.files) {
        *further = read(folder, &path)?;
    }
    Ok(rules)
}

/// The `info/exclude` of a repository.
fn exclude_file(git: &Path) -> Result<Option<PathBuf>, String> {
    if !is_regular(git) {
        return Ok(Some(git.join("info/exclude")));
    }
    // The file of a worktree or submodule names its folder, which may name that of the repository.
    check_file(git)?;
    let own = first_line(git).and_then(|line| Some(git.parent()?.join(line.strip_prefix("gitdir: ")?)));
    let Some(own) = own else { return Ok(None) };
    let common = own.join("commondir");
    check_file(&common)?;
    let repository = first_line(&common).map_or_else(|| own.clone(), |repository| own.join(repository));
    Ok(Some(repository.join("info/exclude")))
}

/// The `info/exclude` of the repository whose folder this is, which need not exist.
pub fn exclude_file_of(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(IgnoreFile::Git.name());
    if git.exists() { exclude_file(&git).ok().flatten() } else { None }
}

fn path_in(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The folder of a user's configurations.
fn user_folder() -> Option<PathBuf> {
    path_in("XDG_CONFIG_HOME").or_else(|| Some(std::env::home_dir()?.join(".config")))
}

/// The ignore file for all repositories, if it is at the default path.
fn default_excludes() -> Option<PathBuf> {
    user_folder().map(|user| user.join("git/ignore")).filter(|path| path.exists())
}

/// The configurations of the user and the machine.
fn user_configs() -> Vec<PathBuf> {
    let configs = [
        path_in("GIT_CONFIG_GLOBAL"),
        std::env::home_dir().map(|home| home.join(".gitconfig")),
        user_folder().map(|user| user.join("git/config")),
        Some(path_in("GIT_CONFIG_SYSTEM").unwrap_or_else(|| "/etc/gitconfig".into())),
    ];
    configs.into_iter().flatten().collect()
}

/// Whether a configuration of git contains one of the keys, in a comment perhaps, or includes others. One that cannot be
/// read may.
fn may_have_settings(config: &Path) -> bool {
    match read_regular(config) {
        Ok(text) => {
            let text = text.to_ascii_lowercase();
            ["excludesfile", "ignorecase", "[include"].iter().any(|word| text.contains(word))
        }
        Err(_) => config.exists(),
    }
}

/// Whether a file is an ignore file: by its name, or by a link to that of a folder at or above these files.
pub(super) fn is_one<'p>(file: &FileKey, files: impl Iterator<Item = &'p Path>) -> bool {
    let path = file.path();
    if FILES.iter().any(|name| path.ends_with(name)) {
        return true;
    }
    let mut seen = HashSet::default();
    let mut folders = files.flat_map(|file| file.ancestors().skip(1)).filter(|folder| seen.insert(*folder));
    folders.any(|folder| {
        FILES.into_iter().any(|name| {
            let path = folder.join(name);
            path.exists() && file.is_of(&path)
        })
    })
}

fn check_file(path: &Path) -> Result<(), String> {
    check_readable(path, MAX_SMALL_FILE_BYTES as u64)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn first_line(path: &Path) -> Option<String> {
    read_regular(path).ok()?.lines().next().map(str::to_owned)
}

/// The ignore files of the disk, each read once: for files of a git revision, which no walk meets.
#[derive(Debug, Default)]
pub struct IgnoreRules {
    folders: HashMap<PathBuf, Rules>,
    /// By folder or file: whether it is left out.
    known: HashMap<PathBuf, bool>,
}

impl IgnoreRules {
    /// Whether a walk through a folder leaves this file out: a rule ignores it, or a folder around it.
    pub fn ignores(&mut self, file: &Path, folder: &Path) -> bool {
        let inside: Vec<&Path> =
            file.ancestors().take_while(|path| path.starts_with(folder) && *path != folder).collect();
        inside.into_iter().rev().any(|path| {
            if let Some(&known) = self.known.get(path) {
                return known;
            }
            let is_ignored = self.is_matched(path, path != file);
            self.known.insert(path.to_path_buf(), is_ignored);
            is_ignored
        })
    }

    /// Whether the strongest rule that matches a path ignores it.
    fn is_matched(&mut self, path: &Path, is_folder: bool) -> bool {
        for folder in path.ancestors().skip(1) {
            self.folders.entry(folder.to_path_buf()).or_insert_with(|| Rules::of(folder).unwrap_or_default());
        }
        let around = path.ancestors().skip(1).filter_map(|folder| Some((self.folders.get(folder)?, path)));
        ignores(around, is_folder).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use proptest::prelude::{ProptestConfig, Strategy, any};
    use proptest::prop_assert_eq;
    use proptest::test_runner::TestRunner;

    use super::*;

    #[test]
    fn rules_are_those_of_git() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("a/.git")).unwrap();
        std::fs::write(root.join(".gitignore"), "*.json\n").unwrap();
        std::fs::write(root.join("a/.gitignore"), "old/\n*.tmp.json\n!keep.tmp.json\n").unwrap();
        std::fs::write(root.join("a/.ignore"), "x.json\n").unwrap();
        let mut rules = IgnoreRules::default();
        let mut ignores = |path: &str| rules.ignores(&root.join("a").join(path), &root.join("a"));
        assert!(ignores("old/order.json") && ignores("b/c.tmp.json") && ignores("b/x.json"));
        assert!(!ignores("b/keep.tmp.json") && !ignores("order.json"), "rules above the repository do not count");
    }

    /// The files of a folder that git ignores.
    fn ignored_by_git(root: &Path, files: &[String]) -> Vec<String> {
        let mut git = Command::new("git");
        git.current_dir(root).args(["check-ignore", "-z", "--stdin", "--no-index"]);
        let mut child = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(files.join("\0").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let output = String::from_utf8(output.stdout).unwrap();
        output.split('\0').filter(|file| !file.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn random_patterns_match_as_in_git() {
        const NAMES: [&str; 6] = ["a", "b", "ab", "A", "{a,b}", "c]"];
        const PARTS: [&str; 20] = [
            "a", "b", "A", "*", "**", "?", "/", "/", "**/", "/**", "[ab]", "[!a]", "[^b]", "[a-c]", "[[:lower:]]",
            "[[:upper:]x]", "{a,b}", "\\b", "]", "[]c]",
        ];
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert!(Command::new("git").arg("init").arg("-q").current_dir(root).status().unwrap().success());
        let mut files = Vec::new();
        for (folder, inside) in NAMES.iter().flat_map(|folder| NAMES.iter().map(move |inside| (folder, inside))) {
            let folder = format!("{folder}/{inside}");
            std::fs::create_dir_all(root.join(&folder)).unwrap();
            files.extend(["a", "b", "ab"].map(|name| format!("{folder}/{name}")));
        }
        for file in &files {
            std::fs::write(root.join(file), "").unwrap();
        }
        let part = proptest::sample::select(PARTS.to_vec());
        let pattern = (any::<bool>(), proptest::collection::vec(part, 1..6), any::<bool>());
        let pattern = pattern.prop_map(|(is_negated, parts, is_folder)| {
            format!("{}{}{}", if is_negated { "!" } else { "" }, parts.concat(), if is_folder { "/" } else { "" })
        });
        let config = ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() };
        let mut runner = TestRunner::new(config);
        let tested =
            runner.run(&(proptest::collection::vec(pattern, 1..5), any::<bool>()), |(patterns, folds_case)| {
                std::fs::write(root.join(".gitignore"), patterns.join("\n")).unwrap();
                let setting = ["config", "core.ignoreCase", if folds_case { "true" } else { "false" }];
                assert!(Command::new("git").args(setting).current_dir(root).status().unwrap().success());
                let mut rules = IgnoreRules::default();
                let found: Vec<&String> = files.iter().filter(|file| rules.ignores(&root.join(file), root)).collect();
                let wanted = ignored_by_git(root, &files);
                prop_assert_eq!(found, wanted.iter().collect::<Vec<_>>());
                Ok(())
            });
        tested.unwrap();
    }

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
