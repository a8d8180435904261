//! A run or a search for an editor: a command line in a process of its own, which the language server has started.

use std::ffi::OsString;
use std::io::Read;
use std::process::ExitCode;

use super::world::{Exit, Shows, Widths, World, today};
use crate::lsp::RunRequest;

/// The exit code when the server is gone.
const ABANDONED: i32 = 130;

/// Reads what to run from standard input, and runs it; the report is as in a pipe. Ends when standard input is closed.
pub(super) fn run() -> ExitCode {
    let request = match RunRequest::read(std::io::stdin()) {
        Ok(request) => request,
        Err(error) => {
            eprintln!("wflint: invalid request: {error}");
            return ExitCode::from(Exit::Failure.code());
        }
    };
    std::thread::spawn(|| {
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(ABANDONED);
    });
    let mut world = World {
        current: request.folder.clone(),
        stdin: &mut std::io::empty(),
        stdout: &mut std::io::stdout(),
        stderr: &mut std::io::stderr(),
        stdout_shows: Shows::default(),
        stderr_has_color: false,
        stderr_is_terminal: false,
        program: std::env::current_exe().unwrap_or_else(|_| "wflint".into()),
        widths: Widths::default(),
        today: today(),
        step_summary: None,
        unsaved: request.unsaved(),
    };
    let program = OsString::from("wflint");
    let arguments = std::iter::once(program).chain(request.arguments.iter().map(OsString::from));
    ExitCode::from(super::run(arguments, &mut world).code())
}
