//! Which documents belong together: by default those of one folder (docs/concepts.md, Service).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::configs::Configs;
use super::discover::{Discovered, STDIN_NAME, Search, is_json};
use super::file::Candidate;
use super::request::Request;
use crate::collections::HashMap;
use crate::diagnostic::FileId;
use crate::paths::relative_name;
use crate::toml_file::TomlError;

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
pub(super) enum Key {
    /// A `[[service]]` of a configuration.
    Entry {
        config: usize,
        entry: usize,
    },
    Folder(PathBuf),
    /// Standard input without a file name.
    Stdin,
}

pub(super) fn key(path: &Path, config: usize, configs: &Configs) -> Key {
    if path == Path::new(STDIN_NAME) {
        return Key::Stdin;
    }
    match configs.service_entry(config, path) {
        Some(entry) => Key::Entry { config, entry },
        None => Key::Folder(path.parent().unwrap_or(path).to_path_buf()),
    }
}

/// The display name of the service of a file: that of its `[[service]]`, else its folder.
pub(super) fn service_name(candidate: &Candidate, current: &Path, configs: &Configs) -> String {
    match key(&candidate.path, candidate.config, configs) {
        Key::Entry { config, entry } => {
            let entry = configs.get(config).and_then(|config| config.services.get(entry));
            entry.map(|entry| entry.name.clone()).unwrap_or_default()
        }
        Key::Folder(folder) => match relative_name(&folder, current) {
            name if name.is_empty() => ".".to_owned(),
            name => name,
        },
        Key::Stdin => STDIN_NAME.to_owned(),
    }
}

/// Adds the other documents of the candidates' services; findings in them are not reported.
pub(super) fn add_companions(all: &mut Discovered, request: &Request, configs: &mut Configs) -> Result<(), TomlError> {
    let current = request.current.as_path();
    let mut keys: BTreeSet<Key> = BTreeSet::new();
    let mut folders: BTreeSet<(PathBuf, Option<usize>)> = BTreeSet::new();
    for (path, candidate) in &all.candidates {
        // A file that no one named comes from a walk, which has found the whole folder already. Only a `[[service]]`
        // may have documents elsewhere.
        if !candidate.named && configs.service_entry(candidate.config, path).is_none() {
            continue;
        }
        let key = key(path, candidate.config, configs);
        match &key {
            Key::Folder(folder) => folders.insert((folder.clone(), Some(1))),
            Key::Entry { config, entry } => {
                let entry = configs.get(*config).and_then(|config| config.services.get(*entry));
                entry.is_some_and(|entry| folders.insert((entry.folder.clone(), None)))
            }
            Key::Stdin => continue,
        };
        keys.insert(key);
    }
    // Standard input may be named as a file that is still to be written.
    for (folder, max_depth) in folders.into_iter().filter(|(folder, _)| folder.is_dir()) {
        let mut found = Discovered::default();
        let search = Search { folder: &folder, max_depth, current, wanted: &is_json };
        search.run(configs, &mut found)?;
        search.add_unsaved(&request.unsaved, configs, &mut found)?;
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
    let mut services: HashMap<Key, Service> = HashMap::default();
    for (id, candidate) in (0..).map(FileId).zip(candidates) {
        let key = key(&candidate.path, candidate.config, configs);
        let service = services.entry(key).or_insert_with(|| Service { files: Vec::new(), config: candidate.config });
        service.files.push(id);
    }
    let mut services: Vec<Service> = services.into_values().collect();
    services.sort_by_key(|service| service.files.first().copied());
    services
}
