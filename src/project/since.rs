//! The documents of a git revision, beside those of today, with the present configuration: the files of the revision by
//! the paths that they would have in the work tree, and the services that they form.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use super::configs::Configs;
use super::discover::is_json;
use super::file::{Candidate, Contents};
use super::services::{Overrides, Project, Service, ServiceKey, group, key};
use crate::common::collections::HashMap;
use crate::config::Config;
use crate::files::paths::{canonicalize, relative_name};
use crate::git::{Blobs, ObjectId, Repository};
use crate::text::diagnostic::FileId;

/// The services of a revision.
#[derive(Debug)]
pub struct OldProject {
    pub project: Project,
    revision: Revision,
    /// The contents of the files of the revision.
    contents: Vec<OldFile>,
    /// The present names of the files of the revision, as reports show them.
    names: Vec<String>,
    /// The file of the revision, by present file.
    old_of: HashMap<FileId, FileId>,
    /// The service of each file of the revision.
    services: HashMap<FileId, usize>,
}

impl OldProject {
    /// The services of the revision that had the files of a present one.
    pub fn services_of(&self, present: &Service) -> BTreeSet<usize> {
        let old = present.files.iter().filter_map(|file| self.old_of.get(file));
        old.filter_map(|file| self.services.get(file).copied()).collect()
    }

    /// The file of the revision that became a present one.
    pub fn old_of(&self, present: FileId) -> Option<FileId> {
        self.old_of.get(&present).copied()
    }

    /// The present name of a file of the revision.
    pub fn name(&self, old: FileId) -> &str {
        self.names.get(old.0 as usize).map_or("", String::as_str)
    }

    /// The old content of a present file; `None` if it is new, or was not UTF-8.
    pub fn old_text(&self, present: FileId) -> Result<Option<String>, String> {
        let service = |old: FileId| self.project.services.get(*self.services.get(&old)?);
        let Some((old, service)) = self.old_of(present).and_then(|old| Some((old, service(old)?))) else {
            return Ok(None);
        };
        let contents = self.contents(service)?.remove(&old);
        Ok(contents.and_then(|contents| String::from_utf8(contents.as_bytes().to_vec()).ok()))
    }

    /// The contents of the files of a service of the revision.
    pub fn contents(&self, service: &Service) -> Result<Overrides, String> {
        let limit = self.project.configs.get(service.config).map_or(0, |config| config.max_file_bytes);
        let mut contents = Overrides::new();
        for &file in &service.files {
            let Some(old) = self.contents.get(file.0 as usize) else { continue };
            let bytes = self.revision.read(old, limit);
            let bytes =
                bytes.map_err(|error| format!("cannot read the old version of {}: {error}", self.name(file)))?;
            contents.insert(file, Contents::new(&bytes));
        }
        Ok(contents)
    }
}

/// Finds the files of a revision that belong to the services of present files.
pub(super) struct OldSearch<'p> {
    pub revision: Revision,
    pub candidates: &'p [Candidate],
    pub configs: &'p mut Configs,
    pub current: &'p Path,
}

/// A file of the revision, at its old path, and the present file that it became.
struct FoundVersion {
    candidate: Candidate,
    file: OldFile,
    present: Option<FileId>,
}

