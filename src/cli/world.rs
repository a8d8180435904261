//! The surroundings of a run, and how it ends.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use jiff::civil::Date;

use crate::report::visible;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// No findings at or above `--fail-on`.
    Clean,
    Findings,
    /// The run could not do what was asked.
    Failure,
}

impl Exit {
    pub const fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Failure => 2,
        }
    }
}

/// What a run reads and writes, except files.
pub struct World<'w> {
    /// The current folder, absolute.
    pub current: PathBuf,
    pub stdin: &'w mut dyn Read,
    pub stdout: &'w mut dyn Write,
    pub stderr: &'w mut dyn Write,
    /// Whether standard output is a terminal that shows color.
    pub stdout_has_color: bool,
    /// The width of the terminal in characters; `None` without a terminal.
    pub width: Option<usize>,
    /// Whether standard error is a terminal, for a progress bar.
    pub stderr_is_terminal: bool,
    /// This program, which runs scripts in a child process.
    pub program: PathBuf,
    /// The current day in UTC, for suppressions that expire.
    pub today: Date,
}

/// Why a run could not do what was asked.
pub(super) enum Failure {
    /// For the user.
    Message(String),
    /// The reader of the output has gone; nothing can be reported to it.
    BrokenPipe,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::BrokenPipe;
        }
        Self::Message(format!("cannot write output: {error}"))
    }
}

/// Prints an error.
pub(super) fn print_error(world: &mut World<'_>, message: &str) {
    // Nothing can be done when standard error is gone too.
    let _ = writeln!(world.stderr, "wflint: {}", visible(message));
}
