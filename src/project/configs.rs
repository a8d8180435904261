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
use crate::schema::DocumentKind;

#[derive(Debug)]
pub(super) struct Configs {
    source: ConfigSource,
    boundary: Boundary,
    unsaved: Unsaved,
    good: Arc<BTreeMap<PathBuf, Arc<Config>>>,
    /// Those that cannot be used, by path.
    invalid: BTreeMap<PathBuf, TomlError>,
    /// Why those that hold in their place were taken.
    replaced: BTreeMap<PathBuf, TomlError>,
    all: Vec<Config>,
    /// By configuration.
    patterns: Vec<Patterns>,
    by_folder: HashMap<PathBuf, usize>,
    /// By folder.
    excludes: HashMap<PathBuf, Result<Option<Arc<Excludes>>, TomlError>>,
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
            invalid: BTreeMap::new(),
            replaced: BTreeMap::new(),
            all: Vec::new(),
            patterns: Vec::new(),
            by_folder: HashMap::default(),
            excludes: HashMap::default(),
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

    /// Fails if a configuration that was needed is invalid.
    ///
    /// # Errors
    /// The problems of all of them, by path.
    pub fn check(&self) -> Result<(), TomlError> {
        if self.invalid.is_empty() { Ok(()) } else { Err(TomlError::joined(self.invalid.values().cloned().collect())) }
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
            ConfigSource::Nearest => match (self.own_of(folder)?, folder.parent()) {
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

    /// The configuration in a folder itself, unless one around it excludes it.
    fn own_of(&mut self, folder: &Path) -> Result<Option<PathBuf>, TomlError> {
        let Some(path) = Config::file_in(folder, &self.unsaved) else { return Ok(None) };
        let around = folder.parent().map_or(Ok(None), |above| self.excludes_of(above))?;
        Ok(Some(path).filter(|path| around.is_none_or(|around| around.pattern_of(path).is_none())))
    }

    /// The index of the configuration in a file; without one, of the defaults.
    fn of_path(&mut self, path: Option<&Path>) -> Result<usize, TomlError> {
        let key = path.unwrap_or(Path::new(""));
        if let Some(&index) = self.by_path.get(key) {
            return Ok(index);
        }
        if let Some(error) = self.invalid.get(key) {
            return Err(error.clone());
        }
        let config = match (self.load(path), self.good.get(key)) {
            (Err(error), Some(good)) => {
                self.replaced.insert(key.to_path_buf(), error);
                Config::clone(good)
            }
            (Err(error), None) => {
                self.invalid.insert(key.to_path_buf(), error.clone());
                return Err(error);
            }
            (Ok(loaded), _) => loaded,
        };
        self.patterns.push(Patterns::new(&config));
        self.all.push(config);
        self.by_path.insert(key.to_path_buf(), self.all.len() - 1);
        Ok(self.all.len() - 1)
    }

    fn load(&self, path: Option<&Path>) -> Result<Config, TomlError> {
        let Some(path) = path else { return Ok(Config::default()) };
        self.check_link(path)?;
        Config::load_with(path, &self.boundary, &self.unsaved)
    }

    /// Refuses a configuration that was found, and may be a link of a stranger to anywhere.
    fn check_link(&self, path: &Path) -> Result<(), TomlError> {
        if self.source != ConfigSource::Nearest {
            return Ok(());
        }
        let allowed = self.boundary.check(path, path.parent().unwrap_or(path));
        allowed.map_err(|error| TomlError(format!("cannot read {}: {error}", path.display())))
    }

    /// The pattern in the `exclude` of a configuration around a file that matches it, or a folder around it.
    /// An invalid configuration around it is an error only if no pattern matches.
    pub fn exclusion(&mut self, path: &Path) -> Result<Option<String>, TomlError> {
        let Some(excludes) = self.excludes_of(path.parent().unwrap_or(path))? else { return Ok(None) };
        let pattern = excludes.pattern_of(path);
        match excludes.all().find_map(|excludes| self.invalid.get(&excludes.path)) {
            Some(error) if pattern.is_none() => Err(error.clone()),
            _ => Ok(pattern),
        }
    }

    /// The patterns that hold in a folder.
    fn excludes_of(&mut self, folder: &Path) -> Result<Option<Arc<Excludes>>, TomlError> {
        if let Some(excludes) = self.excludes.get(folder) {
            return excludes.clone();
        }
        let excludes = self.read_excludes_of(folder);
        self.excludes.insert(folder.to_path_buf(), excludes.clone());
        excludes
    }

    fn read_excludes_of(&mut self, folder: &Path) -> Result<Option<Arc<Excludes>>, TomlError> {
        let (own, around) = match &self.source {
            ConfigSource::Nearest => {
                let around = folder.parent().map_or(Ok(None), |above| self.excludes_of(above))?;
                (self.own_of(folder)?, around)
            }
            ConfigSource::File(path) => (Some(path.clone()), None),
            ConfigSource::Isolated => (None, None),
        };
        let Some(path) = own else { return Ok(around) };
        let own = self.excluded_by(&path)?;
        Ok(Some(Arc::new(Excludes { path, own, around })))
    }

    /// The patterns in the `exclude` of a configuration. Of one that is only around others, nothing else is needed.
    fn excluded_by(&mut self, path: &Path) -> Result<Vec<(RootedPatterns<()>, String)>, TomlError> {
        let patterns = match self.by_path.get(path).and_then(|&index| self.all.get(index)) {
            Some(config) => config.excluded(),
            None => match (self.check_link(path).and_then(|()| self.read_excluded(path)), self.good.get(path)) {
                (Ok((patterns, true)), _) => patterns,
                (_, Some(good)) => good.excluded(),
                (read, None) => {
                    // All that is wrong with it.
                    let error = self.load(Some(path)).err().or_else(|| read.as_ref().err().cloned());
                    self.invalid.extend(error.map(|error| (path.to_path_buf(), error)));
                    read?.0
                }
            },
        };
        let rooted = |(folder, pattern): (PathBuf, String)| {
            (RootedPatterns::new([(folder.as_path(), pattern.as_str(), ())]), pattern)
        };
        Ok(patterns.into_iter().map(rooted).collect())
    }

    fn read_excluded(&self, path: &Path) -> Result<(Vec<(PathBuf, String)>, bool), TomlError> {
        Config::read_excluded(path, &self.boundary, &self.unsaved)
    }

    /// What a `[[service]]` names a file as: by its path, or by a pattern that says more than which files are JSON.
    pub fn kind_by_service(&self, config: usize, path: &Path) -> Option<DocumentKind> {
        let patterns = self.patterns.get(config)?;
        if patterns.workflows.contains_key(path) {
            return Some(DocumentKind::Workflow);
        }
        patterns.telling_forms.matching_below(path).next().map(|()| DocumentKind::Form)
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
    /// By the absolute path of its workflow: the index of the first `[[service]]`.
    workflows: HashMap<PathBuf, usize>,
    /// With the index of the `[[service]]`.
    forms: RootedPatterns<usize>,
    /// Those of them that say more than which files are JSON.
    telling_forms: RootedPatterns<()>,
}

/// The `exclude` of a configuration, and of those around it.
#[derive(Debug)]
struct Excludes {
    /// Of the configuration.
    path: PathBuf,
    /// With the patterns as they are written.
    own: Vec<(RootedPatterns<()>, String)>,
    around: Option<Arc<Self>>,
}

impl Excludes {
    /// From the innermost outwards.
    fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |excludes| excludes.around.as_deref())
    }

    /// The first pattern that matches a file, or a folder around it, from the innermost configuration outwards.
    fn pattern_of(&self, path: &Path) -> Option<String> {
        self.all().find_map(|excludes| {
            let found = excludes.own.iter().find(|(pattern, _)| pattern.matching_around(path).next().is_some());
            found.map(|(_, pattern)| pattern.clone())
        })
    }
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
        let tells = |form: &&String| form.trim_end_matches(".json").contains(char::is_alphanumeric);
        let telling = config
            .services
            .iter()
            .flat_map(|entry| entry.forms.iter().filter(tells).map(|form| (entry.folder.as_path(), form.as_str(), ())));
        let telling_forms = RootedPatterns::new(telling);
        Self { workflows, forms: RootedPatterns::new(forms), telling_forms }
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
