//! Which entries of configurations and baselines a run can judge: those whose files and rules it checked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::baseline::Baseline;
use super::ignores::IgnoreEntry;
use super::setup::Setup;
use crate::collections::{HashMap, HashSet};
use crate::config::RootedPatterns;
use crate::diagnostic::FileId;
use crate::identity::Identity;
use crate::project::{ConfigFile, Service, clean_path};

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
    /// Whether findings in it are reported, by this part or another one.
    is_asked_for: bool,
    /// Whether the file was read, and findings in it are reported by this part.
    is_reported: bool,
}

/// The files that the patterns of the `[per-file-ignores]` of a configuration file match.
pub(super) struct IgnoredFiles {
    /// By file: the entries.
    entries: BTreeMap<FileId, Vec<usize>>,
    /// Those that match a file, by entry.
    is_matched: Vec<bool>,
    /// The entries that this part judges.
    judged: BTreeSet<usize>,
}

impl IgnoredFiles {
    /// Whether this part judges an entry.
    pub fn judges(&self, entry: usize) -> bool {
        self.judged.contains(&entry)
    }

    /// Whether an entry matches a file that is reported on, by this part or another one.
    pub fn has(&self, entry: usize) -> bool {
        self.is_matched.get(entry).is_some_and(|is_matched| *is_matched)
    }

    /// Whether any of these entries matches a file of a service.
    pub fn any_in(&self, service: &Service, entries: &[usize]) -> bool {
        let of_file = service.files.iter().filter_map(|file| self.entries.get(file));
        of_file.flatten().any(|entry| entries.contains(entry))
    }
}

impl<'r> Reach<'r> {
    pub fn new(setup: &'r Setup<'_>, unread: &BTreeSet<FileId>) -> Self {
        let project = setup.project;
        let configs: HashMap<FileId, usize> = services(&project.services).chain(services(&project.others)).collect();
        let own: HashSet<FileId> = services(&project.services).map(|(id, _)| id).collect();
        let files = project.files().map(|(path, id)| {
            let config = configs.get(&id).copied().unwrap_or(0);
            let is_asked_for = project.is_reported(id);
            let is_reported = is_asked_for && own.contains(&id) && !unread.contains(&id);
            (path, FileReach { id, config, is_asked_for, is_reported })
        });
        let is_complete = unread.is_empty() && project.unreadable.is_empty();
        Self { setup, files: files.collect(), is_complete }
    }

    /// Whether this run would have found the finding of a baseline entry.
    pub fn covers(&self, baseline: &Baseline, identity: &Identity) -> bool {
        let (path, _) = clean_path(Path::new(&*identity.place.file), baseline.folder());
        let config = self.files.get(path.as_path()).map_or(0, |file| file.config);
        let filter = self.setup.filters.get(config);
        self.has_file(&path) && filter.is_some_and(|filter| filter.admits(&identity.rule, &path, |_| {}))
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

    /// The files that the `[per-file-ignores]` of a configuration file match. Of several parts that have files of an
    /// entry, that with the first one judges it.
    pub fn ignored_files(&self, config_file: &ConfigFile, ignores: &[IgnoreEntry<'_>]) -> IgnoredFiles {
        let (mut entries_of, mut judged) = (BTreeMap::new(), BTreeSet::new());
        let folder = config_file.path.parent().unwrap_or(Path::new(""));
        let patterns = ignores.iter().enumerate();
        let patterns = patterns.map(|(index, entry)| (folder, entry.pattern.value.as_str(), index));
        let set = RootedPatterns::with_folders(patterns);
        let mut is_seen = vec![false; ignores.len()];
        let has_config = |file: &FileReach| config_file.uses.iter().any(|config_use| config_use.config == file.config);
        let files = self.files.iter().filter(|(_, file)| file.is_asked_for && has_config(file));
        let mut files: Vec<(&Path, &FileReach)> = files.map(|(path, file)| (*path, file)).collect();
        files.sort_unstable_by_key(|(_, file)| file.id);
        for (path, file) in files {
            let entries: Vec<usize> = set.matching(path).collect();
            for &entry in &entries {
                let is_first = is_seen.get_mut(entry).is_some_and(|is_seen| !std::mem::replace(is_seen, true));
                if is_first && file.is_reported {
                    judged.insert(entry);
                }
            }
            if !entries.is_empty() {
                entries_of.insert(file.id, entries);
            }
        }
        let unmatched = is_seen.iter().enumerate().filter(|(_, is_seen)| !**is_seen && self.reports_the_rest());
        judged.extend(unmatched.map(|(entry, _)| entry));
        IgnoredFiles { entries: entries_of, is_matched: is_seen, judged }
    }

    /// Whether all files of a pattern were looked at, by this part or another one.
    pub fn has_all_of(&self, folder: &Path, pattern: &str) -> bool {
        // The pattern can match only below its leading parts that have no wildcards.
        let is_plain = |part: &&str| !part.contains(['*', '?', '[', '{', '\\']);
        let plain: PathBuf = pattern.split('/').take_while(is_plain).collect();
        let base = folder.join(&plain);
        if plain == Path::new(pattern) && !base.is_dir() {
            return self.has_file(&base);
        }
        self.is_complete && self.setup.project.was_walked(&base)
    }
}

/// The files of services, each with its configuration.
fn services(services: &[Service]) -> impl Iterator<Item = (FileId, usize)> {
    services.iter().flat_map(|service| service.files.iter().map(|&id| (id, service.config)))
}
