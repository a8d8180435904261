//! What a run lints or simulates, and with which configuration.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::shard::Shard;
use crate::boundary::Boundary;
use crate::config::Config;
use crate::read::Unsaved;

/// Where the configuration comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ConfigSource {
    /// The nearest `wflint.toml` at or above the folder of each file.
    #[default]
    Nearest,
    File(PathBuf),
    /// The defaults; configuration files are ignored.
    Isolated,
}

#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The current folder, absolute; names in reports are relative to it.
    pub current: PathBuf,
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// Documents that are not read from files; when there are any, `paths` is ignored.
    pub buffers: Vec<Buffer>,
    /// Reads no other documents of a service: `buffers` are all there are.
    pub in_memory: bool,
    /// Skips named files that hold no document.
    pub skip_unrelated: bool,
    pub config: ConfigSource,
    /// By their paths: configurations that hold in place of those that cannot be loaded.
    pub good_configs: Arc<BTreeMap<PathBuf, Arc<Config>>>,
    /// Limits which files a configuration may name.
    pub boundary: Boundary,
    /// Files that are not saved yet. Documents in walked folders that are not on the disk are found as if they were; for
    /// those on the disk see [`super::Overrides`].
    pub unsaved: Unsaved,
    /// The part of the services that is linted; all when `None`.
    pub shard: Option<Shard>,
}

/// A document that is not read from a file, such as standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buffer {
    /// The file that it replaces; without one it is a service of its own.
    pub path: Option<PathBuf>,
    pub bytes: Arc<[u8]>,
    /// Whether more follows, which was not read.
    pub is_cut: bool,
}

impl Buffer {
    pub fn new(path: Option<PathBuf>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Self { path, bytes: bytes.into(), is_cut: false }
    }
}
