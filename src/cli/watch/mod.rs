//! `--watch`: runs again after each change, until the process is interrupted.

mod folders;
mod patterns;
mod relevance;
mod screen;

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use notify::Event;

use super::options::RunOptions;
use super::world::{Exit, Failure, World, print_error};
use crate::lookups::Lookups;
use crate::project::clean_path;
use crate::read::{in_resolved_folder, is_present, link_targets};
use folders::Folders;
use patterns::Patterns;
use relevance::Relevance;
use screen::Screen;

/// A change often causes several events: a run begins when none has come for this long,
const QUIET: Duration = Duration::from_millis(15);
/// or this long after the first one, at the latest.
const MAX_DELAY: Duration = Duration::from_millis(60);

/// What is run, and what it reads besides the paths of the command line.
pub(super) struct Watched<'w> {
    pub paths: &'w [PathBuf],
    pub options: &'w RunOptions,
    /// The files that a run reads, wherever they are. When the configuration is invalid, only those that are looked for.
    pub files: &'w dyn Fn(&mut World<'_>, &Lookups) -> Vec<PathBuf>,
    pub run: &'w mut dyn FnMut(&mut World<'_>) -> Result<Exit, Failure>,
}

/// Alternates between running and waiting. An error in a run does not end the loop: the next change may fix it.
///
/// # Errors
/// A path that does not exist, or cannot be watched; an output that nobody reads any more.
pub(super) fn watch(watched: Watched<'_>, world: &mut World<'_>) -> Result<Exit, Failure> {
    let Watched { paths, options, files, run } = watched;
    let roots: Vec<PathBuf> = match paths {
        [] => vec![world.current.clone()],
        paths => paths.iter().map(|path| clean_path(path, &world.current).0).collect(),
    };
    if paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(Failure::Message("`--watch` watches files, not standard input".to_owned()));
    }
    if let Some(missing) = roots.iter().find(|path| !is_present(path)) {
        return Err(Failure::Message(format!("cannot watch {}: no such file", missing.display())));
    }
    let outputs: Vec<PathBuf> = options.output.iter().map(|output| world.current.join(&output.path)).collect();
    let (sender, receiver) = channel();
    let mut watcher = notify::recommended_watcher(sender).map_err(|error| cannot_watch(&error))?;
    let mut folders = Folders::default();
    let mut screen = Screen::new();
    loop {
        // First the folders, so that no change is missed while the files are read.
        let lookups = Lookups::remembered();
        let mut read = files(world, &lookups);
        read.extend(lookups.files());
        read.extend(options.settings.config.iter().map(|path| clean_path(path, &world.current).0));
        let links = roots.iter().chain(&read).flat_map(|path| link_targets(path));
        read.extend(links.filter_map(|target| in_resolved_folder(&target)).collect::<Vec<_>>());
        let mut relevance = Relevance::new(&roots, &read, Patterns::new(&lookups.patterns()), &outputs);
        if let Some(reason) = folders.sync(&mut watcher, &mut relevance) {
            print_error(world, &format!("cannot watch everything: {reason}"));
        }
        screen.show(world, options.quiet, |world| match run(world) {
            Err(Failure::Message(message)) => {
                print_error(world, &message);
                Ok(())
            }
            Err(failure) => Err(failure),
            Ok(_) => Ok(()),
        })?;
        wait(&receiver, &relevance, &mut folders)?;
    }
}

fn cannot_watch(error: &notify::Error) -> Failure {
    Failure::Message(format!("cannot watch files: {error}"))
}

/// Waits for a change, and until no further events follow it.
fn wait(
    receiver: &Receiver<notify::Result<Event>>,
    relevance: &Relevance,
    folders: &mut Folders,
) -> Result<(), Failure> {
    let ended = || Failure::Message("cannot watch files: the watcher has ended".to_owned());
    loop {
        let event = receiver.recv().map_err(|_| ended())?;
        folders.forget_changed(&event);
        if relevance.is_change(&event) {
            break;
        }
    }
    let end = Instant::now() + MAX_DELAY;
    while let Some(left) = end.checked_duration_since(Instant::now()) {
        let Ok(event) = receiver.recv_timeout(QUIET.min(left)) else { break };
        folders.forget_changed(&event);
    }
    Ok(())
}
