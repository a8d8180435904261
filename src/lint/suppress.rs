//! `[[suppress]]` entries of a configuration.

use std::path::{Path, PathBuf};

use jiff::civil::Date;

use crate::collections::HashMap;
use crate::config::{Config, Suppression};
use crate::diagnostic::{Diagnostic, activity_name};
use crate::project::clean_path;
use crate::rules::{REGISTRY, Rule};

#[derive(Debug)]
pub(super) struct Suppressions {
    /// In the order of the file.
    pub entries: Vec<SuppressionEntry>,
    /// The first of the equal entries that have not expired, by code and file, then by what they match there.
    active: HashMap<(&'static str, PathBuf), HashMap<Place, usize>>,
}

/// What an entry matches in its file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Place {
    activity: Option<String>,
    pointer: Option<String>,
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
            path: clean_path(Path::new(&suppression.file), config.folder_of(suppression.place)).0,
            is_expired: suppression.until.is_some_and(|until| today.is_some_and(|today| today > until)),
            suppression: suppression.clone(),
        };
        let entries: Vec<SuppressionEntry> = config.suppressions.iter().map(entry).collect();
        let mut active: HashMap<_, HashMap<Place, usize>> = HashMap::default();
        for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| !entry.is_expired) {
            let Some(rule) = entry.rule else { continue };
            let places = active.entry((rule.code, entry.path.clone())).or_default();
            places.entry(entry.place()).or_insert(index);
        }
        Self { entries, active }
    }

    pub fn is_empty(&self) -> bool {
        self.active.is_empty()
    }

    /// The first entry that matches the same as an entry.
    pub fn first_equal(&self, index: usize) -> usize {
        let first = self.entries.get(index).and_then(|entry| {
            let places = self.active.get(&(entry.rule?.code, entry.path.clone()))?;
            places.get(&entry.place()).copied()
        });
        first.unwrap_or(index)
    }

    /// The indices of the entries that match a finding in this file, of equal ones the first: those of the finding's
    /// activity, or of none, and with a pointer to its value, to one around it, or to none.
    pub fn matching(&self, diagnostic: &Diagnostic, path: &Path) -> Vec<usize> {
        let Some(places) = self.active.get(&(diagnostic.code, path.to_path_buf())) else { return Vec::new() };
        let pointer = diagnostic.location.pointer.as_str();
        let around = pointer.match_indices('/').filter_map(|(end, _)| pointer.get(..end)).chain([pointer]);
        let pointers = around.map(|pointer| Some(pointer.to_owned())).chain([None]);
        let mut matching = Vec::new();
        for pointer in pointers {
            let in_any_activity = Place { activity: None, pointer };
            matching.extend(places.get(&in_any_activity).copied());
            if diagnostic.activity.is_some() {
                let in_activity = Place { activity: diagnostic.activity.clone(), ..in_any_activity };
                matching.extend(places.get(&in_activity).copied());
            }
        }
        matching
    }
}

impl SuppressionEntry {
    fn place(&self) -> Place {
        let activity = self.suppression.activity.as_deref().map(activity_name);
        Place { activity, pointer: self.suppression.pointer.clone() }
    }
}
