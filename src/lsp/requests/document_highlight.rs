//! `textDocument/documentHighlight`.

use gen_lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};

use crate::lsp::address::Address;
use crate::lsp::ask::Asked;
use crate::lsp::features::{Highlight, HighlightKind, highlights};
use crate::lsp::state::Server;

pub fn handle(server: &Server, params: &DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
    let place = &params.text_document_position_params;
    let address = Address::of(&place.text_document.uri.0);
    Asked::all(server, &address).into_iter().find_map(|asked| {
        let found = asked.ask(&address, place.position, highlights).filter(|found| !found.is_empty())?;
        let shown = |highlight: &Highlight| {
            let kind = match highlight.kind {
                HighlightKind::Text => DocumentHighlightKind::Text,
                HighlightKind::Read => DocumentHighlightKind::Read,
                HighlightKind::Write => DocumentHighlightKind::Write,
            };
            Some(DocumentHighlight { range: asked.range(&address, highlight.span)?, kind: Some(kind) })
        };
        Some(found.iter().filter_map(shown).collect())
    })
}
