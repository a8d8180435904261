//! What needs signals and threads, which WebAssembly has not: Ctrl-C and servers. `host_wasm.rs` stands in its place there.

use super::graph::GraphOptions;
use super::serve;
use super::world::{Exit, Failure, World};
use crate::files::write;
use crate::lsp::{self, End, ServerContext};

/// The exit code after Ctrl-C, by the convention of shells: 128 and the number of SIGINT.
const INTERRUPTED: i32 = 130;

/// Ends the process on Ctrl-C, with no file written by half.
pub(super) fn prepare() {
    // A signal that is ignored, as after `nohup`, stays ignored.
    let _ = ctrlc::try_set_handler(|| {
        write::stop();
        std::process::exit(INTERRUPTED);
    });
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
