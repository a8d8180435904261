//! `--watch`: runs again after each change, until the process is interrupted. Folders are watched with everything in them;
//! whatever a run may read counts, but hidden files and what the run itself writes.

use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use super::options::RunOptions;
use super::world::{Exit, Failure, Widths, World, print_error, terminal_columns, today};
use crate::config::FILE_NAME;
use crate::files::lookups::Lookups;
use crate::files::read::{FileKey, in_resolved_folder, is_present, link_targets};
use crate::files::toml_file::problems;
use crate::project::{clean_path, exclude_file_of};
use crate::text::{visible_columns, wrap};

/// A change often causes several events: a run begins when none has come for this long,
const QUIET: Duration = Duration::from_millis(15);
/// or this long after the first one, at the latest.
const MAX_DELAY: Duration = Duration::from_millis(60);

/// Files that count wherever they are watched: configurations, and ignore files, which are hidden.
const ALWAYS: [&str; 4] = [FILE_NAME, ".gitignore", ".ignore", "exclude"];

/// What is run, and what it reads besides the paths of the command line.
pub(super) struct Watched<'w> {
    pub paths: &'w [PathBuf],
    pub options: &'w RunOptions,
    /// Further files that a run writes.
    pub outputs: Vec<PathBuf>,
    /// The files that a run reads, wherever they are. When the configuration is invalid, only those that are looked for.
    pub files: &'w dyn Fn(&mut World<'_>, &Lookups) -> Vec<PathBuf>,
    pub run: &'w mut dyn FnMut(&mut World<'_>) -> Result<Exit, Failure>,
}

/// Alternates between running and waiting. An error in a run does not end the loop: the next change may fix it.
///
/// # Errors
/// A path that does not exist, or cannot be watched; an output that nobody reads any more.
pub(super) fn watch(watched: Watched<'_>, world: &mut World<'_>) -> Result<Exit, Failure> {
    let Watched { paths, options, outputs, files, run } = watched;
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
    let outputs = options.output.iter().map(|output| &output.path).chain(&outputs);
    let outputs: Vec<PathBuf> = outputs.map(|path| world.current.join(path)).collect();
    let (sender, receiver) = channel();
    let mut screen = Screen::new();
    let mut last: Option<(BTreeMap<PathBuf, RecursiveMode>, RecommendedWatcher)> = None;
    loop {
        let lookups = Lookups::remembered();
        let mut read = files(world, &lookups);
        read.extend(lookups.files());
        read.extend(options.settings.config.iter().map(|path| clean_path(path, &world.current).0));
        let plan = Plan::new(&roots, read, &lookups, outputs.clone());
        // First the folders, so that no change is missed while the files are read.
        if last.as_ref().is_none_or(|(folders, _)| *folders != plan.folders) {
            let watcher = start(&sender, &plan, world)?;
            last = Some((plan.folders.clone(), watcher));
        }
        screen.show(world, options.quiet, |world| match run(world) {
            Err(Failure::Message(message)) => {
                problems(&message).for_each(|problem| print_error(world, problem));
                Ok(())
            }
            Err(failure) => Err(failure),
            Ok(_) => Ok(()),
        })?;
        if wait(&receiver, &plan)? {
            last = None;
        }
    }
}

/// Watches folders. Those that cannot be watched, other than those of the command line, are left out: they may be gone
/// again, or outside of what may be read.
fn start(
    sender: &Sender<notify::Result<Event>>,
    plan: &Plan,
    world: &mut World<'_>,
) -> Result<RecommendedWatcher, Failure> {
    let config = notify::Config::default().with_follow_symlinks(false);
    let watcher = RecommendedWatcher::new(sender.clone(), config);
    let mut watcher = watcher.map_err(|error| Failure::Message(format!("cannot watch files: {error}")))?;
    for (folder, mode) in &plan.folders {
        if let Err(error) = watcher.watch(folder, *mode)
            && plan.whole.contains_key(folder)
            && folder.is_dir()
        {
            print_error(world, &format!("cannot watch everything: {error}"));
        }
    }
    Ok(watcher)
}

/// Waits for a change, and until no further events follow it. Returns whether folders have to be watched again.
fn wait(receiver: &Receiver<notify::Result<Event>>, plan: &Plan) -> Result<bool, Failure> {
    let mut is_stale = false;
    loop {
        let event = receiver.recv();
        let event = event.map_err(|_| Failure::Message("cannot watch files: the watcher has ended".to_owned()))?;
        is_stale |= plan.is_stale(&event);
        if plan.is_change(&event) {
            break;
        }
    }
    let end = Instant::now() + MAX_DELAY;
    while let Some(left) = end.checked_duration_since(Instant::now()) {
        let Ok(event) = receiver.recv_timeout(QUIET.min(left)) else { break };
        is_stale |= plan.is_stale(&event);
    }
    Ok(is_stale)
}

