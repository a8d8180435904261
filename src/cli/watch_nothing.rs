//! `--watch` in WebAssembly, whose host does not say when a file changes: an error.

use std::path::PathBuf;

use super::options::RunOptions;
use super::world::{Exit, Failure, World};
use crate::files::lookups::Lookups;

/// What would be run.
#[expect(dead_code, reason = "as where files are watched")]
pub(super) struct Watched<'w> {
    pub paths: &'w [PathBuf],
    pub options: &'w RunOptions,
    pub outputs: Vec<PathBuf>,
    pub files: &'w dyn Fn(&mut World<'_>, &Lookups) -> Vec<PathBuf>,
    pub run: &'w mut dyn FnMut(&mut World<'_>) -> Result<Exit, Failure>,
}

pub(super) fn watch(_: Watched<'_>, _: &mut World<'_>) -> Result<Exit, Failure> {
    Err(Failure::Message("files cannot be watched in WebAssembly".to_owned()))
}
