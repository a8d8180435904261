//! The files that a run looks for, whether they exist or not: when one of them changes, its result may change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::files::paths::clean;

/// Shared by its clones. The default remembers nothing.
#[derive(Debug, Clone, Default)]
pub struct Lookups(Option<Arc<Mutex<LookedFor>>>);

#[derive(Debug, Default)]
struct LookedFor {
    files: BTreeSet<PathBuf>,
    patterns: BTreeSet<(PathBuf, String)>,
}

impl Lookups {
    pub fn remembered() -> Self {
        Self(Some(Arc::default()))
    }

    pub fn add_file(&self, path: &Path) {
        if let Some(mut found) = self.lock() {
            found.files.insert(clean(path));
        }
    }

    /// A pattern of files below a folder.
    pub fn add_pattern(&self, folder: &Path, pattern: &str) {
        if let Some(mut found) = self.lock() {
            found.patterns.insert((clean(folder), pattern.to_owned()));
        }
    }

    /// Sorted.
    pub fn files(&self) -> Vec<PathBuf> {
        self.lock().map(|found| found.files.iter().cloned().collect()).unwrap_or_default()
    }

    /// With the folders that they are relative to, sorted.
    pub fn patterns(&self) -> Vec<(PathBuf, String)> {
        self.lock().map(|found| found.patterns.iter().cloned().collect()).unwrap_or_default()
    }

    fn lock(&self) -> Option<MutexGuard<'_, LookedFor>> {
        Some(self.0.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
