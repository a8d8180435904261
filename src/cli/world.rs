//! The environment of a run (streams, terminal, current folder), and how the run ends.

use std::fmt::Display;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use jiff::civil::Date;

use crate::files::read::Unsaved;
use crate::report::{DEFAULT_WIDTH, visible, wrap_guarded};

/// The name of the program before an error.
const ERROR: Style = AnsiColor::Red.on_default().bold();

const MIN_WIDTH: usize = 40;
const MAX_WIDTH: usize = 140;

/// Ordered: if several parts of a run end differently, the greatest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

/// What the terminal of a stream can show. A stream without a terminal shows nothing of it, unless the environment asks
/// for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shows {
    pub color: bool,
    pub links: bool,
}

/// The current day in UTC.
pub fn today() -> Date {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date()
}

/// What a run reads and writes, except files.
pub struct World<'w> {
    /// The current folder, absolute.
    pub current: PathBuf,
    pub stdin: &'w mut dyn Read,
    pub stdout: &'w mut dyn Write,
    pub stderr: &'w mut dyn Write,
    pub stdout_shows: Shows,
    /// Whether standard error is a terminal that shows color.
    pub stderr_has_color: bool,
    pub widths: Widths,
    /// Whether standard error is a terminal, for a progress bar.
    pub stderr_is_terminal: bool,
    /// This program, which runs scripts in a child process.
    pub program: PathBuf,
    /// The current day in UTC, for suppressions that expire.
    pub today: Date,
    /// The file that GitHub Actions shows as the summary of the step, from `GITHUB_STEP_SUMMARY`.
    pub step_summary: Option<PathBuf>,
    /// The texts of files that an editor has not saved yet, for runs and searches.
    pub unsaved: Unsaved,
}

/// The columns of text for people, from 40 to 140.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Widths {
    pub stdout: usize,
    /// Of lines with a path on standard output; `None` without a terminal and `COLUMNS`: each path is then one line.
    pub paths: Option<usize>,
    /// `None` without a terminal and `COLUMNS`: errors are then not wrapped, so that each is one line of a log.
    pub stderr: Option<usize>,
    /// Of a report that is written to a file.
    pub file: usize,
}

impl Widths {
    /// From the environment and the terminals, as wide as they are now.
    pub fn measured() -> Self {
        let (stdout, stderr) = terminal_columns();
        Self::new(std::env::var("COLUMNS").ok().and_then(|width| width.parse().ok()), stdout, stderr)
    }

    /// From `COLUMNS`, and the columns of the terminals that show standard output and standard error.
    pub fn new(columns: Option<usize>, stdout: Option<usize>, stderr: Option<usize>) -> Self {
        let wanted = |columns: usize| (columns > 0).then(|| columns.clamp(MIN_WIDTH, MAX_WIDTH));
        let columns = columns.and_then(wanted);
        let file = columns.unwrap_or(DEFAULT_WIDTH);
        let of_terminal = |terminal: Option<usize>| columns.or(terminal.map(|it| wanted(it).unwrap_or(DEFAULT_WIDTH)));
        let paths = of_terminal(stdout);
        Self { stdout: paths.unwrap_or(DEFAULT_WIDTH), paths, stderr: of_terminal(stderr), file }
    }
}

/// The columns of the terminals that show standard output and standard error, as wide as they are now.
#[cfg(not(target_family = "wasm"))]
pub(super) fn terminal_columns() -> (Option<usize>, Option<usize>) {
    use terminal_size::{Height, Width, terminal_size_of};

    let columns = |size: Option<(Width, Height)>| size.map(|(Width(columns), _)| usize::from(columns));
    (columns(terminal_size_of(std::io::stdout())), columns(terminal_size_of(std::io::stderr())))
}

/// There are none in WebAssembly.
#[cfg(target_family = "wasm")]
pub(super) const fn terminal_columns() -> (Option<usize>, Option<usize>) {
    (None, None)
}

impl Default for Widths {
    fn default() -> Self {
        Self::new(None, None, None)
    }
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

/// The error about a file that cannot be written.
pub(super) fn unwritable(name: &dyn Display, reason: &dyn Display) -> Failure {
    Failure::Message(format!("cannot write {name}: {reason}"))
}

/// Prints an error.
pub(super) fn print_error(world: &mut World<'_>, message: &str) {
    let name = if world.stderr_has_color { format!("{ERROR}wflint:{ERROR:#}") } else { "wflint:".to_owned() };
    let line = fitted(&format!("{name} {}", visible(message)), world.widths.stderr, "  ");
    // Nothing can be done when standard error is gone too.
    let _ = writeln!(world.stderr, "{line}");
}

/// Prints a line that is not an error to standard error; the lines after a break begin with `indent`.
pub(super) fn print_note(world: &mut World<'_>, line: &str, indent: &str) -> Result<(), Failure> {
    let line = fitted(&visible(line), world.widths.stderr, indent);
    Ok(writeln!(world.stderr, "{line}")?)
}

/// Prints a line with a path to standard output.
pub(super) fn print_path(world: &mut World<'_>, line: &str) -> Result<(), Failure> {
    let line = fitted(&visible(line), world.widths.paths, "  ");
    Ok(writeln!(world.stdout, "{line}")?)
}

/// Prints a line to standard output; the lines after a break begin with `indent`.
pub(super) fn print_line(world: &mut World<'_>, line: &str, indent: &str) -> Result<(), Failure> {
    let line = fitted(&visible(line), Some(world.widths.stdout), indent);
    Ok(writeln!(world.stdout, "{line}")?)
}

/// A line without unsafe characters, no wider than this.
fn fitted(line: &str, width: Option<usize>, indent: &str) -> String {
    width.map_or_else(|| line.to_owned(), |width| wrap_guarded(line, width, indent))
}
