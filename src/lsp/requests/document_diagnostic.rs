//! `textDocument/diagnostic`: the findings of a document, at once, without waiting for the end of typing.

use std::time::Instant;

use gen_lsp_types::DocumentDiagnosticParams;
use serde_json::Value;

use crate::lsp::address::Address;
use crate::lsp::pending::DocumentPull;
use crate::lsp::state::Server;

pub fn handle(server: &mut Server, id: &Value, params: DocumentDiagnosticParams) {
    let address = Address::of(&params.text_document.uri.0);
    let now = Instant::now();
    if let Some(service) = server.service_mut(&address) {
        service.lint_from = service.lint_from.min(now);
    }
    let previous = params.previous_result_id;
    server.pending.documents.push(DocumentPull { id: id.clone(), address, previous });
}
