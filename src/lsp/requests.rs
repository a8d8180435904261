//! The requests of the client, by method.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use lsp_server::{Request, RequestId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::connection::Failure;
use super::diagnostics;
use super::document_uri::DocumentUri;
use super::features::{
    code_actions, commands, completion, drawing, edits, hover, inlay_hints, navigation, plays, rename, symbols,
};
use super::pending::Waiting;
use super::root::Root;
use super::state::Server;

/// Answers a request; with `None` it waits in the state of the server.
type Handler = fn(&mut Server, &RequestId, Value) -> Result<Option<Value>, Failure>;

/// What a request about a document has to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    /// The services of all folders.
    Services,
    /// The service of the document.
    Service,
    /// The findings of the document.
    Findings,
}

/// By method.
const REQUESTS: &[(&str, Needs, Handler)] = &[
    ("textDocument/diagnostic", Needs::Findings, |server, _, params| {
        diagnostics::pull_document(server, &read(params)?).map(Some)
    }),
    ("workspace/diagnostic", Needs::Nothing, |server, id, params| {
        diagnostics::pull_workspace(server, id, read(params)?)
    }),
    ("textDocument/codeAction", Needs::Findings, |server, _, params| now(server, params, code_actions::handle)),
    ("workspace/executeCommand", Needs::Service, |server, id, params| commands::execute(server, id, &read(params)?)),
    ("textDocument/codeLens", Needs::Service, |server, _, params| now(server, params, commands::code_lenses)),
    ("textDocument/inlayHint", Needs::Service, |server, _, params| now(server, params, inlay_hints::handle)),
    ("textDocument/completion", Needs::Service, |server, _, params| now(server, params, completion::handle)),
    ("textDocument/hover", Needs::Service, |server, _, params| now(server, params, hover::handle)),
    ("textDocument/definition", Needs::Service, |server, _, params| now(server, params, navigation::find_definition)),
    ("textDocument/references", Needs::Service, |server, _, params| now(server, params, navigation::find_references)),
    ("textDocument/documentHighlight", Needs::Service, |server, _, params| {
        now(server, params, navigation::find_highlights)
    }),
    ("textDocument/prepareRename", Needs::Service, |server, _, params| or_failure(server, params, rename::prepare)),
    ("textDocument/rename", Needs::Service, |server, _, params| or_failure(server, params, rename::handle)),
    ("textDocument/documentSymbol", Needs::Service, |server, _, params| now(server, params, symbols::document_symbols)),
    ("textDocument/foldingRange", Needs::Service, |server, _, params| now(server, params, symbols::folding_ranges)),
    ("textDocument/selectionRange", Needs::Service, |server, _, params| now(server, params, symbols::selection_ranges)),
    ("textDocument/formatting", Needs::Service, |server, _, params| or_failure(server, params, edits::formatting)),
    ("wflint/drawing", Needs::Findings, |server, _, params| or_failure(server, params, drawing::handle)),
    ("wflint/plays", Needs::Service, |server, id, params| plays::list(server, id, &read(params)?)),
    ("wflint/run", Needs::Service, |server, id, params| plays::run(server, id, &read(params)?)),
    ("workspace/symbol", Needs::Services, |server, _, params| now(server, params, symbols::workspace_symbols)),
];

/// Answers a request, now or when what it needs is known.
pub fn answer(server: &mut Server, request: Request) {
    let Request { id, method, params } = &request;
    let Some((_, needs, handler)) = REQUESTS.iter().find(|(known, ..)| known == method) else {
        return server.outbox.respond(id, Err(Failure::unknown_method(method)));
    };
    // That of a command about a document is its first argument.
    let uri = params.pointer("/textDocument/uri").or_else(|| params.pointer("/arguments/0")).and_then(Value::as_str);
    let uri = uri.map(DocumentUri::of);
    if !is_known(server, *needs, uri.as_ref()) {
        if *needs == Needs::Findings
            && let Some(service) = uri.as_ref().and_then(|uri| server.service_mut(uri))
        {
            // They are wanted now, not at the end of typing.
            service.lint.due = service.lint.due.min(Instant::now());
        }
        server.pending.requests.push(Waiting { request, uri });
        return;
    }
    let Request { id, method, params } = request;
    let answer = catch_unwind(AssertUnwindSafe(|| handler(server, &id, params)));
    if let Some(answer) = answer.unwrap_or_else(|_| Err(Failure::internal(&method))).transpose() {
        server.outbox.respond(&id, answer);
    }
}

/// Answers the waiting requests whose needs are met now.
pub fn answer_waiting(server: &mut Server) {
    for Waiting { request, .. } in std::mem::take(&mut server.pending.requests) {
        answer(server, request);
    }
}

fn is_known(server: &Server, needs: Needs, uri: Option<&DocumentUri>) -> bool {
    match needs {
        Needs::Nothing => true,
        Needs::Services => server.roots.iter().all(Root::is_placed),
        Needs::Service => uri.is_none_or(|uri| server.is_placed(uri)),
        Needs::Findings => uri.is_none_or(|uri| server.is_ready(uri)),
    }
}

pub fn read<P: DeserializeOwned>(params: Value) -> Result<P, Failure> {
    serde_json::from_value(params).map_err(|error| Failure::params(format!("invalid parameters: {error}")))
}

/// A request that is answered at once.
fn now<P: DeserializeOwned, R: Serialize>(
    server: &Server,
    params: Value,
    handler: fn(&Server, &P) -> R,
) -> Result<Option<Value>, Failure> {
    to_answer(&handler(server, &read(params)?))
}

/// A request that is answered at once, or refused.
fn or_failure<P: DeserializeOwned, R: Serialize>(
    server: &Server,
    params: Value,
    handler: fn(&Server, &P) -> Result<R, Failure>,
) -> Result<Option<Value>, Failure> {
    to_answer(&handler(server, &read(params)?)?)
}

fn to_answer(result: &impl Serialize) -> Result<Option<Value>, Failure> {
    serde_json::to_value(result).map(Some).map_err(|error| Failure::refused(error.to_string()))
}
