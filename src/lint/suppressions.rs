//! The `[[suppress]]` entries of a configuration, and which of them match a finding.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use jiff::civil::Date;

use crate::common::collections::{HashMap, HashSet};
use crate::config::{Config, Suppression};
use crate::project::clean_path;
use crate::rules::{REGISTRY, Rule};
use crate::text::diagnostic::{Diagnostic, activity_name};

/// The `[[suppress]]` entries of a configuration.
#[derive(Debug)]
pub(super) struct Suppressions<'p> {
    /// In the order of the file.
    pub entries: Vec<SuppressionEntry<'p>>,
    files: HashSet<Arc<Path>>,
    /// The first of the equal entries that have not expired.
    active: HashMap<SuppressionKey<'p>, usize>,
}

/// The criteria of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct SuppressionKey<'p> {
    code: &'static str,
    path: Arc<Path>,
    activity: Option<Cow<'p, str>>,
    pointer: Option<&'p str>,
}

#[derive(Debug)]
pub(super) struct SuppressionEntry<'p> {
    pub suppression: &'p Suppression,
    /// `None` when no rule has this code or name.
    pub rule: Option<&'static Rule>,
    pub path: Arc<Path>,
    pub is_expired: bool,
}

impl<'p> Suppressions<'p> {
    pub fn new(config: &'p Config, today: Option<Date>) -> Self {
        // There may be very many entries for one file.
        let mut files: HashSet<Arc<Path>> = HashSet::default();
        let entry = |suppression: &'p Suppression| {
            let path = clean_path(Path::new(&suppression.file), config.folder_of(suppression.place)).0;
            let path = files.get(path.as_path()).map_or_else(|| Arc::from(path.as_path()), Arc::clone);
            files.insert(Arc::clone(&path));
            SuppressionEntry {
                suppression,
                rule: REGISTRY.iter().find(|rule| [rule.code, rule.name].contains(&suppression.name.as_str())),
                path,
                is_expired: suppression.until.is_some_and(|until| today.is_some_and(|today| today > until)),
            }
        };
        let entries: Vec<SuppressionEntry<'p>> = config.suppressions.iter().map(entry).collect();
        let mut active = HashMap::default();
        for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| !entry.is_expired) {
            if let Some(key) = entry.key() {
                active.entry(key).or_insert(index);
            }
        }
        Self { entries, files, active }
    }

    pub fn is_empty(&self) -> bool {
        self.active.is_empty()
    }

    /// The first entry that matches the same as an entry.
    pub fn first_equal(&self, index: usize) -> usize {
        let first = self.entries.get(index).and_then(|entry| self.active.get(&entry.key()?).copied());
        first.unwrap_or(index)
    }

    /// The indices of the entries that match a finding in this file, of equal ones the first: those of the finding's
    /// activity, or of none, and with a pointer to its value, to one around it, or to none.
    pub fn matching(&self, diagnostic: &Diagnostic, path: &Path) -> Vec<usize> {
        let Some(path) = self.files.get(path) else { return Vec::new() };
        let pointer = diagnostic.location.pointer.as_str();
        let around = pointer.match_indices('/').filter_map(|(end, _)| pointer.get(..end)).chain([pointer]);
        let mut matching = Vec::new();
        for pointer in around.map(Some).chain([None]) {
            let activity = diagnostic.activity.as_deref().map(Cow::Borrowed);
            let mut key = SuppressionKey { code: diagnostic.code, path: Arc::clone(path), activity: None, pointer };
            matching.extend(self.active.get(&key).copied());
            if activity.is_some() {
                key.activity = activity;
                matching.extend(self.active.get(&key).copied());
            }
        }
        matching
    }
}

impl<'p> SuppressionEntry<'p> {
    /// `None` if there is no such rule.
    fn key(&self) -> Option<SuppressionKey<'p>> {
        let Suppression { activity, pointer, .. } = self.suppression;
        let activity = activity.as_deref().map(activity_name);
        Some(SuppressionKey {
            code: self.rule?.code,
            path: Arc::clone(&self.path),
            activity,
            pointer: pointer.as_deref(),
        })
    }
}
