//! The configurations of a run, each loaded once.

use std::path::{Path, PathBuf};

use super::request::ConfigSource;
use crate::collections::HashMap;
use crate::config::{Config, glob};
use crate::toml_file::TomlError;

#[derive(Debug)]
pub(super) struct Configs {
    source: ConfigSource,
    all: Vec<Config>,
    by_folder: HashMap<PathBuf, usize>,
    /// The empty path stands for the defaults.
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

    /// The index of the configuration for the files of a folder.
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

    /// Whether the `exclude` of a configuration matches a file, or a folder around it.
    pub fn excludes(&self, config: usize, path: &Path) -> bool {
        let Some(config) = self.get(config) else { return false };
        let Ok(inside) = path.strip_prefix(&config.folder) else { return false };
        config
            .exclude
            .iter()
            .filter_map(|pattern| glob(pattern).ok())
            .any(|pattern| inside.ancestors().any(|part| !part.as_os_str().is_empty() && pattern.is_match(part)))
    }
}
