//! All files of a run, and their services: which documents belong together, by default those of one folder
//! (docs/concepts.md, Service).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::configs::{ConfigFile, Configs};
use super::discover::{Discovered, STDIN_NAME, Search, is_json};
use super::file::{Candidate, Content, Contents, File};
use super::request::{Request, Shard};
use super::{ignore_files, load};
use crate::common::collections::HashMap;
use crate::config::Config;
use crate::files::inside::NamesInside;
use crate::files::paths::relative_name;
use crate::files::read::{FileKey, Unsaved};
use crate::files::toml_file::TomlError;
use crate::text::diagnostic::FileId;

/// All files of a run and their services. The files are read a service at a time, so that a run over
/// many services needs the memory of a few.
#[derive(Debug, Default)]
pub struct Project {
    /// The files that may hold documents, sorted by name; the index of a file is its [`FileId`].
    pub(super) candidates: Vec<Candidate>,
    /// Sorted by their first file.
    pub services: Vec<Service>,
    /// The services of other shards, which this run does not report.
    pub others: Vec<Service>,
    /// The shard; `None` for all services.
    pub shard: Option<Shard>,
    pub configs: Vec<Config>,
    /// Why configurations were replaced by those of [`Request::good_configs`](super::Request::good_configs), by path.
    pub replaced_configs: BTreeMap<PathBuf, TomlError>,
    /// The files of the configurations.
    pub config_files: Vec<ConfigFile>,
    /// What could not be read, with the reason.
    pub unreadable: Vec<String>,
    /// The current folder; names in reports are relative to it.
    pub current: PathBuf,
    /// Whether each file has the nearest configuration, in a folder around it.
    pub has_nearest_configs: bool,
    /// The folders that were walked.
    pub(super) walked: Vec<PathBuf>,
    pub(super) skip_unrelated: bool,
    /// Whether `--force-exclude` left out named files.
    pub leaves_out_named: bool,
}

/// Contents to use in place of those of files.
pub type Overrides = BTreeMap<FileId, Contents>;

/// The files of a service, read.
#[derive(Debug, Default)]
pub struct ServiceFiles {
    /// Documents, and files that should be, sorted by name.
    pub files: Vec<File>,
    /// The number of reported files without a document.
    pub skipped: usize,
    /// What could not be read, with the reason.
    pub unreadable: Vec<(FileId, String)>,
}

impl Project {
    /// Whether another run has the same files, with the same ids, services and configurations.
    pub fn is_same(&self, other: &Self) -> bool {
        self.candidates == other.candidates
            && self.services == other.services
            && self.others == other.others
            && self.configs.len() == other.configs.len()
            && self.configs.iter().zip(&other.configs).all(|(own, other)| own.is_same(other))
    }

