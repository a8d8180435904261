//! The command line: arguments in, exit code out. `command_line` has the commands, each of which has a file or folder with
//! its options; `options` are those that several share. Streams and the current folder are parameters (`world`), so that
//! tests run commands in-process.

mod catalog;
#[cfg(not(target_family = "wasm"))]
mod child;
mod command_line;
mod completions;
mod diff;
mod diffs;
mod explain_run;
mod explore;
mod files;
mod fixes;
mod fmt;
mod graph;
mod help;
#[cfg_attr(target_family = "wasm", path = "host_wasm.rs")]
mod host;
mod init;
mod init_all;
mod known;
mod lint;
mod lint_options;
mod man;
mod options;
mod places;
mod process;
mod progress;
mod reference;
mod report;
mod request;
mod rules;
mod scenario_files;
#[cfg(not(target_family = "wasm"))]
mod serve;
mod settings;
mod show;
mod simulate;
mod targets;
mod tour;
mod verbose;
#[cfg_attr(target_family = "wasm", path = "watch_nothing.rs")]
mod watch;
mod watch_cache;
mod world;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anstyle::AnsiColor;
use clap::builder::Styles;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use crate::files::read::is_present;
use crate::files::toml_file::problems;
use crate::report::{visible, wrap_guarded};
use crate::text::suggest::nearest;
use catalog::CatalogCommand;
use command_line::{Cli, Command};
use options::{Color, SIMULATE};
use world::{Failure, print_error};

pub use process::{run_process, run_to};
pub use world::{Exit, Shows, Widths, World};

/// Runs the command line; the first argument is the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>, world: &mut World<'_>) -> Exit {
    let arguments = as_command(arguments.into_iter().collect());
    let command = command(&arguments, world);
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let names = names.iter().map(String::as_str).chain(["help"]);
    let typo = |word: &OsStr| command_typo(word, &world.current, names.clone());
    if let Some(typo) = arguments.get(1).and_then(|first| typo(first)) {
        return finish(Err(typo), world);
    }
    let (cli, matches) = match parse(command, &arguments) {
        Ok(parsed) => parsed,
        Err(error) => return show_clap_message(with_tip(error), &arguments, world),
    };
    // The first path may come after options.
    let first_path = cli.lint.paths.first().filter(|_| cli.command.is_none());
    let done = match first_path.and_then(|path| typo(path.as_os_str())) {
        Some(typo) => Err(typo),
        None => run_command(cli, &matches, world),
    };
    finish(done, world)
}

/// The error for a mistyped command: a word that is not a path, but similar to the name of a command.
fn command_typo<'n>(word: &OsStr, current: &Path, names: impl Iterator<Item = &'n str> + Clone) -> Option<Failure> {
    /// The names of commands in other linters.
    const OTHER_NAMES: [(&str, &str); 2] = [("lint", "check"), ("run", "simulate")];
    // Every path with a folder or an extension is meant as a path, even if it does not exist.
    let word = word.to_str().filter(|word| !word.contains(['/', '\\', '.']) && !word.starts_with('-'))?;
    if names.clone().any(|name| name == word) || is_present(&current.join(word)) {
        return None;
    }
    let other_name = OTHER_NAMES.iter().find(|(other, _)| *other == word).map(|(_, name)| *name);
    let name = other_name.or_else(|| nearest(word, names))?;
    Some(Failure::Message(format!("unknown command or path `{word}`; did you mean `wflint {name}`?")))
}

/// Takes the places off the files that are named. Linting and drawing select what is there, the others take the file.
fn take_places(cli: &mut Cli, world: &mut World<'_>) -> Result<(), Failure> {
    let current = &world.current;
    match &mut cli.command {
        None => cli.lint.spots = places::take(&mut cli.lint.paths, current)?,
        Some(Command::Check(options)) => options.spots = places::take(&mut options.paths, current)?,
        Some(Command::Graph(options)) => options.spot = places::take([&mut options.file], current)?.pop(),
        Some(Command::Simulate(options)) => places::drop(&mut options.paths, "simulate", world)?,
        Some(Command::Explore(options)) => places::drop(&mut options.paths, "explore", world)?,
        Some(Command::Report(options)) => places::drop(&mut options.paths, "report", world)?,
        Some(Command::Fmt(options)) => places::drop(&mut options.paths, "fmt", world)?,
        Some(Command::Init(options)) => places::drop(&mut options.scenario, "init", world)?,
        Some(Command::Diff(options)) => {
            for side in [&mut options.old].into_iter().chain(&mut options.new) {
                let mut path = PathBuf::from(&*side);
                places::drop([&mut path], "diff", world)?;
                *side = path.into_os_string();
            }
        }
        Some(Command::Catalog(CatalogCommand::Infer(options))) => {
            places::drop(&mut options.paths, "catalog infer", world)?;
        }
        Some(Command::Catalog(CatalogCommand::Import(options))) => {
            places::drop(&mut options.files, "catalog import", world)?;
        }
        _ => {}
    }
    Ok(())
}

