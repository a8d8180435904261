//! The command line: clap types in, exit code out. Writers and the current folder are passed in,
//! so that tests run it in-process.

mod baseline;
mod explain;
mod fixes;
mod lint;
mod options;
mod request;
mod rules;
mod schema;
mod show;
mod simulate;

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches};
use jiff::civil::Date;

use crate::report::visible;
use options::{Cli, Command};

/// How a run ends, for the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Nothing at or above `--fail-on`.
    Clean,
    /// Findings.
    Findings,
    /// The tool could not do what was asked.
    Failure,
}

impl Exit {
    /// The exit code.
    pub const fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Failure => 2,
        }
    }
}

/// The world around a run.
pub struct World<'w> {
    /// The current folder, absolute.
    pub current: PathBuf,
    /// Standard input.
    pub stdin: &'w mut dyn Read,
    /// Standard output.
    pub stdout: &'w mut dyn Write,
    /// Standard error.
    pub stderr: &'w mut dyn Write,
    /// Whether standard output is a terminal that shows colours.
    pub stdout_has_color: bool,
    /// Characters a line of the terminal, if it is one.
    pub width: Option<usize>,
    /// Whether standard error is a terminal, for a progress bar.
    pub stderr_is_terminal: bool,
    /// This program, to run scripts in a process of their own.
    pub program: PathBuf,
    /// The day, in UTC, by which suppressions end.
    pub today: Date,
}

/// Why a run could not do what was asked.
enum Failure {
    /// For the user.
    Message(String),
    /// Whoever read the output has stopped reading.
    BrokenPipe,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::BrokenPipe;
        }
        Self::Message(format!("the output cannot be written: {error}"))
    }
}

/// Runs the command line. The first argument is the program's name.
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
            complain(world, &message);
            Exit::Failure
        }
    }
}

/// Help and version go to standard output, errors to standard error; with the arguments they quote
/// made safe to print.
fn show_clap_message(error: &clap::Error, arguments: &[OsString], world: &mut World<'_>) -> Exit {
    let mut text = error.render().to_string();
    for argument in arguments {
        let argument = argument.to_string_lossy();
        // An option's value may stand after `=`.
        for quoted in [argument.as_ref(), argument.split_once('=').map_or("", |(_, value)| value)] {
            let safe = visible(quoted);
            if safe != quoted {
                text = text.replace(quoted, &safe);
            }
        }
    }
    let text: Vec<_> = text.split('\n').map(visible).collect();
    let text = text.join("\n");
    if error.use_stderr() {
        let _ = world.stderr.write_all(text.as_bytes());
        return Exit::Failure;
    }
    let done = world.stdout.write_all(text.as_bytes()).map(|()| Exit::Clean).map_err(Failure::from);
    finish(done, world)
}

fn complain(world: &mut World<'_>, message: &str) {
    // Nothing can be done when even standard error is gone.
    let _ = writeln!(world.stderr, "wflint: {}", visible(message));
}
