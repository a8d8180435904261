//! `textDocument/definition`.

use gen_lsp_types::{DefinitionParams, Location};

use crate::lsp::address::Address;
use crate::lsp::ask::Asked;
use crate::lsp::features::definition;
use crate::lsp::state::Server;

pub fn handle(server: &Server, params: &DefinitionParams) -> Option<Vec<Location>> {
    let place = &params.text_document_position_params;
    let address = Address::of(&place.text_document.uri.0);
    Asked::all(server, &address).into_iter().find_map(|asked| {
        let found = asked.ask(&address, place.position, definition)??;
        Some(asked.locations(&found.targets, &address))
    })
}
