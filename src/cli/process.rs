//! The command as a process: its streams, terminal and environment.

use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use terminal_size::{Height, Width, terminal_size_of};

use super::world::{Exit, Widths, World};
use crate::script::sandbox;
use crate::write;

/// The exit code after Ctrl-C, by the convention of shells: 128 and the number of SIGINT.
const INTERRUPTED: i32 = 130;

/// Runs the command line of this process; or, when the program was started as its own child, the sandbox of scripts.
pub fn run_process(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|argument| argument == OsStr::new(sandbox::WORKER_ARGUMENT)) {
        return sandbox::worker(std::io::stdin(), std::io::stdout());
    }
    // When a signal is ignored, as after `nohup`, it stays so.
    let _ = ctrlc::try_set_handler(|| {
        write::stop();
        std::process::exit(INTERRUPTED);
    });
    ExitCode::from(run_to(&mut std::io::stdout().lock(), arguments).code())
}

/// Runs a command line in this process, with standard output replaced.
pub fn run_to(stdout: &mut dyn Write, arguments: Vec<OsString>) -> Exit {
    let current = match std::env::current_dir() {
        Ok(current) => current,
        Err(error) => {
            eprintln!("wflint: cannot read the current folder: {error}");
            return Exit::Failure;
        }
    };
    let is_terminal = std::io::stdout().is_terminal();
    let wants_color = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    let mut world = World {
        current,
        stdin: &mut std::io::stdin().lock(),
        stdout,
        // Not locked: the progress bar, and a panic, write to it from other threads.
        stderr: &mut std::io::stderr(),
        stdout_has_color: is_terminal && wants_color,
        stderr_is_terminal: std::io::stderr().is_terminal(),
        program: std::env::current_exe().unwrap_or_else(|_| "wflint".into()),
        widths: Widths::new(
            std::env::var("COLUMNS").ok().and_then(|width| width.parse().ok()),
            columns_of(terminal_size_of(std::io::stdout())),
            columns_of(terminal_size_of(std::io::stderr())),
        ),
        today: jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date(),
        step_summary: std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()).map(PathBuf::from),
    };
    super::run(arguments, &mut world)
}

/// The columns of a terminal.
fn columns_of(size: Option<(Width, Height)>) -> Option<usize> {
    size.map(|(Width(columns), _)| usize::from(columns))
}
