//! Which scenarios to load.

use std::path::PathBuf;

use crate::boundary::Boundary;
use crate::project::ConfigSource;
use crate::read::Unsaved;

#[derive(Debug, Clone)]
pub struct Request {
    /// The current folder, absolute; names in reports are relative to it.
    pub current: PathBuf,
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    pub config: ConfigSource,
    /// Limits which files a scenario or a configuration may name.
    pub boundary: Boundary,
    /// Files that are not saved yet; their texts count in place of those on the disk.
    pub unsaved: Unsaved,
}
