//! Which rules report, where, and with which severity.

use std::path::{Path, PathBuf};

use super::Choice;
use crate::config::{Config, glob};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{REGISTRY, Rule};
use crate::suggest;

/// Which findings are reported, and with which severity.
#[derive(Debug)]
pub(super) struct Filter {
    enabled: Vec<bool>,
    severity: Vec<Option<Severity>>,
    per_file: Vec<PerFile>,
    folder: PathBuf,
}

/// An entry of `per-file-ignores`.
#[derive(Debug)]
struct PerFile {
    pattern: globset::GlobMatcher,
    /// By word: the rules that it means.
    rules: Vec<Vec<bool>>,
}

/// A word of `per-file-ignores`: the number of its pattern, and its own among the pattern's.
pub(super) type IgnoreWord = (usize, usize);

impl Filter {
    pub fn new(config: &Config, choices: &[Choice]) -> Result<Self, String> {
        let at = config.path.as_ref().map_or_else(String::new, |path| format!("{}: ", path.display()));
        let in_config = |words: &[String]| -> Result<Vec<Vec<bool>>, String> {
            words.iter().map(|word| meant(word).map_err(|error| format!("{at}{error}"))).collect()
        };
        let selects_anew = choices.iter().any(|choice| matches!(choice, Choice::Select(_)));
        let mut enabled = vec![config.select.is_none() && !selects_anew; REGISTRY.len()];
        let selected = in_config(config.select.as_deref().unwrap_or_default())?;
        for meant in selected.iter().filter(|_| !selects_anew) {
            set(&mut enabled, meant, true);
        }
        for meant in in_config(&config.ignore)? {
            set(&mut enabled, &meant, false);
        }
        for choice in choices {
            match choice {
                Choice::Select(word) => set(&mut enabled, &meant(word)?, true),
                Choice::Ignore(word) => set(&mut enabled, &meant(word)?, false),
            }
        }
        let mut severity = vec![None; REGISTRY.len()];
        for (word, level) in &config.severity {
            let meant = meant(word).map_err(|error| format!("{at}severity: {error}"))?;
            set(&mut severity, &meant, Some(*level));
        }
        let mut per_file = Vec::new();
        for ignore in &config.per_file_ignores {
            let words: Vec<String> = ignore.rules.iter().map(|(word, _)| word.clone()).collect();
            per_file.push(PerFile { pattern: glob(&ignore.pattern)?, rules: in_config(&words)? });
        }
        Ok(Self { enabled, severity, per_file, folder: config.folder.clone() })
    }

    /// Whether a finding in this file is reported; if only words of `per-file-ignores` say no, each
    /// of them is passed to `ignored`.
    pub fn admits(&self, code: &str, path: &Path, mut ignored: impl FnMut(IgnoreWord)) -> bool {
        let Some(index) = index_of(code) else { return true };
        if !is_set(&self.enabled, index) {
            return false;
        }
        let mut admits = true;
        let inside = path.strip_prefix(&self.folder).unwrap_or(path);
        for (number, entry) in self.per_file.iter().enumerate() {
            let words = || entry.rules.iter().enumerate().filter(|(_, rules)| is_set(rules, index));
            if words().next().is_some() && entry.pattern.is_match(inside) {
                words().for_each(|(word, _)| ignored((number, word)));
                admits = false;
            }
        }
        admits
    }

    /// Whether every rule that a word of `per-file-ignores` means is selected otherwise.
    pub fn selects_all_of(&self, (pattern, word): IgnoreWord) -> bool {
        let rules = self.per_file.get(pattern).and_then(|entry| entry.rules.get(word));
        rules.is_some_and(|rules| self.enabled.iter().zip(rules).all(|(enabled, meant)| *enabled || !meant))
    }

    pub fn set_severity(&self, diagnostic: &mut Diagnostic) {
        let severity = index_of(diagnostic.code).and_then(|index| self.severity.get(index).copied().flatten());
        diagnostic.severity = severity.unwrap_or(diagnostic.severity);
    }
}

fn is_set(flags: &[bool], index: usize) -> bool {
    flags.get(index).copied().unwrap_or(false)
}

fn index_of(code: &str) -> Option<usize> {
    REGISTRY.iter().position(|rule| rule.code == code)
}

fn set<T: Clone>(flags: &mut [T], meant: &[bool], value: T) {
    for (flag, _) in flags.iter_mut().zip(meant).filter(|(_, meant)| **meant) {
        *flag = value.clone();
    }
}

/// Which rules of the registry a word means.
fn meant(word: &str) -> Result<Vec<bool>, String> {
    let meant: Vec<bool> = REGISTRY.iter().map(|rule| rule.is_meant_by(word)).collect();
    if meant.contains(&true) {
        return Ok(meant);
    }
    Err(format!("`{word}` names no rule{}", suggest::did_you_mean(word, known_words())))
}

/// Every word that means a rule, for suggestions.
pub(super) fn known_words() -> impl Iterator<Item = &'static str> {
    let groups = crate::rules::Group::ALL.into_iter().map(crate::rules::Group::name);
    REGISTRY.iter().flat_map(|rule: &Rule| [rule.code, rule.name]).chain(groups)
}
