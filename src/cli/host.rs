//! What needs processes, signals and threads, which WebAssembly has not: the program as its own child, Ctrl-C, and servers.
//! `host_wasm.rs` stands in its place there.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::process::ExitCode;

use super::graph::GraphOptions;
use super::world::{Exit, Failure, Shows, Widths, World, today};
use super::{report, serve};
use crate::files::write;
use crate::lsp::{self, End, RUN_ARGUMENT, RunRequest, ServerContext, Work};
use crate::own_rules::engine::RuleWorker;
use crate::script::sandbox;

/// The exit code after Ctrl-C, by the convention of shells: 128 and the number of SIGINT.
const INTERRUPTED: i32 = 130;
/// That of a run for an editor when the language server, which has started it, is gone.
const ABANDONED: i32 = 130;

/// Runs the sandbox of scripts, or a run for an editor, when the program was started for that.
pub(super) fn run_as_child(arguments: &[OsString]) -> Option<ExitCode> {
    let first = arguments.get(1)?;
    if first == OsStr::new(sandbox::WORKER_ARGUMENT) {
        return Some(sandbox::worker(std::io::stdin(), std::io::stdout(), RuleWorker::default));
    }
    (first == OsStr::new(RUN_ARGUMENT)).then(run_for_editor)
}

/// Ends the process on Ctrl-C, with no file written by half.
pub(super) fn prepare() {
    // A signal that is ignored, as after `nohup`, stays ignored.
    let _ = ctrlc::try_set_handler(|| {
        write::stop();
        std::process::exit(INTERRUPTED);
    });
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

/// Serves the live picture of a workflow.
pub(super) fn serve_picture(options: &GraphOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    serve::run(options, world)
}

/// Serves an editor on the streams of the process instead of those of `world`, because threads read and write them.
/// Without `shutdown`, the exit code is 1, as the protocol demands.
pub(super) fn serve_client(world: &World<'_>) -> Result<Exit, Failure> {
    let context = ServerContext { current: world.current.clone(), program: world.program.clone() };
    match lsp::serve(std::io::stdin(), std::io::stdout(), context).map_err(Failure::Message)? {
        End::ShutDown => Ok(Exit::Clean),
        End::Abandoned => Ok(Exit::Findings),
    }
}