/// What is watched, and which changes count.
#[derive(Debug)]
struct Plan {
    folders: BTreeMap<PathBuf, RecursiveMode>,
    /// Folders in which every file counts; only those directly in them for the folder of a named file.
    whole: BTreeMap<PathBuf, RecursiveMode>,
    /// Files that a run reads or looks for, and the folders above.
    read: BTreeSet<PathBuf>,
    /// Files that the run writes.
    outputs: Vec<PathBuf>,
    /// The files of standard output and standard error, if they are redirected to files.
    streams: Vec<FileKey>,
}

impl Plan {
    fn new(roots: &[PathBuf], read: Vec<PathBuf>, lookups: &Lookups, outputs: Vec<PathBuf>) -> Self {
        let mut whole: BTreeMap<PathBuf, RecursiveMode> = BTreeMap::new();
        let (dirs, files): (Vec<&PathBuf>, Vec<&PathBuf>) = roots.iter().partition(|root| root.is_dir());
        let in_folders = files.into_iter().filter_map(|file| file.parent());
        whole.extend(in_folders.map(|folder| (folder.to_path_buf(), RecursiveMode::NonRecursive)));
        let patterns = lookups.patterns().into_iter().map(|(folder, _)| folder);
        whole.extend(dirs.into_iter().cloned().chain(patterns).map(|folder| (folder, RecursiveMode::Recursive)));
        let above = || roots.iter().flat_map(|root| root.ancestors());
        let mut read: BTreeSet<PathBuf> = read.into_iter().chain(roots.iter().chain(whole.keys()).cloned()).collect();
        let links: Vec<PathBuf> = read.iter().flat_map(|path| link_targets(path)).collect();
        read.extend(links.iter().filter_map(|target| in_resolved_folder(target)));
        read.extend(above().filter_map(exclude_file_of));
        let mut folders: BTreeMap<PathBuf, RecursiveMode> = BTreeMap::new();
        // Configurations, and the folders themselves, may be created in those around them.
        for folder in read.iter().filter_map(|path| path.parent()).chain(above().skip(1)) {
            folders.extend(existing(folder).map(|folder| (folder.to_path_buf(), RecursiveMode::NonRecursive)));
        }
        folders
            .extend(whole.iter().filter(|(folder, _)| folder.is_dir()).map(|(folder, mode)| (folder.clone(), *mode)));
        // Watched once: what is inside of another one is watched with it.
        let is_deep = |outer: &Path| whole.get(outer) == Some(&RecursiveMode::Recursive);
        folders.retain(|folder, _| !folder.ancestors().skip(1).any(is_deep));
        Self { folders, whole, read, outputs, streams: streams() }
    }

    /// Whether an event changes a file that the run reads. Reading a file does not change it.
    fn is_change(&self, event: &notify::Result<Event>) -> bool {
        // An error says that events may be lost.
        let Ok(event) = event else { return true };
        match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => {}
            EventKind::Access(_) => return false,
            _ => {}
        }
        event.need_rescan() || event.paths.iter().any(|path| self.counts(path))
    }

    /// Whether a watched folder, or one around it, is another one now: the system does not watch it by its name.
    fn is_stale(&self, event: &notify::Result<Event>) -> bool {
        let Ok(event) = event else { return true };
        let is_around = |path: &PathBuf| self.folders.keys().any(|folder| folder.starts_with(path));
        let is_moved = matches!(event.kind, EventKind::Create(_) | EventKind::Remove(_) | EventKind::Other)
            || matches!(event.kind, EventKind::Modify(notify::event::ModifyKind::Name(_)));
        event.need_rescan() || is_moved && event.paths.iter().any(is_around)
    }

    fn counts(&self, path: &Path) -> bool {
        if self.outputs.iter().any(|output| FileKey::of(output).is_of(path))
            || self.streams.iter().any(|stream| stream.is_of(path))
        {
            return false;
        }
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_in_whole = |(folder, mode): (&PathBuf, &RecursiveMode)| {
            path.strip_prefix(folder).is_ok_and(|inside| {
                let is_hidden = inside.iter().any(|part| part.as_encoded_bytes().starts_with(b"."));
                !is_hidden && (*mode == RecursiveMode::Recursive || inside.components().count() <= 1)
            })
        };
        // The folder around a file may have come or gone.
        ALWAYS.contains(&name)
            || self.read.iter().any(|file| file.starts_with(path))
            || self.whole.iter().any(is_in_whole)
    }
}

/// The innermost folder at or above a path that exists.
fn existing(path: &Path) -> Option<&Path> {
    path.ancestors().find(|folder| folder.is_dir())
}

/// The files that the shell has opened for the output.
#[cfg(unix)]
fn streams() -> Vec<FileKey> {
    let streams = ["/dev/fd/1", "/dev/fd/2"].into_iter().map(Path::new);
    streams.filter(|stream| crate::files::read::is_regular(stream)).map(FileKey::of).collect()
}

#[cfg(not(unix))]
const fn streams() -> Vec<FileKey> {
    Vec::new()
}

