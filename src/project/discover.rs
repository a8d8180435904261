//! Finding files: named ones, those of walked folders, and the configuration of each.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{ConfigSource, Request};
use crate::collections::HashMap;
use crate::config::{Config, glob};
use crate::toml_file::TomlError;

/// Name of a text from standard input that stands for no file.
pub(super) const STDIN_NAME: &str = "<stdin>";

/// A file that is going to be read.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Where it lies.
    pub path: PathBuf,
    /// How reports name it.
    pub name: String,
    /// Index of its configuration.
    pub config: usize,
    /// Whether it was named on the command line.
    pub named: bool,
    /// Whether findings in it are reported.
    pub reported: bool,
    /// Its bytes, when they are not read from the file.
    pub bytes: Option<Arc<[u8]>>,
}

#[derive(Debug, Default)]
pub(super) struct Found {
    /// By absolute path; sorted, and each file once.
    pub candidates: BTreeMap<PathBuf, Candidate>,
    /// What could not be read, with the reason.
    pub unreadable: Vec<String>,
    /// The folders that were walked.
    pub walked: Vec<PathBuf>,
}

/// The configurations of a run, each loaded once.
#[derive(Debug)]
pub(super) struct Configs {
    source: ConfigSource,
    all: Vec<Config>,
    by_folder: HashMap<PathBuf, usize>,
    by_path: HashMap<PathBuf, usize>,
}

impl Configs {
    pub fn new(source: ConfigSource) -> Self {
        Self { source, all: Vec::new(), by_folder: HashMap::default(), by_path: HashMap::default() }
    }

    pub fn get(&self, index: usize) -> Option<&Config> {
        self.all.get(index)
    }

    pub fn all(&self) -> &[Config] {
        &self.all
    }

    pub fn into_all(self) -> Vec<Config> {
        self.all
    }

    /// The configuration that holds for the files of a folder.
    pub fn of_folder(&mut self, folder: &Path) -> Result<usize, TomlError> {
        if let Some(&index) = self.by_folder.get(folder) {
            return Ok(index);
        }
        let path = match &self.source {
            ConfigSource::Nearest => Config::find(folder),
            ConfigSource::File(path) => Some(path.clone()),
            ConfigSource::Isolated => None,
        };
        let key = path.clone().unwrap_or_default();
        let index = if let Some(&index) = self.by_path.get(&key) {
            index
        } else {
            self.all.push(path.as_deref().map_or_else(|| Ok(Config::default()), Config::load)?);
            self.by_path.insert(key, self.all.len() - 1);
            self.all.len() - 1
        };
        self.by_folder.insert(folder.to_path_buf(), index);
        Ok(index)
    }

    /// Whether the configuration of a file leaves it out of walks.
    fn excludes(&self, config: usize, path: &Path) -> bool {
        let Some(config) = self.get(config) else { return false };
        let Ok(inside) = path.strip_prefix(&config.folder) else { return false };
        config
            .exclude
            .iter()
            .filter_map(|pattern| glob(pattern).ok())
            .any(|pattern| inside.ancestors().any(|part| !part.as_os_str().is_empty() && pattern.is_match(part)))
    }
}

/// Which files of a walked folder are wanted.
pub(super) type Wanted = fn(&Path) -> bool;

/// Whether a file may hold a document: its name ends in `.json`.
pub(super) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Finds what a request asks for.
pub(super) fn discover(request: &Request, configs: &mut Configs, wanted: Wanted) -> Result<Found, TomlError> {
    let mut found = Found::default();
    for text in &request.texts {
        let path = text.path.as_ref().map(|path| clean(&request.current.join(path)));
        let folder = path.as_deref().and_then(Path::parent).unwrap_or(&request.current);
        let config = configs.of_folder(folder)?;
        let name = path.as_deref().map_or_else(|| STDIN_NAME.to_owned(), |path| relative_name(path, &request.current));
        let bytes = Some(Arc::clone(&text.bytes));
        let path = path.unwrap_or_else(|| PathBuf::from(STDIN_NAME));
        let candidate = Candidate { path: path.clone(), name, config, named: true, reported: true, bytes };
        found.candidates.insert(path, candidate);
    }
    if !request.texts.is_empty() {
        return Ok(found);
    }
    for path in &request.paths {
        let absolute = clean(&request.current.join(path));
        match std::fs::metadata(&absolute) {
            Err(error) => found.unreadable.push(format!("{}: {error}", path.display())),
            Ok(metadata) if metadata.is_dir() => {
                walk(&absolute, None, &request.current, configs, wanted, &mut found)?;
                found.walked.push(absolute);
            }
            Ok(_) => {
                let config = configs.of_folder(absolute.parent().unwrap_or(&absolute))?;
                let name = relative_name(&absolute, &request.current);
                let path = absolute.clone();
                let candidate = Candidate { path, name, config, named: true, reported: true, bytes: None };
                found.candidates.insert(absolute, candidate);
            }
        }
    }
    Ok(found)
}

/// Adds the wanted files of a folder, as git sees it: ignored and hidden ones left out, links not
/// followed.
pub(super) fn walk(
    folder: &Path,
    depth: Option<usize>,
    current: &Path,
    configs: &mut Configs,
    wanted: Wanted,
    found: &mut Found,
) -> Result<(), TomlError> {
    let walk = ignore::WalkBuilder::new(folder)
        .max_depth(depth)
        .require_git(false)
        .sort_by_file_name(std::cmp::Ord::cmp)
        .build();
    for entry in walk {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                found.unreadable.push(error.to_string());
                continue;
            }
        };
        if !wanted(entry.path()) || !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.into_path();
        let config = configs.of_folder(path.parent().unwrap_or(folder))?;
        if !configs.excludes(config, &path) {
            let name = relative_name(&path, current);
            let candidate = Candidate { path: path.clone(), name, config, named: false, reported: true, bytes: None };
            found.candidates.entry(path).or_insert(candidate);
        }
    }
    Ok(())
}

/// A path without `.` and `..`, by its text alone.
pub(super) fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !cleaned.pop() {
                    cleaned.push(component);
                }
            }
            other => cleaned.push(other),
        }
    }
    cleaned
}

/// How reports name a file: relative to the current folder, with `/`.
pub(super) fn relative_name(path: &Path, current: &Path) -> String {
    let shared = path.components().zip(current.components()).take_while(|(a, b)| a == b).count();
    let up = current.components().skip(shared).map(|_| "..".to_owned());
    let down = path.components().skip(shared).map(|component| component.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative_to_the_current_folder() {
        let name = |path| relative_name(Path::new(path), Path::new("/home/me"));
        assert_eq!(name("/home/me/a/b.json"), "a/b.json");
        assert_eq!(name("/home/you/b.json"), "../you/b.json");
        assert_eq!(clean(Path::new("/a/./b/../c")), Path::new("/a/c"));
    }
}