fn run_command(mut cli: Cli, matches: &ArgMatches, world: &mut World<'_>) -> Result<Exit, Failure> {
    let matches = matches.subcommand().map_or(matches, |(_, matches)| matches);
    let color = match &cli.command {
        Some(Command::Check(options)) => options.run.color,
        Some(Command::Simulate(options)) => options.run.color,
        Some(Command::Explore(options)) => options.color,
        Some(Command::Diff(options)) => options.color,
        Some(Command::Report(options)) => options.color,
        None => cli.lint.run.color,
        Some(_) => Color::Auto,
    };
    world.stderr_has_color &= color != Color::Never;
    take_places(&mut cli, world)?;
    match cli.command {
        Some(Command::Check(options)) => lint::run(&options, lint_options::choices(matches), world),
        Some(Command::Simulate(options)) => simulate::run(&options, world),
        Some(Command::Explore(options)) => explore::run(&options, world),
        Some(Command::Diff(options)) => diff::run(&options, world),
        Some(Command::Report(options)) => report::run(&options, world),
        Some(Command::Init(options)) if options.all => init_all::run(&options.ci, world),
        Some(Command::Init(options)) => init::run(&options, world),
        Some(Command::Fmt(options)) => fmt::run(&options, world),
        Some(Command::Catalog(command)) => catalog::run(&command, world),
        Some(Command::Graph(options)) if options.serve => host::serve_picture(&options, world),
        Some(Command::Graph(options)) => graph::run(&options, world),
        Some(Command::Lsp { .. }) => host::serve_client(world),
        Some(Command::Explain { run: Some(place), color, .. }) => explain_run::run(&place, color, world),
        Some(Command::Explain { rule, all, format, color, .. }) => {
            reference::explain(&rule.unwrap_or_default(), all, format, color, world)
        }
        Some(Command::Rules(options)) => rules::run(&options, world),
        Some(Command::Schema { name }) => reference::schema(&name, world),
        Some(Command::Completions { shell }) => completions::run(shell, world),
        Some(Command::Man { folder }) => man::run(&folder, world),
        Some(Command::Tour) => tour::run(world, run),
        None => lint::run(&cli.lint, lint_options::choices(matches), world),
    }
}

/// `wflint --simulate …` as `wflint simulate …`, unless a command comes first.
fn as_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_option = |argument: &OsString| argument.to_str().and_then(|it| it.strip_prefix("--")) == Some(SIMULATE);
    let place = arguments.iter().take_while(|argument| *argument != "--").position(is_option);
    let Some(place) = place else { return arguments };
    let first = arguments.get(1).and_then(|first| first.to_str()).unwrap_or_default();
    if Cli::command().find_subcommand(first).is_none() {
        arguments.remove(place);
        arguments.insert(1, SIMULATE.into());
    }
    arguments
}

/// Adds to the error about an unknown option that another command has it.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let unknown = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
    let has = |command: &clap::Command| {
        let mut options = command.get_opts();
        options.any(|option| option.get_long().is_some_and(|long| unknown.strip_prefix("--") == Some(long)))
    };
    let root = Cli::command();
    let tip = match root.find_subcommand(SIMULATE) {
        _ if error.kind() != ErrorKind::UnknownArgument => return error,
        _ if has(&root) => "it is an option of linting, which cannot be used with another command".to_owned(),
        Some(simulate) if has(simulate) => format!("scenarios are run with `wflint --simulate {unknown}`"),
        _ => return error,
    };
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

fn finish(done: Result<Exit, Failure>, world: &mut World<'_>) -> Exit {
    match done {
        Ok(exit) => exit,
        Err(Failure::BrokenPipe) => Exit::Failure,
        Err(Failure::Message(message)) => {
            problems(&message).for_each(|problem| print_error(world, problem));
            Exit::Failure
        }
    }
}

/// The command line, with help for this terminal. clap builds the subcommands that it meets, and adds `help`.
fn command(arguments: &[OsString], world: &World<'_>) -> clap::Command {
    let command = Cli::command().styles(STYLES).term_width(world.widths.stdout);
    if arguments.iter().any(|argument| argument == "-h") { help::short(command) } else { command }
}

fn parse(command: clap::Command, arguments: &[OsString]) -> Result<(Cli, ArgMatches), clap::Error> {
    let matches = command.try_get_matches_from(arguments)?;
    Ok((Cli::from_arg_matches(&matches)?, matches))
}

/// The colors of help and of errors about arguments, those of cargo.
const STYLES: Styles = {
    let heading = AnsiColor::Green.on_default().bold();
    let literal = AnsiColor::Cyan.on_default().bold();
    Styles::styled().header(heading).usage(heading).literal(literal).placeholder(AnsiColor::Cyan.on_default())
};

/// Prints help and version to standard output, errors to standard error. Arguments that an error quotes are shown as
/// [`visible`] does.
fn show_clap_message(error: clap::Error, arguments: &[OsString], world: &mut World<'_>) -> Exit {
    // Escaped arguments cause the same error, and clap quotes them in whole or in part.
    let arguments: Vec<OsString> =
        arguments.iter().map(|argument| visible(&argument.to_string_lossy()).into_owned().into()).collect();
    let visible_error = parse(command(&arguments, world), &arguments).err().map(with_tip);
    // Escape sequences are clap's own only when no argument can contain one.
    let is_visible = visible_error.is_some();
    let error = visible_error.unwrap_or(error);
    let is_error = error.use_stderr();
    let has_color = is_visible && if is_error { world.stderr_has_color } else { world.stdout_shows.color };
    let text = if has_color { error.render().ansi().to_string() } else { error.render().to_string() };
    let width = if is_error { world.widths.stderr } else { Some(world.widths.stdout) };
    let line = |line: &str| {
        // clap does not break usages and long words.
        let indent = format!("{:1$}  ", "", line.len() - line.trim_start().len());
        let line = if has_color { line.into() } else { visible(line) };
        width.map_or_else(|| line.to_string(), |width| wrap_guarded(&line, width, &indent))
    };
    let text = text.split('\n').map(line).collect::<Vec<_>>().join("\n");
    if is_error {
        let _ = world.stderr.write_all(text.as_bytes());
        return Exit::Failure;
    }
    let done = world.stdout.write_all(text.as_bytes()).map(|()| Exit::Clean).map_err(Failure::from);
    finish(done, world)
}
