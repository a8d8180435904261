//! Writes the scenarios that exploring found.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::world::{self, Failure, World};
use crate::explore::Explored;
use crate::files::boundary::Boundary;
use crate::files::paths::{clean_path, relative_name};
use crate::files::read::{FileKey, ReadError, read_up_to};
use crate::files::write::{can_write, replace};
use crate::init::{ExploredScenario, ORIGIN_BYTES, is_explored_scenario};
use crate::text::count;
use crate::text::diagnostic::FileId;
use crate::text::source::SourceFile;

/// Fails if the path cannot be a folder, before any work is done.
pub(super) fn check_folder(folder: Option<&Path>, world: &World<'_>) -> Result<(), Failure> {
    let Some(folder) = folder else { return Ok(()) };
    let path = clean_path(folder, &world.current).0;
    let existing = path.ancestors().find(|path| path.exists());
    if existing.is_some_and(|existing| !existing.is_dir()) {
        return Err(unwritable(&folder.display(), &"not a folder"));
    }
    Ok(())
}

/// Why the results of exploring are not complete; `more` is added to what helps.
pub(super) fn incomplete(explored: &Explored, sources: &BTreeMap<FileId, SourceFile>, more: &str) -> Vec<String> {
    let name = |file: &FileId| sources.get(file).map_or("", |source| source.name.as_str());
    let unexplored = explored.unexplored.iter();
    let mut problems: Vec<String> =
        unexplored.map(|(file, reason)| format!("cannot explore {}: {reason}", name(file))).collect();
    for (service, cut) in explored.services.iter().filter_map(|service| Some((service, service.cut?))) {
        let (file, reason) = (name(&service.workflow), cut.reason(service.states));
        let help = cut.help().map(|help| format!("; {help}{more}")).unwrap_or_default();
        problems.push(format!("{file} was not explored completely: {reason}{help}"));
    }
    problems
}

/// Where scenarios are written.
pub(super) struct ScenarioTarget<'t> {
    pub folder: &'t Path,
    /// The reports that the run writes, too.
    pub reports: Vec<FileKey>,
    /// Whether the run reads files wherever they are.
    pub allow_outside: bool,
}

/// Writes scenarios. Returns a line to print about them.
///
/// # Errors
/// A file exists that explore did not write, and nothing is written; or a file cannot be written.
pub(super) fn write_scenarios(
    scenarios: &[ExploredScenario],
    sources: &BTreeMap<FileId, SourceFile>,
    target: &ScenarioTarget<'_>,
    world: &World<'_>,
) -> Result<String, Failure> {
    let (path, shown) = clean_path(target.folder, &world.current);
    let files = files(scenarios, &path, target, world)?;
    std::fs::create_dir_all(&path).map_err(|error| unwritable(&shown, &error))?;
    for folder in files.iter().filter_map(|file| file.path.parent()) {
        std::fs::create_dir_all(folder).map_err(|error| unwritable(&shown, &error))?;
    }
    for file in &files {
        can_write(&file.path).map_err(|error| unwritable(&file.name, &error))?;
    }
    let number = count(files.len(), "scenario");
    for file in &files {
        replace(&file.path, file.text.as_bytes()).map_err(|error| world::unwritable(&file.name, &error))?;
    }
    let boundary = Boundary::below(vec![world.current.clone(), path.clone()]);
    let documents = scenarios.iter().filter_map(|scenario| sources.get(&scenario.workflow));
    let is_outside = |source: &SourceFile| boundary.check(&world.current.join(&source.path), &path).is_err();
    let option = if documents.into_iter().any(is_outside) || target.allow_outside { " --allow-outside" } else { "" };
    Ok(format!("Wrote {number} to {shown}; run them with `wflint --simulate{option} {shown}`."))
}

struct NewFile<'s> {
    path: PathBuf,
    name: String,
    text: &'s str,
}

/// The files to write. None of them may be a file of the user, or a report of the same run.
fn files<'s>(
    scenarios: &'s [ExploredScenario],
    folder: &Path,
    target: &ScenarioTarget<'_>,
    world: &World<'_>,
) -> Result<Vec<NewFile<'s>>, Failure> {
    let mut files = Vec::new();
    for scenario in scenarios {
        let path = folder.join(&scenario.file);
        let name = relative_name(&path, &world.current);
        if target.reports.iter().any(|report| report.is_of(&path)) {
            return Err(unwritable(&name, &"it is a report of this run as well"));
        }
        match read_up_to(&path, ORIGIN_BYTES) {
            Ok(start) if is_explored_scenario(&start) => {}
            Err(ReadError::Missing) => {}
            Ok(_) => return Err(unwritable(&name, &"`wflint explore` did not write the file that is there")),
            Err(error) => return Err(unwritable(&name, &error)),
        }
        files.push(NewFile { path, name, text: &scenario.text });
    }
    Ok(files)
}

/// Before anything is written.
fn unwritable(name: &dyn Display, reason: &dyn Display) -> Failure {
    world::unwritable(name, &format!("{reason}; no scenario was written"))
}