    /// The names of its files in reports.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.candidates.iter().map(|candidate| candidate.name.as_str())
    }

    /// Names files outside of the current folder without saying where they are.
    pub fn name_inside(&mut self, names: &NamesInside) {
        for candidate in &mut self.candidates {
            candidate.name = names.of(&candidate.name).to_owned();
        }
    }

    /// Whether findings in a file are reported.
    pub fn is_reported(&self, id: FileId) -> bool {
        self.candidates.get(id.0 as usize).is_some_and(|candidate| candidate.reported)
    }

    /// The name of a file in reports, and its path.
    pub fn name_and_path(&self, id: FileId) -> Option<(&str, &Path)> {
        self.candidates.get(id.0 as usize).map(|candidate| (candidate.name.as_str(), candidate.path.as_path()))
    }

    /// Whether a file has contents that came with the request, instead of those on the disk.
    pub fn has_given_contents(&self, id: FileId) -> bool {
        self.candidates.get(id.0 as usize).is_some_and(|candidate| candidate.contents.is_some())
    }

    /// The files that may hold documents.
    pub fn files(&self) -> impl Iterator<Item = (&Path, FileId)> {
        (0..).map(FileId).zip(&self.candidates).map(|(id, candidate)| (candidate.path.as_path(), id))
    }

    /// The id of a file that is not a document: of the configuration file with this index, or of the baseline, which
    /// comes after them.
    pub fn id_of_other(&self, index: usize) -> FileId {
        FileId(u32::try_from(self.candidates.len() + index).unwrap_or(u32::MAX))
    }

    /// Whether a file is read for the run: a document or what should be one, a configuration, a catalog, an
    /// ignore file.
    pub fn reads(&self, file: &FileKey) -> bool {
        let is_document = |(id, candidate): (FileId, &Candidate)| {
            let config = self.configs.get(candidate.config).filter(|_| file.is_of(&candidate.path));
            config
                .is_some_and(|config| !matches!(load::load(id, candidate, config, self.skip_unrelated, None), Ok(None)))
        };
        let mut configs = self.configs.iter().flat_map(|config| &config.files);
        configs.any(|path| file.is_of(path))
            || ignore_files::is_one(file, self.candidates.iter().map(|candidate| candidate.path.as_path()))
            || (0..).map(FileId).zip(&self.candidates).any(is_document)
    }

    /// Whether this run reports findings outside of services, such as an entry for a missing file.
    pub fn reports_the_rest(&self) -> bool {
        self.shard.is_none_or(Shard::is_first)
    }

    /// Whether other parts have documents to report on.
    pub fn other_parts_have_documents(&self) -> bool {
        let is_document = |file: &File| file.reported && !matches!(file.content, Content::Resembling(..));
        self.others.iter().any(|service| self.read(service, &Overrides::new()).files.iter().any(is_document))
    }

    /// Whether a path is a folder that was walked, or below one.
    pub fn was_walked(&self, path: &Path) -> bool {
        self.walked.iter().any(|folder| path.starts_with(folder))
    }

    /// The contents of a service's files, for reading it more than once; without unreadable ones.
    pub fn contents(&self, service: &Service) -> Overrides {
        let Some(config) = self.configs.get(service.config) else { return Overrides::new() };
        let bytes = |&id: &FileId| Some((id, load::contents(self.candidates.get(id.0 as usize)?, config, None).ok()?));
        service.files.iter().filter_map(bytes).collect()
    }

    /// The texts of files that are not saved yet.
    pub fn overrides(&self, unsaved: &Unsaved) -> Overrides {
        let text = |(path, id)| Some((id, Contents::Text(Arc::clone(unsaved.text(path)?))));
        self.files().filter_map(text).collect()
    }

    /// Reads the files of a service.
    pub fn read(&self, service: &Service, overrides: &Overrides) -> ServiceFiles {
        self.read_again(service, overrides, &[])
    }

    /// As [`Self::read`]. Of the files that were read before with the same configuration, sorted by id, those with the same
    /// text are used again.
    pub fn read_again(&self, service: &Service, overrides: &Overrides, before: &[File]) -> ServiceFiles {
        let mut read = ServiceFiles { files: Vec::with_capacity(service.files.len()), ..ServiceFiles::default() };
        let Some(config) = self.configs.get(service.config) else { return read };
        for &id in &service.files {
            let Some(candidate) = self.candidates.get(id.0 as usize) else { continue };
            let before = before.binary_search_by_key(&id, |file| file.id).ok().and_then(|index| before.get(index));
            let loaded = match overrides.get(&id) {
                Some(contents) => {
                    let candidate = Candidate { contents: Some(contents.clone()), ..candidate.clone() };
                    load::load(id, &candidate, config, self.skip_unrelated, before)
                }
                None => load::load(id, candidate, config, self.skip_unrelated, before),
            };
            match loaded {
                Ok(Some(file)) => read.files.push(file),
                Ok(None) => read.skipped += usize::from(candidate.reported),
                Err(reason) => read.unreadable.push((id, reason)),
            }
        }
        read
    }
}

/// Documents that share variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// Sorted by name.
    pub files: Vec<FileId>,
    /// Index of its configuration.
    pub config: usize,
}

