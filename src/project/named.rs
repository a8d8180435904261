//! Files by their names, without the services around them: scenarios, and the documents that they
//! name.

use std::path::{Path, PathBuf};

use super::discover::{self, Candidate, Configs};
use super::{ConfigSource, File, Request, load};
use crate::config::Config;
use crate::diagnostic::FileId;
use crate::toml_file::TomlError;

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Where it lies.
    pub path: PathBuf,
    /// How reports name it.
    pub name: String,
}

/// Finds named files, and those of walked folders that `wanted` accepts; sorted by name. Beside
/// them, what could not be read, with the reason.
///
/// # Errors
/// A configuration that cannot be used.
pub fn find_files(request: &Request, wanted: fn(&Path) -> bool) -> Result<(Vec<FoundFile>, Vec<String>), TomlError> {
    let mut configs = Configs::new(request.config.clone());
    let found = discover::discover(request, &mut configs, wanted)?;
    let mut files: Vec<FoundFile> =
        found.candidates.into_values().map(|file| FoundFile { path: file.path, name: file.name }).collect();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok((files, found.unreadable))
}

/// Files that were opened, with their configurations.
#[derive(Debug)]
pub struct Opened {
    /// The files, in the order in which they were named; or why one cannot be read.
    pub files: Vec<Result<File, String>>,
    /// By file: the index of its configuration.
    pub config_of: Vec<usize>,
    /// The configurations.
    pub configs: Vec<Config>,
}

/// Opens files, whatever they hold; the first gets the id `first`.
///
/// # Errors
/// A configuration that cannot be used.
pub fn open(paths: &[PathBuf], current: &Path, source: &ConfigSource, first: u32) -> Result<Opened, TomlError> {
    let mut configs = Configs::new(source.clone());
    let mut opened = Opened { files: Vec::new(), config_of: Vec::new(), configs: Vec::new() };
    for (id, path) in (first..).map(FileId).zip(paths) {
        let config = configs.of_folder(path.parent().unwrap_or(path))?;
        let name = discover::relative_name(path, current);
        let candidate = Candidate { path: path.clone(), name, config, named: true, reported: true, bytes: None };
        let Some(settings) = configs.get(config) else { continue };
        let file = load::load(id, &candidate, settings, false);
        opened.files.push(file.and_then(|file| file.ok_or_else(|| format!("{}: holds nothing", candidate.name))));
        opened.config_of.push(config);
    }
    opened.configs = configs.into_all();
    Ok(opened)
}

/// A path relative to a folder, with `/`.
pub fn relative_name(path: &Path, folder: &Path) -> String {
    discover::relative_name(path, folder)
}

/// A path without `.` and `..`, and how reports name it.
pub fn clean_path(path: &Path, current: &Path) -> (PathBuf, String) {
    let path = discover::clean(&current.join(path));
    let name = discover::relative_name(&path, current);
    (path, name)
}
