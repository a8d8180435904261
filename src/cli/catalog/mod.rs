//! `wflint catalog`: catalogs of the methods of plug-ins.

mod deliver;
mod import;
mod infer;

use super::options::CatalogCommand;
use super::world::{Exit, Failure, World};

pub(super) fn run(command: &CatalogCommand, world: &mut World<'_>) -> Result<Exit, Failure> {
    match command {
        CatalogCommand::Infer(options) => infer::run(options, world),
        CatalogCommand::Import(options) => import::run(options, world),
    }
}
