//! What a run has looked at, and so can judge.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::baseline::Baseline;
use super::setup::Setup;
use crate::collections::{HashMap, HashSet};
use crate::config::{Config, PatternSet};
use crate::diagnostic::FileId;
use crate::identity::Identity;
use crate::project::clean_path;

/// An entry of a configuration or baseline is unused only when everything that it can match was
/// looked at: another run may look at more files.
pub(super) struct Reach<'r> {
    setup: &'r Setup<'r>,
    files: HashMap<&'r Path, FileReach>,
    /// Whether everything that was asked for could be read.
    is_complete: bool,
}

struct FileReach {
    config: usize,
    /// Whether the file was read, and findings in it are reported.
    is_reported: bool,
}

impl<'r> Reach<'r> {
    pub fn new(setup: &'r Setup<'_>, unread: &BTreeSet<FileId>) -> Self {
        let project = setup.project;
        let configs: HashMap<FileId, usize> =
            project.services.iter().flat_map(|service| service.files.iter().map(|&id| (id, service.config))).collect();
        let files = project.files().map(|(path, id)| {
            let config = configs.get(&id).copied().unwrap_or(0);
            (path, FileReach { config, is_reported: project.is_reported(id) && !unread.contains(&id) })
        });
        let is_complete = unread.is_empty() && project.unreadable.is_empty();
        Self { setup, files: files.collect(), is_complete }
    }

    /// Whether this run would have found what an entry of a baseline lists.
    pub fn covers(&self, baseline: &Baseline, identity: &Identity) -> bool {
        let (path, _) = clean_path(Path::new(&identity.file), baseline.folder());
        let config = self.files.get(path.as_path()).map_or(0, |file| file.config);
        let filter = self.setup.filters.get(config);
        self.has_file(&path) && filter.is_some_and(|filter| filter.admits(&identity.rule, &path, |_| {}))
    }

    /// Whether a file was looked at, or is gone from a folder that was walked.
    pub fn has_file(&self, path: &Path) -> bool {
        match self.files.get(path) {
            Some(file) => file.is_reported,
            None => self.setup.project.was_walked(path) && !path.is_file(),
        }
    }

    /// Which patterns of a configuration match a file that was looked at: their indices.
    pub fn with_files(&self, config_index: usize, config: &Config, patterns: &[&str]) -> HashSet<usize> {
        let set = PatternSet::new(patterns.iter().enumerate().map(|(index, pattern)| (*pattern, index)));
        let files = self.files.iter().filter(|(_, file)| file.is_reported && file.config == config_index);
        files.flat_map(|(path, _)| set.matching(path.strip_prefix(&config.folder).unwrap_or(path))).collect()
    }

    /// Whether all files of a pattern were looked at.
    pub fn has_all_of(&self, folder: &Path, pattern: &str) -> bool {
        // The pattern can match only below its leading parts that have no wildcards.
        let is_plain = |part: &&str| !part.contains(['*', '?', '[', '{', '\\']);
        let plain: PathBuf = pattern.split('/').take_while(is_plain).collect();
        let base = folder.join(&plain);
        if plain == Path::new(pattern) {
            return self.has_file(&base);
        }
        self.is_complete && self.setup.project.was_walked(&base)
    }
}
