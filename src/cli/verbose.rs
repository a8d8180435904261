//! `--verbose` and `--timing`, on standard error: what a lint reads, with which settings, how scripts are run, and what took
//! how long.

use super::files;
use super::lint_options::LintOptions;
use super::settings;
use super::world::{Failure, World, print_note};
use crate::common::timing::{Part, Timing};
use crate::lint::{Choice, Outcome};
use crate::project::{Request, relative_name};
use crate::script::Confinement;

/// Indents continuation lines to the column of the names.
const INDENT: &str = "            ";
/// Rules, scripts and services that are listed.
const MAX_LISTED: usize = 10;

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

/// How the scripts were run, and why fixes are withheld.
pub(super) fn after(options: &LintOptions, outcome: &Outcome, world: &mut World<'_>) -> Result<(), Failure> {
    if !options.verbose {
        return Ok(());
    }
    let how = match outcome.confinement {
        Some(Confinement::Filtered) => "run in a process whose system calls are filtered",
        Some(Confinement::Unfiltered) => "run in a process whose system calls are not filtered",
        None => "none was run",
    };
    print_note(world, &format!("scripts: {how}"), "  ")?;
    for finding in &outcome.diagnostics {
        let Some(reason) = &finding.fix_withheld else { continue };
        let Some(source) = outcome.sources.get(&finding.location.file) else { continue };
        let start = source.position(finding.location.span.start);
        let place = format!("{}:{}:{}", source.name, start.line, start.column);
        print_note(world, &format!("{place}: no fix for {}, it {reason}", finding.code), "  ")?;
    }
    Ok(())
}

/// The slowest of everything that was measured.
pub(super) fn print_timing(timing: Option<&Timing>, world: &mut World<'_>) -> Result<(), Failure> {
    let Some(timing) = timing else { return Ok(()) };
    for part in Part::ALL {
        let (slowest, more) = timing.slowest(part, MAX_LISTED);
        if slowest.is_empty() {
            continue;
        }
        print_note(world, &format!("{}:", heading(part)), "  ")?;
        for (name, time) in &slowest {
            print_note(world, &format!("{:>10}  {name}", format!("{:.1} ms", time.as_secs_f64() * 1000.0)), INDENT)?;
        }
        if more > 0 {
            print_note(world, &format!("{INDENT}… {more} more"), INDENT)?;
        }
    }
    Ok(())
}

const fn heading(part: Part) -> &'static str {
    match part {
        Part::Phase => "Time of phases",
        Part::Service => "Slowest services",
        // Facts are computed by the first rule that needs them, which makes it look slow.
        Part::Rule => "Slowest rules, with the facts that they compute first",
        Part::Script => "Slowest scripts",
    }
}
