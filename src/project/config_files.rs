//! The configuration files of a run: several configurations may extend one file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::collections::IndexMap;
use crate::config::Config;

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
