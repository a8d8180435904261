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

use clap::{CommandFactory, FromArgMatches};

use crate::report::visible;
use options::{Cli, Command};
use world::{Failure, print_error};

pub use process::{run_process, run_to};
pub use world::{Exit, World};

/// Runs the command line; the first argument is the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>, world: &mut World<'_>) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let parsed = Cli::command()
        .try_get_matches_from(&arguments)
        .and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return show_clap_message(&error, &arguments, world),
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

/// Prints help and version to standard output, errors to standard error. Control characters in
/// arguments that an error quotes are escaped.
fn show_clap_message(error: &clap::Error, arguments: &[OsString], world: &mut World<'_>) -> Exit {
    let mut text = error.render().to_string();
    for argument in arguments {
        let argument = argument.to_string_lossy();
        // clap quotes the value of `--option=value` alone.
        for quoted in [argument.as_ref(), argument.split_once('=').map_or("", |(_, value)| value)] {
            let safe = visible(quoted);
            if safe != quoted {
                text = text.replace(quoted, &safe);
            }
        }
    }
    // The argument may have been quoted in another form than as a whole, so each line is escaped too;
    // an argument with a line break is whole above.
    let text: Vec<_> = text.split('\n').map(visible).collect();
    let text = text.join("\n");
    if error.use_stderr() {
        let _ = world.stderr.write_all(text.as_bytes());
        return Exit::Failure;
    }
    let done = world.stdout.write_all(text.as_bytes()).map(|()| Exit::Clean).map_err(Failure::from);
    finish(done, world)
}
