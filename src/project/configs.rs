//! The configurations of a run, each loaded once, and their files, which several may share.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::request::{ConfigSource, Request};
use crate::common::collections::{HashMap, IndexMap};
use crate::config::{Config, RootedPatterns};
use crate::files::boundary::Boundary;
use crate::files::paths::clean;
use crate::files::read::Unsaved;
use crate::files::toml_file::TomlError;

#[derive(Debug)]
pub(super) struct Configs {
    source: ConfigSource,
    boundary: Boundary,
    unsaved: Unsaved,
    good: Arc<BTreeMap<PathBuf, Arc<Config>>>,
    /// Why those that hold in their place were taken.
    replaced: BTreeMap<PathBuf, TomlError>,
    all: Vec<Config>,
    /// By configuration.
    patterns: Vec<Patterns>,
    by_folder: HashMap<PathBuf, usize>,
    /// The empty path stands for the defaults.
    by_path: HashMap<PathBuf, usize>,
}

impl Configs {
    pub fn new(source: ConfigSource, boundary: Boundary, unsaved: Unsaved) -> Self {
        Self {
            source,
            boundary,
            unsaved,
            good: Arc::default(),
            replaced: BTreeMap::new(),
            all: Vec::new(),
            patterns: Vec::new(),
            by_folder: HashMap::default(),
            by_path: HashMap::default(),
        }
    }

    /// The configurations of a request.
    pub fn of(request: &Request) -> Self {
        let paths = request.buffers.iter().filter_map(|buffer| buffer.path.as_ref());
        let paths: Vec<PathBuf> = paths.map(|path| clean(&request.current.join(path))).collect();
        let unsaved = if paths.is_empty() { request.unsaved.clone() } else { Unsaved::names(paths) };
        let unsaved = unsaved.remembering(request.unsaved.lookups());
        let configs = Self::new(request.config.clone(), request.boundary.clone(), unsaved);
        Self { good: Arc::clone(&request.good_configs), ..configs }
    }

    pub fn get(&self, index: usize) -> Option<&Config> {
        self.all.get(index)
    }

    pub fn all(&self) -> &[Config] {
        &self.all
    }

    pub fn take_replaced(&mut self) -> BTreeMap<PathBuf, TomlError> {
        std::mem::take(&mut self.replaced)
    }

    pub fn into_all(self) -> Vec<Config> {
        self.all
    }

    /// The index of the configuration for the files of a folder.
    pub fn of_folder(&mut self, folder: &Path) -> Result<usize, TomlError> {
        if let Some(&index) = self.by_folder.get(folder) {
            return Ok(index);
        }
        let index = match &self.source {
            ConfigSource::Nearest => match (Config::file_in(folder, &self.unsaved), folder.parent()) {
                // That of the folder above, which is looked up once for all folders in it.
                (None, Some(above)) => self.of_folder(above)?,
                (path, _) => self.of_path(path.as_deref())?,
            },
            ConfigSource::File(path) => self.of_path(Some(&path.clone()))?,
            ConfigSource::Isolated => self.of_path(None)?,
        };
        self.by_folder.insert(folder.to_path_buf(), index);
        Ok(index)
    }

    /// The index of the configuration in a file; without one, of the defaults.
    fn of_path(&mut self, path: Option<&Path>) -> Result<usize, TomlError> {
        let key = path.unwrap_or(Path::new(""));
        if let Some(&index) = self.by_path.get(key) {
            return Ok(index);
        }
        let config = match (self.load(path), self.good.get(key)) {
            (Err(error), Some(good)) => {
                self.replaced.insert(key.to_path_buf(), error);
                Config::clone(good)
            }
            (loaded, _) => loaded?,
        };
        self.patterns.push(Patterns::new(&config));
        self.all.push(config);
        self.by_path.insert(key.to_path_buf(), self.all.len() - 1);
        Ok(self.all.len() - 1)
    }

    fn load(&self, path: Option<&Path>) -> Result<Config, TomlError> {
        let Some(path) = path else { return Ok(Config::default()) };
        if self.source == ConfigSource::Nearest {
            // One that is found may be a link of a stranger to anywhere.
            let folder = path.parent().unwrap_or(path);
            let allowed = self.boundary.check(path, folder);
            allowed.map_err(|error| TomlError(format!("cannot read {}: {error}", path.display())))?;
        }
        Config::load_with(path, &self.boundary, &self.unsaved)
    }

    /// The pattern in the `exclude` of a configuration that matches a file, or a folder around it.
    pub fn exclusion(&self, config: usize, path: &Path) -> Option<&str> {
        let index = self.patterns.get(config)?.excluded.matching_around(path).min()?;
        self.get(config)?.exclude.get(index).map(|pattern| pattern.value.as_str())
    }

    /// The index of the first `[[service]]` that a file belongs to.
    pub fn service_entry(&self, config: usize, path: &Path) -> Option<usize> {
        let patterns = self.patterns.get(config)?;
        patterns.forms.matching_below(path).chain(patterns.workflows.get(path).copied()).min()
    }
}

/// The patterns of a configuration, compiled once.
#[derive(Debug)]
struct Patterns {
    /// With the index in `exclude`.
    excluded: RootedPatterns<usize>,
    /// By the absolute path of its workflow: the index of the first `[[service]]`.
    workflows: HashMap<PathBuf, usize>,
    /// With the index of the `[[service]]`.
    forms: RootedPatterns<usize>,
}

impl Patterns {
    fn new(config: &Config) -> Self {
        let mut workflows = HashMap::default();
        for (index, entry) in config.services.iter().enumerate() {
            if let Some(workflow) = entry.workflow_path() {
                workflows.insert(workflow, index);
            }
        }
        let forms = config.services.iter().enumerate();
        let forms = forms.flat_map(|(index, entry)| {
            entry.forms.iter().map(move |form| (entry.folder.as_path(), form.as_str(), index))
        });
        let excluded = config.exclude.iter().enumerate();
        let excluded =
            excluded.map(|(index, pattern)| (config.folder_of(pattern.place), pattern.value.as_str(), index));
        Self { excluded: RootedPatterns::new(excluded), workflows, forms: RootedPatterns::new(forms) }
    }
}

/// A configuration file, with the configurations that it is part of.
#[derive(Debug)]
pub struct ConfigFile {
    pub path: PathBuf,
    pub text: Arc<str>,
    /// At least one.
    pub uses: Vec<ConfigFileUse>,
}

/// The file as part of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConfigFileUse {
    /// Index of the configuration.
    pub config: usize,
    /// The number of the file in it.
    pub layer: usize,
}

impl ConfigFile {
    /// The first configuration that it is part of.
    pub fn first_config(&self) -> usize {
        self.uses.first().map_or(0, |first| first.config)
    }
}

/// The files of configurations, in the order of their first use.
pub(super) fn config_files(configs: &[Config]) -> Vec<ConfigFile> {
    let mut files: IndexMap<&Path, ConfigFile> = IndexMap::default();
    for (config, layers) in configs.iter().map(|config| &config.layers).enumerate() {
        for (layer, read) in layers.iter().enumerate().rev() {
            let new = || ConfigFile { path: read.path.clone(), text: Arc::clone(&read.text), uses: Vec::new() };
            files.entry(&read.path).or_insert_with(new).uses.push(ConfigFileUse { config, layer });
        }
    }
    files.into_values().collect()
}
