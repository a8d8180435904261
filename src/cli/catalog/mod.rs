//! `wflint catalog`: catalogs of the methods of plug-ins.

mod deliver;
mod import;

use super::options::CatalogCommand;
use super::world::{Exit, Failure, World};

pub(super) fn run(command: &CatalogCommand, world: &mut World<'_>) -> Result<Exit, Failure> {
    match command {
        CatalogCommand::Import(options) => import::run(options, world),
    }
}
