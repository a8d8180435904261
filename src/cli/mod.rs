//! The command line: arguments in, exit code out. Writers and the current folder are parameters, so
//! that tests run it in-process.

mod baseline;
mod explain;
mod fixes;
mod lint;
mod options;
mod process;
mod request;
mod rules;
mod schema;
mod show;
mod simulate;
mod world;

use std::ffi::OsString;

use clap::{ArgMatches, CommandFactory, FromArgMatches};

use crate::report::visible;
use options::{Cli, Command};
use world::{Failure, print_error};

pub use process::{run_process, run_to};
pub use world::{Exit, World};

/// Runs the command line; the first argument is the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>, world: &mut World<'_>) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let (cli, matches) = match parse(&arguments) {
        Ok(parsed) => parsed,
        Err(error) => return show_clap_message(error, &arguments, world),
    };
    let done = match &cli.command {
        Some(Command::Explain { rule }) => explain::run(rule, world),
        Some(Command::Rules { format }) => rules::run(*format, world),
        Some(Command::Schema { name }) => schema::run(name, world),
        None if cli.lint.simulate => simulate::run(&cli.lint, world),
        None => lint::run(&cli.lint, options::choices(&matches), world),
    };
    finish(done, world)
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

fn parse(arguments: &[OsString]) -> Result<(Cli, ArgMatches), clap::Error> {
    let matches = Cli::command().try_get_matches_from(arguments)?;
    Ok((Cli::from_arg_matches(&matches)?, matches))
}

/// Prints help and version to standard output, errors to standard error. Arguments that an error quotes
/// are shown as [`visible`] does.
fn show_clap_message(error: clap::Error, arguments: &[OsString], world: &mut World<'_>) -> Exit {
    // Visible arguments fail as the arguments do, and clap quotes them as a whole or in parts.
    let arguments: Vec<OsString> =
        arguments.iter().map(|argument| visible(&argument.to_string_lossy()).into_owned().into()).collect();
    let error = parse(&arguments).err().unwrap_or(error);
    let text = error.render().to_string();
    let text: Vec<_> = text.split('\n').map(visible).collect();
    let text = text.join("\n");
    if error.use_stderr() {
        let _ = world.stderr.write_all(text.as_bytes());
        return Exit::Failure;
    }
    let done = world.stdout.write_all(text.as_bytes()).map(|()| Exit::Clean).map_err(Failure::from);
    finish(done, world)
}
