//! `wflint explore`: how orders can end, and which laws are broken.

mod shown;
#[cfg(test)]
mod tests;
mod written;

use std::collections::BTreeMap;
use std::path::PathBuf;

use indicatif::ProgressBar;

use super::options::{ExploreOptions, RunOptions};
use super::progress;
use super::request::{boundary, config_source};
use super::show;
use super::targets::Targets;
use super::world::{Exit, Failure, World, print_error, print_note};
use super::written::check_folder;
use crate::boundary::Boundary;
use crate::diagnostic::{FileId, Location};
use crate::explore::{Covers, ExploredProject, Request, explore_project};
use crate::lint::{Baselines, Outcome, pool};
use crate::project::{self, Project};
use crate::source::SourceFile;
use crate::text::{MAX_NAME, truncate};

const NOTHING: &str = "nothing to explore: no workflow found";

pub(super) fn run(options: &ExploreOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let run_options = options.run_options();
    shown::check_formats(&run_options)?;
    show::check_output(&run_options, world)?;
    check_folder(options.write.as_deref(), world)?;
    let request = project_request(options, &run_options, world)?;
    let project = project::find(&request).map_err(|error| Failure::Message(error.0))?;
    let targets = Targets::new(&run_options, &Baselines::default(), &world.current);
    targets.check(|file| project.reads(file)).map_err(Failure::Message)?;
    let bar = progress::states(world.stderr_is_terminal && !options.quiet);
    let found = explore_all(&project, &request.boundary, options, world, &bar);
    bar.finish_and_clear();
    let mut found = found.map_err(Failure::Message)?;
    targets.check(|file| found.reads(file)).map_err(Failure::Message)?;
    found.unreadable.splice(..0, project.unreadable);
    finish(found, options, world)
}

/// Explores the services of a project; the bar shows the states of all.
///
/// # Errors
/// No threads can be created, or an unknown law in `--law`.
fn explore_all(
    project: &Project,
    boundary: &Boundary,
    options: &ExploreOptions,
    world: &World<'_>,
    bar: &ProgressBar,
) -> Result<ExploredProject, String> {
    let request = Request {
        project,
        program: &world.program,
        boundary,
        max_states: options.max_states.and_then(|states| usize::try_from(states).ok()),
        covers: if options.cover { Covers::Everything } else { Covers::Nothing },
        proves: false,
        overrides: &project.overrides(&world.unsaved),
        progress: &|states| bar.inc(states as u64),
    };
    let pool = pool(options.jobs.map(usize::from))?;
    explore_project(&request, &options.law, world.today, &pool)
}

fn project_request(
    options: &ExploreOptions,
    run_options: &RunOptions,
    world: &World<'_>,
) -> Result<project::Request, Failure> {
    if options.paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(Failure::Message("`wflint explore` reads files, not standard input".to_owned()));
    }
    Ok(project::Request {
        current: world.current.clone(),
        paths: if options.paths.is_empty() { vec![PathBuf::from(".")] } else { options.paths.clone() },
        config: config_source(run_options, world),
        boundary: boundary(&options.paths, run_options, world),
        unsaved: world.unsaved.clone(),
        ..project::Request::default()
    })
}

/// Writes the scenarios and the report.
fn finish(found: ExploredProject, options: &ExploreOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let ExploredProject { explored, sources, mut unreadable, errors, .. } = found;
    unreadable.extend(errors);
    for warning in &explored.warnings {
        print_error(world, &format!("warning: {}", placed(&warning.location, &warning.message, &sources)));
    }
    for law in explored.laws.iter().filter(|law| law.is_unmet()) {
        let Some(place) = &law.declared else { continue };
        let message = format!("no run meets `when` of law `{}`", truncate(&law.name, MAX_NAME));
        print_error(world, &format!("warning: {}", placed(place, &message, &sources)));
    }
    if explored.services.is_empty() && explored.unexplored.is_empty() && unreadable.is_empty() {
        return Err(Failure::Message(NOTHING.to_owned()));
    }
    let run_options = options.run_options();
    let outcome = Outcome { sources, unreadable, ..Outcome::default() };
    let exit = shown::show(&explored, &outcome, &run_options, world)?;
    // A search may have taken long: its report is shown even if a scenario cannot be written.
    let written = written::write(&explored, &outcome.sources, options, world)?;
    if let Some(line) = written.filter(|_| !options.quiet) {
        print_note(world, &line, "")?;
    }
    Ok(exit)
}

/// A warning with its place, in one line.
fn placed(place: &Location, message: &str, sources: &BTreeMap<FileId, SourceFile>) -> String {
    let Some(source) = sources.get(&place.file) else { return message.to_owned() };
    let start = source.position(place.span.start);
    format!("{}:{}:{}: {message}", source.name, start.line, start.column)
}
