//! The scenarios of `--write`: all of them, or none.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::boundary::Boundary;
use crate::cli::options::ExploreOptions;
use crate::cli::world::{Failure, World};
use crate::diagnostic::FileId;
use crate::explore::Explored;
use crate::init::{ExploredScenario, ORIGIN_BYTES, ScenarioChoice, explored_scenarios, is_explored_scenario};
use crate::paths::{clean_path, relative_name};
use crate::read::{FileKey, ReadError, read_up_to};
use crate::source::SourceFile;
use crate::text::count;
use crate::write::{Writer, can_write};

/// Fails when the folder cannot be one, before anything is done.
pub(super) fn check_folder(folder: Option<&Path>, world: &World<'_>) -> Result<(), Failure> {
    let Some(folder) = folder else { return Ok(()) };
    let path = clean_path(folder, &world.current).0;
    let existing = path.ancestors().find(|path| path.exists());
    if existing.is_some_and(|existing| !existing.is_dir()) {
        return Err(unwritable(&folder.display(), &"not a folder"));
    }
    Ok(())
}

/// Writes the scenarios that `--write` asks for. Returns what to say about it.
///
/// # Errors
/// A file exists that explore did not write, or a file cannot be written. Nothing is written then.
pub(super) fn write(
    explored: &Explored,
    sources: &BTreeMap<FileId, SourceFile>,
    options: &ExploreOptions,
    world: &World<'_>,
) -> Result<Option<String>, Failure> {
    let Some(folder) = &options.write else { return Ok(None) };
    let (path, shown) = clean_path(folder, &world.current);
    let shown = if shown.is_empty() { ".".to_owned() } else { shown };
    let choice = ScenarioChoice {
        folder: &path,
        current: &world.current,
        covers: options.cover,
        breaks_laws: !options.law.is_empty(),
    };
    let scenarios = explored_scenarios(explored, sources, choice);
    let files = files(&scenarios, &path, options, world)?;
    std::fs::create_dir_all(&path).map_err(|error| unwritable(&shown, &error))?;
    for file in &files {
        can_write(&file.path).map_err(|error| unwritable(&file.name, &error))?;
    }
    let writer = Writer::begin();
    for file in &files {
        let done = writer.replace(&file.path, file.text.as_bytes());
        done.map_err(|error| Failure::Message(format!("cannot write {}: {error}", file.name)))?;
    }
    drop(writer);
    Ok(Some(line(&files, &path, &shown, explored, sources, options, world)))
}

struct NewFile<'s> {
    path: PathBuf,
    name: String,
    text: &'s str,
}

/// The files, none of which is one of somebody else, or a report of the same run.
fn files<'s>(
    scenarios: &'s [ExploredScenario],
    folder: &Path,
    options: &ExploreOptions,
    world: &World<'_>,
) -> Result<Vec<NewFile<'s>>, Failure> {
    let reports: Vec<FileKey> =
        options.output.iter().map(|output| FileKey::of(&world.current.join(&output.path))).collect();
    let mut files = Vec::new();
    for scenario in scenarios {
        let path = folder.join(&scenario.file);
        let name = relative_name(&path, &world.current);
        match read_up_to(&path, ORIGIN_BYTES) {
            Ok(start) if is_explored_scenario(&start) => {}
            Err(ReadError::Missing) => {}
            Ok(_) => return Err(unwritable(&name, &"`wflint explore` did not write the file that is there")),
            Err(error) => return Err(unwritable(&name, &error)),
        }
        if reports.iter().any(|report| report.is_of(&path)) {
            return Err(unwritable(&name, &"`--output` names it as well"));
        }
        files.push(NewFile { path, name, text: &scenario.text });
    }
    Ok(files)
}

fn unwritable(name: &dyn Display, reason: &dyn Display) -> Failure {
    Failure::Message(format!("cannot write {name}: {reason}; no scenario was written"))
}

/// How many were written, and what running them needs.
fn line(
    files: &[NewFile<'_>],
    folder: &Path,
    shown: &str,
    explored: &Explored,
    sources: &BTreeMap<FileId, SourceFile>,
    options: &ExploreOptions,
    world: &World<'_>,
) -> String {
    let boundary = Boundary::below(vec![world.current.clone(), folder.to_path_buf()]);
    let documents = explored.services.iter().filter_map(|service| sources.get(&service.workflow));
    let is_outside = |source: &SourceFile| boundary.check(&world.current.join(&source.path), folder).is_err();
    let option = if documents.into_iter().any(is_outside) || options.allow_outside { " --allow-outside" } else { "" };
    let number = count(files.len(), "scenario");
    format!("Wrote {number} to {shown}; run them with `wflint --simulate{option} {shown}`.")
}
