//! The `[[suppress]]` entries of a configuration, and which of them match a finding.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use jiff::civil::Date;

use super::filter::Filter;
use super::names::Names;
use crate::common::collections::{HashMap, HashSet};
use crate::config::{Config, Suppression};
use crate::project::clean_path;
use crate::rules::Rule;
use crate::text::diagnostic::{Diagnostic, activity_name};

/// The `[[suppress]]` entries of a configuration.
#[derive(Debug)]
pub(super) struct Suppressions<'p> {
    /// In the order of the file.
    pub entries: Vec<SuppressionEntry<'p>>,
    files: HashSet<Arc<Path>>,
    /// The first of the equal entries that have not expired.
    active: HashMap<SuppressionKey<'p>, usize>,
    /// Whether any names a variable, a field or a parameter.
    pub needs_names: bool,
}

/// The criteria of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct SuppressionKey<'p> {
    code: &'static str,
    path: Arc<Path>,
    /// Of an activity or field, a variable, a field and a parameter.
    names: [Option<Cow<'p, str>>; 4],
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
    pub fn new(config: &'p Config, filter: &Filter, today: Option<Date>) -> Self {
        // There may be very many entries for one file.
        let mut files: HashSet<Arc<Path>> = HashSet::default();
        let entry = |suppression: &'p Suppression| {
            let path = clean_path(Path::new(&suppression.file), config.folder_of(suppression.place)).0;
            let path = files.get(path.as_path()).map_or_else(|| Arc::from(path.as_path()), Arc::clone);
            files.insert(Arc::clone(&path));
            SuppressionEntry {
                suppression,
                rule: filter.rule(&suppression.name),
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
        let needs_names =
            config.suppressions.iter().any(|it| it.variable.is_some() || it.field.is_some() || it.parameter.is_some());
        Self { entries, files, active, needs_names }
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
    /// activity, or of none, and so on for the names around it, and with a pointer to its value, to one around it, or to
    /// none.
    pub fn matching(&self, diagnostic: &Diagnostic, path: &Path, names: &Names) -> Vec<usize> {
        let Some(path) = self.files.get(path) else { return Vec::new() };
        let pointer = diagnostic.location.pointer.as_str();
        let around = pointer.match_indices('/').filter_map(|(end, _)| pointer.get(..end)).chain([pointer]);
        let found = [&diagnostic.activity, &names.variable, &names.field, &names.parameter];
        // Each combination of names, since an entry may give any of them.
        let mut combinations = vec![[None, None, None, None]];
        for (at, name) in found.iter().enumerate().filter_map(|(at, name)| Some((at, name.as_deref()?))) {
            let mut with_name = combinations.clone();
            with_name.iter_mut().filter_map(|names| names.get_mut(at)).for_each(|it| *it = Some(Cow::Borrowed(name)));
            combinations.append(&mut with_name);
        }
        let mut matching = Vec::new();
        for pointer in around.map(Some).chain([None]) {
            for names in &combinations {
                let (path, names) = (Arc::clone(path), names.clone());
                let key = SuppressionKey { code: diagnostic.code, path, names, pointer };
                matching.extend(self.active.get(&key).copied());
            }
        }
        matching
    }
}

impl<'p> SuppressionEntry<'p> {
    /// `None` if there is no such rule.
    fn key(&self) -> Option<SuppressionKey<'p>> {
        let Suppression { activity, pointer, variable, field, parameter, .. } = self.suppression;
        let [variable, field, parameter] = [variable, field, parameter].map(|name| name.as_deref().map(Cow::Borrowed));
        Some(SuppressionKey {
            code: self.rule?.code,
            path: Arc::clone(&self.path),
            names: [activity.as_deref().map(activity_name), variable, field, parameter],
            pointer: pointer.as_deref(),
        })
    }
}