impl OldSearch<'_> {
    pub fn find(mut self) -> Result<OldProject, String> {
        let mut found = Vec::new();
        let mut keys = BTreeSet::new();
        let mut folders: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for (id, present) in (0..).map(FileId).zip(self.candidates) {
            let Some((path, file)) = self.revision.old_version(&present.path) else { continue };
            let folder = path.parent().unwrap_or(&path).to_path_buf();
            let config = match folders.get(&folder) {
                Some(&config) => config,
                // If the folder is gone, the configuration of the new place of its files applies.
                None if folder.is_dir() => self.configs.of_folder(&folder).map_err(|error| error.0)?,
                None => present.config,
            };
            folders.insert(folder, config);
            keys.insert(key(&path, config, self.configs));
            found.push(self.found(path, config, file, Some((id, present))));
        }
        self.add_others(&mut found, &keys, &folders)?;
        found.sort_by(|a, b| a.candidate.name.cmp(&b.candidate.name));
        Ok(self.into_project(found))
    }

    fn found(
        &self,
        path: PathBuf,
        config: usize,
        file: OldFile,
        present: Option<(FileId, &Candidate)>,
    ) -> FoundVersion {
        let name = relative_name(&path, self.current);
        let named = present.is_some_and(|(_, present)| present.named);
        let candidate = Candidate { named, ..Candidate::found(path, name, config, None) };
        FoundVersion { candidate, file, present: present.map(|(id, _)| id) }
    }

    /// Adds the other files of the same services: those that are gone, or outside of this run.
    fn add_others(
        &mut self,
        found: &mut Vec<FoundVersion>,
        keys: &BTreeSet<ServiceKey>,
        folders: &BTreeMap<PathBuf, usize>,
    ) -> Result<(), String> {
        let known: BTreeSet<PathBuf> = found.iter().map(|found| found.candidate.path.clone()).collect();
        let entry_folder = |key: &ServiceKey| match key {
            ServiceKey::Entry { config, entry } => {
                Some(self.configs.get(*config)?.services.get(*entry)?.folder.clone())
            }
            ServiceKey::Folder(_) | ServiceKey::Stdin => None,
        };
        let entry_folders: BTreeSet<PathBuf> = keys.iter().filter_map(entry_folder).collect();
        let mut others = Vec::new();
        for (path, file) in self.revision.files().filter(|(path, _)| is_json(path) && !known.contains(path)) {
            let folder = path.parent().unwrap_or(&path).to_path_buf();
            let config = match folders.get(&folder) {
                Some(&config) => config,
                None if !entry_folders.iter().any(|entry| path.starts_with(entry)) => continue,
                // The configuration of another folder may be invalid; it is not that of the service then.
                None => match self.configs.of_folder(&folder) {
                    Ok(config) => config,
                    Err(_) => continue,
                },
            };
            let is_wanted = keys.contains(&key(&path, config, self.configs));
            let is_excluded = |configs: &mut Configs| configs.exclusion(&path).map_err(|error| error.0);
            if is_wanted && !self.revision.is_hidden(&path) && is_excluded(self.configs)?.is_none() {
                others.push(self.found(path, config, file, None));
            }
        }
        let paths: Vec<&Path> = others.iter().map(|other| other.candidate.path.as_path()).collect();
        let ignored = self.revision.ignored(&paths)?;
        others.retain(|other| !ignored.contains(&other.candidate.path));
        found.append(&mut others);
        Ok(())
    }

    fn into_project(self, found: Vec<FoundVersion>) -> OldProject {
        let Self { revision, candidates: present, configs, current } = self;
        let (mut candidates, mut contents, mut names) = (Vec::new(), Vec::new(), Vec::new());
        let mut old_of = HashMap::default();
        for (id, FoundVersion { candidate, file, present: became }) in (0..).map(FileId).zip(found) {
            let became = became.and_then(|id| Some((id, present.get(id.0 as usize)?)));
            names.push(became.map_or_else(|| candidate.name.clone(), |(_, present)| present.name.clone()));
            old_of.extend(became.map(|(present, _)| (present, id)));
            candidates.push(candidate);
            contents.push(file);
        }
        let services = group(&candidates, configs);
        let of_file = services.iter().enumerate();
        let of_file = of_file.flat_map(|(index, service)| service.files.iter().map(move |&file| (file, index)));
        let of_file = of_file.collect();
        let all: Vec<Config> = configs.all().to_vec();
        let project = Project {
            candidates,
            services,
            others: Vec::new(),
            shard: None,
            configs: all,
            replaced_configs: BTreeMap::new(),
            config_files: Vec::new(),
            unreadable: Vec::new(),
            has_nearest_configs: false,
            current: current.to_path_buf(),
            walked: Vec::new(),
            skip_unrelated: false,
            leaves_out_named: false,
        };
        OldProject { project, revision, contents, names, old_of, services: of_file }
    }
}

/// The content of a file of a revision.
#[derive(Debug, Clone)]
pub(super) struct OldFile {
    id: ObjectId,
    /// Index of its repository.
    repository: usize,
}

/// A repository, and its submodules with files of the run.
#[derive(Debug)]
pub(super) struct Revision {
    repositories: Vec<(Repository, Blobs)>,
    /// By canonical path.
    files: BTreeMap<PathBuf, OldFile>,
    /// The old paths, by new canonical path.
    renamed: HashMap<PathBuf, PathBuf>,
    /// The current folder as named, and its canonical path.
    current: (PathBuf, PathBuf),
}

impl Revision {
    /// Reads the list of files of a revision in the repository of a folder, and in those of its submodules with some of
    /// these files.
    ///
    /// # Errors
    /// There is no such repository or revision, a file is outside, or git fails.
    pub fn of(folder: &Path, name: &str, current: &Path, files: &[&Path]) -> Result<Self, String> {
        let existing = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(folder);
        let repository = Repository::of(existing)?;
        let commit = repository.commit(name)?;
        let mut revision = Self {
            repositories: Vec::new(),
            files: BTreeMap::new(),
            renamed: HashMap::default(),
            current: (current.to_path_buf(), resolve(current)),
        };
        let files: Vec<PathBuf> = files.iter().map(|path| resolve(path)).collect();
        if let Some(outside) = files.iter().find(|path| !path.starts_with(repository.root())) {
            let (path, root) = (outside.display(), repository.root().display());
            return Err(format!("{path} is outside of the repository {root}"));
        }
        revision.add(repository, &commit, &files)?;
        Ok(revision)
    }

