//! `textDocument/hover`.

use gen_lsp_types::HoverParams;
use serde_json::{Value, json};

use crate::lsp::address::Address;
use crate::lsp::ask::Asked;
use crate::lsp::features::hover;
use crate::lsp::state::Server;

/// The hover at a place, as Markdown.
pub fn handle(server: &Server, params: &HoverParams) -> Option<Value> {
    let place = &params.text_document_position_params;
    let address = Address::of(&place.text_document.uri.0);
    Asked::all(server, &address).into_iter().find_map(|asked| {
        let found = asked.ask(&address, place.position, hover)??;
        let contents = json!({ "kind": "markdown", "value": found.markdown });
        Some(json!({ "contents": contents, "range": asked.range(&address, found.span)? }))
    })
}
