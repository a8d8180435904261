//! `textDocument/codeLens`: commands that run a workflow or a scenario.

use gen_lsp_types::{CodeLensParams, Position, Range};
use serde_json::{Value, json};

use super::run::{EXPLORE, RUN};
use crate::lsp::address::Address;
use crate::lsp::service_scenarios::{kind_of, of_workflow};
use crate::lsp::state::Server;
use crate::schema::DocumentKind;
use crate::simulate::is_scenario;
use crate::text::count;

/// They are above the first line: what they are about is the whole document.
pub fn handle(server: &Server, params: &CodeLensParams) -> Vec<Value> {
    let uri = &params.text_document.uri.0;
    let address = Address::of(uri);
    let Some(path) = address.path() else { return Vec::new() };
    let lens = |title: &str, command: &str| {
        let start = Position { line: 0, character: 0 };
        let command = json!({ "title": title, "command": command, "arguments": [uri] });
        json!({ "range": Range { start, end: start }, "command": command })
    };
    if is_scenario(path) && server.documents.get(&address).is_some() {
        return vec![lens("run", RUN)];
    }
    if kind_of(server, &address) != Some(DocumentKind::Workflow) {
        return Vec::new();
    }
    let scenarios = of_workflow(server, &address).len();
    let run = (scenarios > 0).then(|| lens(&format!("run {}", count(scenarios, "scenario")), RUN));
    run.into_iter().chain([lens("explore", EXPLORE)]).collect()
}
