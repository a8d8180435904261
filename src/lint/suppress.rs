//! `[[suppress]]` entries of a configuration.

use std::path::{Path, PathBuf};

use jiff::civil::Date;

use crate::collections::HashMap;
use crate::config::{Config, Suppression};
use crate::diagnostic::Diagnostic;
use crate::project::clean_path;
use crate::rules::{REGISTRY, Rule};

#[derive(Debug)]
pub(super) struct Suppressions {
    /// In the order of the file.
    pub entries: Vec<SuppressionEntry>,
    /// The indices of the entries that have not expired, by code and file.
    active: HashMap<(&'static str, PathBuf), Vec<usize>>,
}

#[derive(Debug)]
pub(super) struct SuppressionEntry {
    pub suppression: Suppression,
    /// `None` when no rule has this code or name.
    pub rule: Option<&'static Rule>,
    pub path: PathBuf,
    pub is_expired: bool,
}

impl Suppressions {
    pub fn new(config: &Config, today: Option<Date>) -> Self {
        let entry = |suppression: &Suppression| SuppressionEntry {
            rule: REGISTRY.iter().find(|rule| [rule.code, rule.name].contains(&suppression.rule.as_str())),
            path: clean_path(Path::new(&suppression.file), &config.folder).0,
            is_expired: suppression.until.is_some_and(|until| today.is_some_and(|today| today > until)),
            suppression: suppression.clone(),
        };
        let entries: Vec<SuppressionEntry> = config.suppressions.iter().map(entry).collect();
        let mut active: HashMap<_, Vec<usize>> = HashMap::default();
        for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| !entry.is_expired) {
            let Some(rule) = entry.rule else { continue };
            active.entry((rule.code, entry.path.clone())).or_default().push(index);
        }
        Self { entries, active }
    }

    pub fn is_empty(&self) -> bool {
        self.active.is_empty()
    }

    /// The indices of the entries that match a finding in this file.
    pub fn matching(&self, diagnostic: &Diagnostic, path: &Path) -> Vec<usize> {
        let indices = self.active.get(&(diagnostic.code, path.to_path_buf())).into_iter().flatten().copied();
        let matches =
            |index: &usize| self.entries.get(*index).is_some_and(|entry| entry.suppression.matches(diagnostic));
        indices.filter(matches).collect()
    }
}

impl Suppression {
    /// Whether the finding is at the activity, and at or below the pointer, that the entry names.
    fn matches(&self, diagnostic: &Diagnostic) -> bool {
        let has_name = self.activity.as_ref().is_none_or(|name| diagnostic.activity.as_ref() == Some(name));
        let is_below = |pointer: &String| {
            let rest = diagnostic.location.pointer.strip_prefix(pointer.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        has_name && self.pointer.as_ref().is_none_or(is_below)
    }
}
