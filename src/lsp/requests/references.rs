//! `textDocument/references`.

use gen_lsp_types::{Location, ReferenceParams};

use crate::lsp::address::Address;
use crate::lsp::ask::Asked;
use crate::lsp::features::references;
use crate::lsp::state::Server;

pub fn handle(server: &Server, params: &ReferenceParams) -> Option<Vec<Location>> {
    let place = &params.text_document_position_params;
    let address = Address::of(&place.text_document.uri.0);
    let with_declaration = params.context.include_declaration;
    Asked::all(server, &address).into_iter().find_map(|asked| {
        let places = asked.ask(&address, place.position, |snapshot, file, offset| {
            references(snapshot, file, offset, with_declaration)
        });
        let places = places.filter(|places| !places.is_empty())?;
        Some(asked.locations(&places, &address))
    })
}
