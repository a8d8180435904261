//! The files of a git revision, by the paths that they would have in the work tree.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::discover::is_json;
use crate::collections::HashMap;
use crate::git::{Blobs, ObjectId, Repository};

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
        let renames = repository.renames(commit)?;
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
        if let Ok(folder) = std::fs::canonicalize(folder) {
            return missing.iter().rev().fold(folder, |path, name| path.join(name));
        }
        missing.extend(folder.file_name());
    }
    path.to_path_buf()
}
