//! Which entries of configurations and baselines a run can judge: those whose files and rules it checked.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::baseline::Baseline;
use super::options::Setup;
use crate::common::collections::{HashMap, HashSet};
use crate::config::RootedPatterns;
use crate::lint::identity::Identity;
use crate::project::{ConfigFile, Service, clean_path};
use crate::text::diagnostic::FileId;

/// An entry of a configuration or baseline is unused only when everything that it can match was
/// looked at: another run may look at more files.
pub(super) struct Reach<'r> {
    setup: &'r Setup<'r>,
    files: HashMap<&'r Path, FileReach>,
    /// Whether everything that was asked for could be read.
    is_complete: bool,
}

struct FileReach {
    id: FileId,
    config: usize,
    /// Whether the file could be read, and findings in it are reported by this part or another one.
    is_covered: bool,
    /// As `is_covered`, by this part.
    is_reported: bool,
}

impl<'r> Reach<'r> {
    pub fn new(setup: &'r Setup<'_>, unread: &BTreeSet<FileId>) -> Self {
        let project = setup.project;
        let configs: HashMap<FileId, usize> = services(&project.services).chain(services(&project.others)).collect();
        let own: HashSet<FileId> = services(&project.services).map(|(id, _)| id).collect();
        let files = project.files().map(|(path, id)| {
            let config = configs.get(&id).copied().unwrap_or(0);
            let is_covered = project.is_reported(id) && !unread.contains(&id);
            (path, FileReach { id, config, is_covered, is_reported: is_covered && own.contains(&id) })
        });
        let is_complete = unread.is_empty() && project.unreadable.is_empty();
        Self { setup, files: files.collect(), is_complete }
    }

    /// Whether this run would have found the finding of a baseline entry.
    pub fn covers(&self, baseline: &Baseline, identity: &Identity) -> bool {
        let (path, _) = clean_path(Path::new(&*identity.place.file), baseline.folder());
        let config = self.files.get(path.as_path()).map_or(0, |file| file.config);
        let filter = self.setup.filters.get(config);
        self.has_file(&path) && filter.is_some_and(|filter| filter.reports_all(&identity.rule, &path))
    }

    /// Whether this shard reports findings outside of documents.
    pub fn reports_the_rest(&self) -> bool {
        self.setup.project.reports_the_rest()
    }

    /// Whether a file was looked at, or is gone from a folder that was walked.
    pub fn has_file(&self, path: &Path) -> bool {
        match self.files.get(path) {
            Some(file) => file.is_reported,
            None => {
                let project = self.setup.project;
                project.reports_the_rest() && project.was_walked(path) && !path.is_file()
            }
        }
    }

    /// A file that was read, if this part reports findings in it.
    pub fn reported(&self, path: &Path) -> Option<FileId> {
        self.files.get(path).filter(|file| file.is_reported).map(|file| file.id)
    }

    /// The configuration of a file of the run.
    pub fn config_of(&self, path: &Path) -> Option<usize> {
        self.files.get(path).map(|file| file.config)
    }

    /// The files on which the ignores for each of these patterns of a configuration file have an effect, in all parts.
    pub fn files_of_ignores(&self, config_file: &ConfigFile, ignores: &[&str]) -> Vec<Vec<FileId>> {
        let folder = config_file.path.parent().unwrap_or(Path::new(""));
        let patterns = ignores.iter().enumerate().map(|(index, &pattern)| (folder, pattern, index));
        let patterns = RootedPatterns::with_folders(patterns);
        let has_config = |file: &FileReach| config_file.uses.iter().any(|config_use| config_use.config == file.config);
        let mut files = vec![Vec::new(); ignores.len()];
        for (path, file) in self.files.iter().filter(|(_, file)| file.is_covered && has_config(file)) {
            for entry in patterns.matching(path) {
                if let Some(files) = files.get_mut(entry) {
                    files.push(file.id);
                }
            }
        }
        files
    }

    /// Whether all files of a pattern were looked at, by this part or another one.
    pub fn has_all_of(&self, folder: &Path, pattern: &str) -> bool {
        // The pattern can match only below its leading parts that have no wildcards.
        let is_plain = |part: &&str| !part.contains(['*', '?', '[', '{', '\\']);
        let plain: PathBuf = pattern.split('/').take_while(is_plain).collect();
        let base = folder.join(&plain);
        if plain == Path::new(pattern) && !base.is_dir() {
            return self.files.get(base.as_path()).map_or_else(|| self.has_file(&base), |file| file.is_covered);
        }
        self.is_complete && self.setup.project.was_walked(&base)
    }
}

/// The files of services, each with its configuration.
fn services(services: &[Service]) -> impl Iterator<Item = (FileId, usize)> {
    services.iter().flat_map(|service| service.files.iter().map(|&id| (id, service.config)))
}
