//! `--verbose`: on standard error, what a lint reads, with which settings, and how scripts are run.

use super::files;
use super::options::LintOptions;
use super::settings;
use super::world::{Failure, World, print_note};
use crate::lint::{Choice, Outcome};
use crate::project::{Request, relative_name};
use crate::script::Confinement;

/// The settings that are not the defaults, by configuration, and the files.
pub(super) fn before(
    options: &LintOptions,
    choices: &[Choice],
    request: &Request,
    world: &mut World<'_>,
) -> Result<(), Failure> {
    if !options.verbose {
        return Ok(());
    }
    let listing = files::listing(request)?;
    for config in &listing.configs {
        let changed = settings::settings(config, options, choices, &world.current);
        let changed = changed.iter().filter(|setting| !setting.is_default());
        let changed: Vec<String> = changed.map(|setting| format!("{} ({})", setting.key, setting.origin)).collect();
        let name = config.path.as_ref().map_or("no wflint.toml".to_owned(), |path| relative_name(path, &world.current));
        let changed = if changed.is_empty() { "defaults".to_owned() } else { changed.join(", ") };
        print_note(world, &format!("settings, {name}: {changed}"), "  ")?;
    }
    for listed in &listing.files {
        print_note(world, &files::line(listed), "  ")?;
    }
    Ok(())
}

/// How the scripts were run.
pub(super) fn after(options: &LintOptions, outcome: &Outcome, world: &mut World<'_>) -> Result<(), Failure> {
    if !options.verbose {
        return Ok(());
    }
    let how = match outcome.confinement {
        Some(Confinement::Filtered) => "run in a process whose system calls are filtered",
        Some(Confinement::Unfiltered) => "run in a process whose system calls are not filtered",
        None => "none was run",
    };
    print_note(world, &format!("scripts: {how}"), "  ")
}
