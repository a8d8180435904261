//! The command line: clap types in, exit code out. Writers and the current folder are passed in,
//! so that tests run it in-process.

mod explain;
mod lint;
mod options;
mod rules;
mod schema;

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches};

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
    let command = Cli::command();
    let matches = match command.try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => return show_clap_message(&error, world),
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => return show_clap_message(&error, world),
    };
    let done = match &cli.command {
        Some(Command::Explain { rule }) => explain::run(rule, world),
        Some(Command::Rules { format }) => rules::run(*format, world),
        Some(Command::Schema { name }) => schema::run(name, world),
        None => lint::run(&cli.lint, options::choices(&matches), world),
    };
    match done {
        Ok(exit) => exit,
        Err(Failure::BrokenPipe) => Exit::Failure,
        Err(Failure::Message(message)) => {
            complain(world, &message);
            Exit::Failure
        }
    }
}

/// Help and version go to standard output, errors to standard error.
fn show_clap_message(error: &clap::Error, world: &mut World<'_>) -> Exit {
    let text = error.render().to_string();
    if error.use_stderr() {
        let _ = world.stderr.write_all(text.as_bytes());
        return Exit::Failure;
    }
    match world.stdout.write_all(text.as_bytes()) {
        Ok(()) => Exit::Clean,
        Err(_) => Exit::Failure,
    }
}

fn complain(world: &mut World<'_>, message: &str) {
    // Nothing can be done when even standard error is gone.
    let _ = writeln!(world.stderr, "wflint: {}", crate::report::visible(message));
}
