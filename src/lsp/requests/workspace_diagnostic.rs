//! `workspace/diagnostic`: the findings of all documents that the client does not have yet.

use gen_lsp_types::WorkspaceDiagnosticParams;
use serde_json::Value;

use crate::lsp::address::Address;
use crate::lsp::pending::WorkspacePull;
use crate::lsp::state::Server;

pub fn handle(server: &mut Server, id: &Value, params: WorkspaceDiagnosticParams) {
    let previous = params.previous_result_ids.into_iter();
    let pull = WorkspacePull {
        id: id.clone(),
        token: params.partial_result_params.partial_result_token,
        previous: previous.map(|known| (Address::of(&known.uri.0), known.value)).collect(),
        has_sent: false,
        was_looked_at: false,
    };
    server.pending.workspaces.push(pull);
}
