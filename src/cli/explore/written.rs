//! The scenarios of `--write`.

use std::collections::BTreeMap;

use crate::cli::options::ExploreOptions;
use crate::cli::world::{Failure, World};
use crate::cli::written::{ScenarioTarget, write_scenarios};
use crate::diagnostic::FileId;
use crate::explore::Explored;
use crate::init::{ScenarioChoice, explored_scenarios};
use crate::paths::clean_path;
use crate::read::FileKey;
use crate::source::SourceFile;

/// Writes the scenarios of `--write`. Returns a line to print about them.
///
/// # Errors
/// As [`write_scenarios`].
pub(super) fn write(
    explored: &Explored,
    sources: &BTreeMap<FileId, SourceFile>,
    options: &ExploreOptions,
    world: &World<'_>,
) -> Result<Option<String>, Failure> {
    let Some(folder) = &options.write else { return Ok(None) };
    let choice = ScenarioChoice {
        folder: &clean_path(folder, &world.current).0,
        current: &world.current,
        covers: options.cover,
        keeps_files: false,
        breaks_laws: !options.law.is_empty(),
    };
    let scenarios = explored_scenarios(explored, sources, choice);
    let reports = options.output.iter().map(|output| FileKey::of(&world.current.join(&output.path)));
    let target = ScenarioTarget { folder, reports: reports.collect(), allow_outside: options.settings.allow_outside };
    write_scenarios(&scenarios, sources, &target, world).map(Some)
}
