//! `wflint lsp`: the language server.

use super::world::{Exit, Failure, World};
use crate::lsp::{End, ServerContext, serve};

/// Serves the client on the streams of the process instead of those of `world`, because threads read and write them.
/// Without `shutdown`, the exit code is 1, as the protocol demands.
pub(super) fn run(world: &World<'_>) -> Result<Exit, Failure> {
    let context = ServerContext { current: world.current.clone(), program: world.program.clone() };
    match serve(std::io::stdin(), std::io::stdout(), context).map_err(Failure::Message)? {
        End::ShutDown => Ok(Exit::Clean),
        End::Abandoned => Ok(Exit::Findings),
    }
}