/// Shown below each report.
const WAITING: &str = "Watching for changes, press Ctrl-C to stop.";

/// Shows the reports: each replaces the last one on a terminal, and follows it otherwise.
struct Screen {
    /// Whether standard output and standard error are terminals.
    stdout: bool,
    stderr: bool,
    /// The output on the terminal since the first line of the last run.
    drawn: String,
}

impl Screen {
    fn new() -> Self {
        let (stdout, stderr) = (std::io::stdout().is_terminal(), std::io::stderr().is_terminal());
        Self { stdout, stderr, drawn: String::new() }
    }

    /// Shows the output of a run when it has ended; the old report stays until then.
    fn show(
        &mut self,
        world: &mut World<'_>,
        is_quiet: bool,
        run: impl FnOnce(&mut World<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        // The terminal may be wider or narrower than for the last report.
        world.widths = Widths::measured();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        {
            let mut inner = World {
                current: world.current.clone(),
                stdin: &mut std::io::empty(),
                stdout: &mut out,
                stderr: &mut err,
                stdout_shows: world.stdout_shows,
                stderr_has_color: world.stderr_has_color,
                widths: world.widths,
                // A progress bar would be drawn beside the report.
                stderr_is_terminal: false,
                program: world.program.clone(),
                today: today(),
                step_summary: world.step_summary.clone(),
                unsaved: world.unsaved.clone(),
            };
            run(&mut inner)?;
        }
        if !is_quiet {
            let waiting = world.widths.stderr.map_or_else(|| WAITING.to_owned(), |width| wrap(WAITING, width, ""));
            err.extend(waiting.bytes().chain([b'\n']));
        }
        let mut shown = String::new();
        for (is_drawn, text) in [(self.stdout, &out), (self.stderr, &err)] {
            if is_drawn {
                shown += &String::from_utf8_lossy(text);
            }
        }
        if self.stdout {
            world.stdout.write_all(clear(&self.drawn, width()).as_bytes())?;
        }
        world.stdout.write_all(&out)?;
        world.stdout.flush()?;
        world.stderr.write_all(&err)?;
        world.stderr.flush()?;
        self.drawn = shown;
        Ok(())
    }
}

/// The columns of the terminal, which may have changed.
fn width() -> Option<usize> {
    terminal_columns().0
}

/// The escape sequence that moves the cursor up to the first line of the old output and clears the rest of the screen.
/// Rows that have scrolled off stay.
fn clear(drawn: &str, width: Option<usize>) -> String {
    let rows: usize = drawn.lines().map(|line| rows(line, width)).sum();
    if rows == 0 { String::new() } else { format!("\u{1b}[{rows}F\u{1b}[J") }
}

/// The rows that a line takes.
fn rows(line: &str, width: Option<usize>) -> usize {
    let Some(width) = width.filter(|&width| width > 0) else { return 1 };
    visible_columns(line).div_ceil(width).max(1)
}

#[cfg(test)]
mod tests {
    use notify::event::{CreateKind, ModifyKind};

    use super::*;

    #[test]
    fn changes_of_what_is_read_count_and_others_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("services");
        std::fs::create_dir_all(root.join("sign")).unwrap();
        let read = vec![folder.path().join("catalogs/own.toml")];
        let outputs = vec![root.join("sign/report.json")];
        let plan = Plan::new(std::slice::from_ref(&root), read, &Lookups::default(), outputs);
        let is_change = |kind, path: &str| plan.is_change(&Ok(Event::new(kind).add_path(folder.path().join(path))));
        let written = EventKind::Modify(ModifyKind::Any);
        for path in [
            "services/a.json", "services/sign/a.json", "services/.gitignore", "wflint.toml", "catalogs/own.toml",
            "catalogs", "services", "services/sign",
        ] {
            assert!(is_change(written, path), "{path}");
        }
        for path in ["other.json", "catalogs/else.toml", "services/sign/.a.json.swp", "services/.git/HEAD"] {
            assert!(!is_change(written, path), "{path}");
        }
        assert!(!is_change(written, "services/sign/report.json"), "its own output");
        assert!(is_change(EventKind::Create(CreateKind::Folder), "services/new"));
        let opened = EventKind::Access(AccessKind::Open(AccessMode::Any));
        assert!(!is_change(opened, "services/a.json"), "to read changes nothing");
    }

    #[test]
    fn only_the_rows_that_were_drawn_are_cleared() {
        assert_eq!(clear("", Some(80)), "");
        assert_eq!(clear("a\n\nb\n", Some(80)), "\u{1b}[3F\u{1b}[J");
        assert_eq!(
            clear(&format!("{}\n", "x".repeat(81)), Some(80)),
            "\u{1b}[2F\u{1b}[J",
            "a long line takes two rows"
        );
        let colored = format!("\u{1b}[31m{}\u{1b}[0m\n", "x".repeat(80));
        assert_eq!(clear(&colored, Some(80)), "\u{1b}[1F\u{1b}[J", "colors take no columns");
    }
}
