//! Projects of files whose contents do not come from their paths, but from another folder or a git revision.

use std::path::{Path, PathBuf};

use super::configs::Configs;
use super::discover::{Discovered, Search, is_json};
use super::expected::NamedDocuments;
use super::file::{Candidate, Contents};
use super::kinds::may_be_document;
use super::project;
use super::request::{ConfigSource, Request};
use super::services::{self, Project, ServiceKey};
use crate::files::toml_file::TomlError;

/// A file of a project.
#[derive(Debug, Clone)]
pub struct GivenFile {
    /// The path that determines its configuration and its service.
    pub path: PathBuf,
    /// As reports show it.
    pub name: String,
    /// Whether it is an error if it holds no document.
    pub named: bool,
}

/// What distinguishes a service from the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServicePlace {
    /// The folder of its documents.
    Folder(PathBuf),
    /// The name of its `[[service]]`.
    Entry(String),
}

/// The services of files of a folder, each with its place. `read` returns the bytes of a file, up to one over the limit, or `None`
/// for those that its path has. What cannot be read is listed in the project. Files that do not look like documents are
/// left out.
pub fn of_files(
    request: &Request,
    folder: &Path,
    files: Vec<GivenFile>,
    read: impl Fn(&GivenFile, u64) -> Result<Option<Vec<u8>>, String>,
) -> Result<(Project, Vec<ServicePlace>), TomlError> {
    let mut configs = Configs::of(request);
    let mut candidates = Vec::new();
    let mut found = Discovered::default();
    let documents = if files.iter().all(|file| file.named) {
        NamedDocuments::default()
    } else {
        NamedDocuments::of(&scenarios(folder, &mut configs))
    };
    for file in files {
        if !file.named && matches!(configs.exclusion(&file.path), Ok(Some(_))) {
            continue;
        }
        // All invalid configurations are reported together.
        let Ok(config) = configs.of_folder(file.path.parent().unwrap_or(&file.path)) else { continue };
        let meant = documents.kind(&file.path, config, &configs);
        let limit = configs.get(config).map_or(0, |config| config.max_file_bytes);
        let contents = match read(&file, limit) {
            Ok(Some(bytes)) if !(file.named || meant.is_some() || may_be_document(&bytes)) => continue,
            Ok(bytes) => bytes.as_deref().map(Contents::new),
            Err(reason) => {
                found.unreadable.push(format!("cannot read {}: {reason}", file.name));
                continue;
            }
        };
        let GivenFile { path, name, named } = file;
        candidates.push(Candidate { named, meant, ..Candidate::found(path, name, config, contents) });
    }
    configs.check()?;
    candidates.sort_by(|a, b| a.name.cmp(&b.name));
    let services = services::group(&candidates, &configs);
    let places = services.iter().map(|service| {
        let first = service.files.first().and_then(|file| candidates.get(file.0 as usize));
        match first.map(|first| services::key(&first.path, first.config, &configs)) {
            Some(ServiceKey::Entry { config, entry }) => {
                let entry = configs.get(config).and_then(|config| config.services.get(entry));
                ServicePlace::Entry(entry.map(|entry| entry.name.clone()).unwrap_or_default())
            }
            Some(ServiceKey::Folder(folder)) => ServicePlace::Folder(folder),
            Some(ServiceKey::Stdin) | None => ServicePlace::Folder(request.current.clone()),
        }
    });
    let places = places.collect();
    Ok((project(request, candidates, found, services, configs.into_all()), places))
}

/// The scenarios of a folder. Those of a revision are not read.
fn scenarios(folder: &Path, configs: &mut Configs) -> Vec<PathBuf> {
    let mut found = Discovered::default();
    // What is wrong with a configuration is reported with the files.
    let _ = Search { folder, max_depth: None, current: folder, wanted: &|_| false }.run(configs, &mut found);
    found.scenarios
}

/// The files of a folder that may hold documents, as a walk finds them, and what could not be read.
pub fn json_files(folder: &Path) -> (Vec<PathBuf>, Vec<String>) {
    let isolated = Request { config: ConfigSource::Isolated, ..Request::default() };
    let (mut configs, mut found) = (Configs::of(&isolated), Discovered::default());
    let search = Search { folder, max_depth: None, current: folder, wanted: &is_json };
    if let Err(error) = search.run(&mut configs, &mut found) {
        found.unreadable.push(error.0);
    }
    (found.candidates.into_keys().collect(), found.unreadable)
}

/// Whether a walk through a folder would take this file for one that may hold a document, but for ignore files: its name
/// ends in `.json`, and neither it nor a folder below that one is hidden.
pub fn is_walked(file: &Path, folder: &Path) -> bool {
    let inside = file.strip_prefix(folder).unwrap_or(file);
    is_json(file) && !inside.components().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."))
}
