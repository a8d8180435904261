//! `textDocument/inlayHint`.

use gen_lsp_types::InlayHintParams;
use serde_json::{Value, json};

use crate::lsp::address::Address;
use crate::lsp::ask::Asked;
use crate::lsp::features::inlay_hints;
use crate::lsp::state::Server;

/// The inlay hints in a range of a document.
pub fn handle(server: &Server, params: &InlayHintParams) -> Option<Vec<Value>> {
    if !server.settings.inlay_hints {
        return None;
    }
    let address = Address::of(&params.text_document.uri.0);
    let encoding = server.client.encoding;
    // Only workflows have them: other documents have no need to be asked about in several services.
    server.service(&address)?;
    let asked = Asked::all(server, &address).into_iter().next()?;
    let (file, hints) = asked.ask(&address, params.range.start, |snapshot, file, start| {
        let end = encoding.offset(snapshot.text(file)?, params.range.end);
        Some((file, inlay_hints(snapshot, file, start..=u32::try_from(end).ok()?)))
    })??;
    let (_, source) = asked.source(file, &address)?;
    let hint = |hint: &crate::lsp::features::InlayHint| {
        let position = encoding.position(&source, hint.offset);
        json!({ "position": position, "label": hint.label, "tooltip": hint.tooltip, "paddingLeft": true })
    };
    Some(hints.iter().map(hint).collect())
}