/// Documents with equal keys are one service.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum ServiceKey {
    /// A `[[service]]` of a configuration.
    Entry {
        config: usize,
        entry: usize,
    },
    Folder(PathBuf),
    /// Standard input without a file name.
    Stdin,
}

pub(super) fn key(path: &Path, config: usize, configs: &Configs) -> ServiceKey {
    if path == Path::new(STDIN_NAME) {
        return ServiceKey::Stdin;
    }
    match configs.service_entry(config, path) {
        Some(entry) => ServiceKey::Entry { config, entry },
        None => ServiceKey::Folder(path.parent().unwrap_or(path).to_path_buf()),
    }
}

/// The display name of the service of a file: that of its `[[service]]`, else its folder.
pub(super) fn service_name(candidate: &Candidate, current: &Path, configs: &Configs) -> String {
    match key(&candidate.path, candidate.config, configs) {
        ServiceKey::Entry { config, entry } => {
            let entry = configs.get(config).and_then(|config| config.services.get(entry));
            entry.map(|entry| entry.name.clone()).unwrap_or_default()
        }
        ServiceKey::Folder(folder) => match relative_name(&folder, current) {
            name if name.is_empty() => ".".to_owned(),
            name => name,
        },
        ServiceKey::Stdin => STDIN_NAME.to_owned(),
    }
}

/// Adds the other documents of the candidates' services; findings in them are not reported.
pub(super) fn add_companions(all: &mut Discovered, request: &Request, configs: &mut Configs) -> Result<(), TomlError> {
    let current = request.current.as_path();
    let mut keys: BTreeSet<ServiceKey> = BTreeSet::new();
    let mut folders: BTreeSet<(PathBuf, Option<usize>)> = BTreeSet::new();
    for (path, candidate) in &all.candidates {
        // A file that no one named comes from a walk, which has found the whole folder already. Only a `[[service]]`
        // may have documents elsewhere.
        if !candidate.named && configs.service_entry(candidate.config, path).is_none() {
            continue;
        }
        let key = key(path, candidate.config, configs);
        match &key {
            ServiceKey::Folder(folder) => folders.insert((folder.clone(), Some(1))),
            ServiceKey::Entry { config, entry } => {
                let entry = configs.get(*config).and_then(|config| config.services.get(*entry));
                entry.is_some_and(|entry| folders.insert((entry.folder.clone(), None)))
            }
            ServiceKey::Stdin => continue,
        };
        keys.insert(key);
    }
    // Standard input may be named as a file that is still to be written.
    for (folder, max_depth) in folders.into_iter().filter(|(folder, _)| folder.is_dir()) {
        let mut found = Discovered::default();
        let search = Search { folder: &folder, max_depth, current, wanted: &is_json };
        search.run(configs, &mut found)?;
        search.add_unsaved(&request.unsaved, configs, &mut found)?;
        all.scenarios.append(&mut found.scenarios);
        let unread = found.unreadable.into_iter().filter(|reason| !all.unreadable.contains(reason));
        all.unreadable.extend(unread.collect::<Vec<_>>());
        for (path, candidate) in found.candidates {
            if keys.contains(&key(&path, candidate.config, configs)) {
                all.candidates.entry(path).or_insert(Candidate { reported: false, ..candidate });
            }
        }
    }
    Ok(())
}

/// Groups candidates, sorted by name, into services.
pub(super) fn group(candidates: &[Candidate], configs: &Configs) -> Vec<Service> {
    let mut services: HashMap<ServiceKey, Service> = HashMap::default();
    for (id, candidate) in (0..).map(FileId).zip(candidates) {
        let key = key(&candidate.path, candidate.config, configs);
        let service = services.entry(key).or_insert_with(|| Service { files: Vec::new(), config: candidate.config });
        service.files.push(id);
    }
    let mut services: Vec<Service> = services.into_values().collect();
    services.sort_by_key(|service| service.files.first().copied());
    services
}
