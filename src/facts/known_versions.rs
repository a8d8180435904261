//! What was found in versions of a service: a fix often leaves documents that were linted before.
//!
//! A change is often undone, and a fix often undoes one. While a name is typed, the fix that replaces it leaves the same
//! document again and again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::diagnostic::FileId;

/// How many versions are kept: the last used ones.
const MAX_VERSIONS: usize = 3;

/// The findings of versions of one service, the last used version first; all have one configuration.
#[derive(Debug, Default)]
pub struct KnownVersions(Mutex<Vec<Known>>);

/// A version, and the hashes of its findings.
type Known = (Version, Arc<[u64]>);

/// What the findings of a service depend on, beside the configuration.
#[derive(Debug)]
pub struct Version {
    /// The text of each file, sorted by file.
    pub texts: Vec<Text>,
    pub runs_scripts: bool,
}

type Text = (FileId, Arc<str>);

impl Version {
    fn is(&self, other: &Self) -> bool {
        // Most texts are shared, and need not be read.
        let is_same =
            |(own, other): (&Text, &Text)| own.0 == other.0 && (Arc::ptr_eq(&own.1, &other.1) || own.1 == other.1);
        self.runs_scripts == other.runs_scripts
            && self.texts.len() == other.texts.len()
            && self.texts.iter().zip(&other.texts).all(is_same)
    }
}

impl KnownVersions {
    /// The hashes of all findings of a version; `None` if they are not known.
    pub fn get(&self, version: &Version) -> Option<Arc<[u64]>> {
        let mut all = self.lock();
        let index = all.iter().position(|(known, _)| known.is(version))?;
        all.get_mut(..=index)?.rotate_right(1);
        all.first().map(|(_, findings)| Arc::clone(findings))
    }

    pub fn add(&self, version: Version, findings: &[u64]) {
        if self.get(&version).is_some() {
            return;
        }
        let mut all = self.lock();
        all.truncate(MAX_VERSIONS - 1);
        all.insert(0, (version, findings.into()));
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str, runs_scripts: bool) -> Version {
        Version { texts: vec![(FileId(0), text.into())], runs_scripts }
    }

    #[test]
    fn findings_are_those_of_the_same_texts() {
        let known = KnownVersions::default();
        known.add(version("a", false), &[1, 2]);
        assert_eq!(known.get(&version("a", false)).as_deref(), Some(&[1, 2][..]));
        assert_eq!(known.get(&version("b", false)), None);
        assert_eq!(known.get(&version("a", true)), None, "scripts may find more");
    }

    #[test]
    fn the_last_used_versions_are_kept() {
        let known = KnownVersions::default();
        for text in ["a", "b", "c"] {
            known.add(version(text, false), &[]);
        }
        assert!(known.get(&version("a", false)).is_some());
        known.add(version("e", false), &[]);
        assert!(known.get(&version("a", false)).is_some());
        assert_eq!(known.get(&version("b", false)), None);
        assert_eq!(known.lock().len(), MAX_VERSIONS);
    }
}
