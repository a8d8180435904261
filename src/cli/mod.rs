//! The command line: arguments in, exit code out. `options` are the arguments, and each command has its own file or
//! folder. Streams and the current folder are parameters (`world`), so that tests run commands in-process.

mod baseline;
mod catalog;
mod completions;
mod diff;
mod editor_run;
mod explain;
mod explore;
mod files;
mod first_word;
mod fixes;
mod fmt;
mod graph;
mod init;
mod kept;
mod lint;
mod lsp;
mod man;
mod options;
mod process;
mod progress;
mod request;
mod rules;
mod schema;
mod settings;
mod show;
mod simulate;
mod statistics;
mod suppressions;
mod targets;
mod timing;
mod undo;
mod verbose;
mod watch;
mod world;
mod written;

use std::ffi::OsString;

use anstyle::AnsiColor;
use clap::builder::Styles;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use crate::report::{visible, wrap_guarded};
use options::{Cli, Color, Command, SimulateOptions};
use world::{Failure, print_error};

pub use process::{run_process, run_to};
pub use world::{Exit, Shows, Widths, World};

/// Runs the command line; the first argument is the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>, world: &mut World<'_>) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let command = command(world);
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let names = names.iter().map(String::as_str).chain(["help"]);
    if let Some(first) = arguments.get(1)
        && let Err(failure) = first_word::check(first, &world.current, names.clone())
    {
        return finish(Err(failure), world);
    }
    let (cli, matches) = match parse(command, &arguments) {
        Ok(parsed) => parsed,
        Err(error) => return show_clap_message(error, &arguments, world),
    };
    // The first path may come after options.
    let first_path = cli.lint.paths.first().filter(|_| cli.command.is_none());
    let done = match first_path.map_or(Ok(()), |path| first_word::check(path.as_os_str(), &world.current, names)) {
        Err(failure) => Err(failure),
        Ok(()) => run_command(cli, &matches, world),
    };
    finish(done, world)
}

fn run_command(cli: Cli, matches: &ArgMatches, world: &mut World<'_>) -> Result<Exit, Failure> {
    let matches = matches.subcommand().map_or(matches, |(_, matches)| matches);
    let color = match &cli.command {
        Some(Command::Check(options)) => options.run.color,
        Some(Command::Simulate(options)) => options.run.color,
        Some(Command::Explore(options)) => options.color,
        Some(Command::Diff(options)) => options.color,
        None => cli.lint.run.color,
        Some(_) => Color::Auto,
    };
    world.stderr_has_color &= color != Color::Never;
    match cli.command {
        Some(Command::Check(options)) => lint::run(&options, options::choices(matches), world),
        Some(Command::Simulate(options)) => simulate::run(&options, world),
        Some(Command::Explore(options)) => explore::run(&options, world),
        Some(Command::Diff(options)) => diff::run(&options, world),
        Some(Command::Init(options)) => init::run(&options, world),
        Some(Command::Fmt(options)) => fmt::run(&options, world),
        Some(Command::Catalog(command)) => catalog::run(&command, world),
        Some(Command::Graph(options)) => graph::run(&options, world),
        Some(Command::Lsp { .. }) => lsp::run(world),
        Some(Command::Explain { run: Some(place), color, .. }) => explain::show_run(&place, color, world),
        Some(Command::Explain { rule, all, format, color, .. }) => {
            explain::run(&rule.unwrap_or_default(), all, format, color, world)
        }
        Some(Command::Rules { format }) => rules::run(format, world),
        Some(Command::Schema { name }) => schema::run(&name, world),
        Some(Command::Completions { shell }) => completions::run(shell, world),
        Some(Command::Man { folder }) => man::run(&folder, world),
        None if cli.simulate => simulate::run(&simulate_options(cli)?, world),
        None => lint::run(&cli.lint, options::choices(matches), world),
    }
}

/// The options of `--simulate`, which it shares with linting.
fn simulate_options(cli: Cli) -> Result<SimulateOptions, Failure> {
    let Cli { mutants, coverage, lint, .. } = cli;
    if lint.since.is_some() && !mutants {
        return Err(Failure::Message("`--since` with `--simulate` requires `--mutants`".to_owned()));
    }
    Ok(SimulateOptions { paths: lint.paths, mutants, since: lint.since, coverage, run: lint.run })
}

fn finish(done: Result<Exit, Failure>, world: &mut World<'_>) -> Exit {
    match done {
        Ok(exit) => exit,
        Err(Failure::BrokenPipe) => Exit::Failure,
        Err(Failure::Message(message)) => {
            print_error(world, &message);
            Exit::Failure
        }
    }
}

/// The command line, with help for this terminal. clap builds the subcommands that it meets, and adds `help`.
fn command(world: &World<'_>) -> clap::Command {
    Cli::command().styles(STYLES).term_width(world.widths.stdout)
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

/// Headings in the text after the options, which clap does not paint.
const HEADINGS: [&str; 2] = ["Examples:", "Exit codes:"];

/// A line with escape sequences of colors, everything else as [`visible`] shows it.
fn visible_beside_colors(line: &str) -> String {
    if HEADINGS.contains(&line) {
        let style = *STYLES.get_header();
        return format!("{style}{line}{style:#}");
    }
    let mut parts = line.split('\u{1b}');
    let mut shown = visible(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let (sequence, text) = part.split_at(part.find('m').map_or(0, |end| end + 1));
        shown.push('\u{1b}');
        shown += sequence;
        shown += &visible(text);
    }
    shown
}

/// Prints help and version to standard output, errors to standard error. Arguments that an error quotes
/// are shown as [`visible`] does.
fn show_clap_message(error: clap::Error, arguments: &[OsString], world: &mut World<'_>) -> Exit {
    // Escaped arguments cause the same error, and clap quotes them in whole or in part.
    let arguments: Vec<OsString> =
        arguments.iter().map(|argument| visible(&argument.to_string_lossy()).into_owned().into()).collect();
    let visible_error = parse(command(world), &arguments).err();
    // Escape sequences are clap's own only when no argument can contain one.
    let is_visible = visible_error.is_some();
    let error = visible_error.unwrap_or(error);
    let has_color = is_visible && if error.use_stderr() { world.stderr_has_color } else { world.stdout_shows.color };
    let text = if has_color { error.render().ansi().to_string() } else { error.render().to_string() };
    let width = if error.use_stderr() { world.widths.stderr } else { Some(world.widths.stdout) };
    let line = |line: &str| {
        // clap does not break usages and long words.
        let indent = format!("{:1$}  ", "", line.len() - line.trim_start().len());
        let line = if has_color { visible_beside_colors(line) } else { visible(line).into_owned() };
        width.map_or_else(|| line.clone(), |width| wrap_guarded(&line, width, &indent))
    };
    let text: Vec<_> = text.split('\n').map(line).collect();
    let text = text.join("\n");
    if error.use_stderr() {
        let _ = world.stderr.write_all(text.as_bytes());
        return Exit::Failure;
    }
    let done = world.stdout.write_all(text.as_bytes()).map(|()| Exit::Clean).map_err(Failure::from);
    finish(done, world)
}