    fn add(&mut self, repository: Repository, commit: &ObjectId, files: &[PathBuf]) -> Result<(), String> {
        let tree = repository.tree(commit, is_json)?;
        let root = repository.root().to_path_buf();
        let index = self.repositories.len();
        for (path, id) in tree.files {
            self.files.insert(root.join(path), OldFile { id, repository: index });
        }
        let renames = repository.renamed(commit, is_json)?;
        self.renamed.extend(renames.into_iter().map(|(old, new)| (root.join(new), root.join(old))));
        let blobs = repository.blobs()?;
        self.repositories.push((repository, blobs));
        for (path, commit) in tree.submodules {
            let path = root.join(path);
            let inside: Vec<PathBuf> = files.iter().filter(|file| file.starts_with(&path)).cloned().collect();
            // If the folder is missing, git would find the repository around it.
            let submodule = if inside.is_empty() { None } else { Repository::of(&path).ok() };
            if let Some(submodule) = submodule.filter(|submodule| submodule.root() == path) {
                let added = self.add(submodule, &commit, &inside);
                added.map_err(|error| format!("submodule {}: {error}", path.display()))?;
            }
        }
        Ok(())
    }

    /// The old path of a present file, and its content then; `None` for a new file.
    pub fn old_version(&self, present: &Path) -> Option<(PathBuf, OldFile)> {
        if !present.is_absolute() {
            return None;
        }
        let path = resolve(present);
        let Some(old) = self.renamed.get(&path) else {
            return Some((present.to_path_buf(), self.files.get(&path)?.clone()));
        };
        Some((self.called(old), self.files.get(old)?.clone()))
    }

    /// All files, by paths as they are called.
    pub fn files(&self) -> impl Iterator<Item = (PathBuf, OldFile)> {
        self.files.iter().map(|(path, file)| (self.called(path), file.clone()))
    }

    pub fn read(&self, file: &OldFile, limit: u64) -> Result<Vec<u8>, String> {
        let Some((_, blobs)) = self.repositories.get(file.repository) else { return Ok(Vec::new()) };
        blobs.read(&file.id, limit)
    }

    /// Whether a walk leaves a file out, because its name or that of a folder around it begins with a dot.
    pub fn is_hidden(&self, path: &Path) -> bool {
        let path = resolve(path);
        let root = self.repositories.first().map_or(Path::new(""), |(repository, _)| repository.root());
        let inside = path.strip_prefix(root).unwrap_or(&path);
        inside
            .components()
            .any(|part| matches!(part, Component::Normal(name) if name.as_encoded_bytes().starts_with(b".")))
    }

    /// Those of some files that ignore files match.
    pub fn ignored(&self, paths: &[&Path]) -> Result<Vec<PathBuf>, String> {
        let mut ignored = Vec::new();
        for (index, (repository, _)) in self.repositories.iter().enumerate() {
            let inside = paths.iter().filter_map(|path| {
                let resolved = resolve(path);
                self.files.get(&resolved).filter(|file| file.repository == index)?;
                Some(resolved.strip_prefix(repository.root()).ok()?.to_path_buf())
            });
            let found = repository.ignored(&inside.collect::<Vec<_>>())?;
            ignored.extend(found.into_iter().map(|path| self.called(&repository.root().join(path))));
        }
        Ok(ignored)
    }

    /// A path as it is called from the current folder, in which links are not resolved.
    fn called(&self, resolved: &Path) -> PathBuf {
        let (called, current) = &self.current;
        if let Ok(inside) = resolved.strip_prefix(current) {
            return called.join(inside);
        }
        let mut around = called.ancestors().zip(current.ancestors()).skip(1);
        let path = around.find_map(|(called, current)| Some(called.join(resolved.strip_prefix(current).ok()?)));
        // Above a link the folders are others.
        path.filter(|path| resolve(path) == resolved).unwrap_or_else(|| resolved.to_path_buf())
    }
}

/// The canonical path; for a missing file or folder, the links of its parents are resolved.
fn resolve(path: &Path) -> PathBuf {
    let mut missing = Vec::new();
    for folder in path.ancestors() {
        if let Ok(folder) = canonicalize(folder) {
            return missing.iter().rev().fold(folder, |path, name| path.join(name));
        }
        missing.extend(folder.file_name());
    }
    path.to_path_buf()
}
