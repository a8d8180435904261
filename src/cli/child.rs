//! The program as its own child: it runs scripts in the sandbox, or commands for an editor. WebAssembly has no processes.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::process::ExitCode;

use super::report;
use super::world::{Exit, Shows, Widths, World, today};
use crate::lsp::{RUN_ARGUMENT, RunRequest, Work};
use crate::own_rules::engine::RuleWorker;
use crate::script::sandbox;

/// The exit code of a run for an editor when the language server, which has started it, is gone.
const ABANDONED: i32 = 130;

/// Runs the sandbox of scripts, or a run for an editor, when the program was started for that.
pub(super) fn run_as_child(arguments: &[OsString]) -> Option<ExitCode> {
    let first = arguments.get(1)?;
    if first == OsStr::new(sandbox::WORKER_ARGUMENT) {
        return Some(sandbox::worker(std::io::stdin(), std::io::stdout(), RuleWorker::default));
    }
    (first == OsStr::new(RUN_ARGUMENT)).then(run_for_editor)
}

/// Reads what to run from standard input, and runs it; the report is as in a pipe. Ends when standard input is closed.
fn run_for_editor() -> ExitCode {
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
    let exit = match &request.work {
        Work::Command(arguments) => {
            let program = OsString::from("wflint");
            super::run(std::iter::once(program).chain(arguments.iter().map(OsString::from)), &mut world)
        }
        Work::Plays(order) => super::finish(report::print_plays(order, &mut world), &mut world),
    };
    ExitCode::from(exit.code())
}
