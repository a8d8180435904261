//! `wflint lsp`: the language server.

use super::world::{Exit, Failure, World};
use crate::lsp::{End, Surroundings, serve};

/// Serves the client on the streams of the process, whatever those of the world are: they are read and written by
/// threads. Without `shutdown` the exit code is 1, as the protocol has it.
pub(super) fn run(world: &World<'_>) -> Result<Exit, Failure> {
    let surroundings = Surroundings { current: world.current.clone(), program: world.program.clone() };
    match serve(std::io::stdin(), std::io::stdout(), surroundings).map_err(Failure::Message)? {
        End::ShutDown => Ok(Exit::Clean),
        End::Abandoned => Ok(Exit::Findings),
    }
}
