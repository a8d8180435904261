//! The requests of the client, one file each.

mod code_action;
mod code_lens;
mod completion;
mod definition;
mod document_diagnostic;
mod document_highlight;
mod document_symbol;
mod execute_command;
mod folding_range;
mod formatting;
mod hover;
mod inlay_hint;
mod references;
mod rename;
mod run;
mod selection_range;
mod suppress;
mod workspace_diagnostic;
mod workspace_symbol;

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::address::Address;
use super::message::Failure;
use super::pending::Waiting;
use super::root::Root;
use super::state::Server;

pub use code_action::FIX_ALL;
pub use execute_command::{EXPLAIN, finish_run, start_waiting};
pub use run::{EXPLORE, RUN};

/// The answer of a request.
enum Answer {
    Now(Value),
    /// The request waits in the state of the server.
    Later,
}

type Handler = fn(&mut Server, &Value, Value) -> Result<Answer, Failure>;

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
    ("textDocument/diagnostic", Needs::Nothing, |server, id, params| {
        pull(server, id, params, document_diagnostic::handle)
    }),
    ("workspace/diagnostic", Needs::Nothing, |server, id, params| {
        pull(server, id, params, workspace_diagnostic::handle)
    }),
    ("textDocument/codeAction", Needs::Findings, |server, _, params| now(server, params, code_action::handle)),
    ("workspace/executeCommand", Needs::Service, |server, id, params| {
        let result = execute_command::handle(server, id, &read(params)?)?;
        Ok(result.map_or(Answer::Later, Answer::Now))
    }),
    ("textDocument/codeLens", Needs::Service, |server, _, params| now(server, params, code_lens::handle)),
    ("textDocument/inlayHint", Needs::Service, |server, _, params| now(server, params, inlay_hint::handle)),
    ("textDocument/completion", Needs::Service, |server, _, params| now(server, params, completion::handle)),
    ("textDocument/hover", Needs::Service, |server, _, params| now(server, params, hover::handle)),
    ("textDocument/definition", Needs::Service, |server, _, params| now(server, params, definition::handle)),
    ("textDocument/references", Needs::Service, |server, _, params| now(server, params, references::handle)),
    ("textDocument/documentHighlight", Needs::Service, |server, _, params| {
        now(server, params, document_highlight::handle)
    }),
    ("textDocument/prepareRename", Needs::Service, |server, _, params| or_failure(server, params, rename::prepare)),
    ("textDocument/rename", Needs::Service, |server, _, params| or_failure(server, params, rename::handle)),
    ("textDocument/documentSymbol", Needs::Service, |server, _, params| now(server, params, document_symbol::handle)),
    ("textDocument/foldingRange", Needs::Service, |server, _, params| now(server, params, folding_range::handle)),
    ("textDocument/selectionRange", Needs::Service, |server, _, params| now(server, params, selection_range::handle)),
    ("textDocument/formatting", Needs::Service, |server, _, params| or_failure(server, params, formatting::handle)),
    ("workspace/symbol", Needs::Services, |server, _, params| now(server, params, workspace_symbol::handle)),
];

/// Answers a request, now or when what it needs is known.
pub fn answer(server: &mut Server, id: Value, method: String, params: Value) {
    let Some((_, needs, handler)) = REQUESTS.iter().find(|(known, ..)| *known == method) else {
        return server.outbox.respond(&id, Err(Failure::unknown_method(&method)));
    };
    // That of a command about a document is its first argument.
    let uri = params.pointer("/textDocument/uri").or_else(|| params.pointer("/arguments/0")).and_then(Value::as_str);
    let address = uri.map(Address::of);
    if !is_known(server, *needs, address.as_ref()) {
        server.pending.requests.push(Waiting { id, method, params, address });
        return;
    }
    let answer = catch_unwind(AssertUnwindSafe(|| handler(server, &id, params)));
    match answer.unwrap_or_else(|_| Err(Failure::internal(&method))) {
        Ok(Answer::Now(result)) => server.outbox.respond(&id, Ok(result)),
        Ok(Answer::Later) => {}
        Err(failure) => server.outbox.respond(&id, Err(failure)),
    }
}

/// Answers the waiting requests whose needs are met now.
pub fn answer_waiting(server: &mut Server) {
    for Waiting { id, method, params, .. } in std::mem::take(&mut server.pending.requests) {
        answer(server, id, method, params);
    }
}

fn is_known(server: &Server, needs: Needs, address: Option<&Address>) -> bool {
    match needs {
        Needs::Nothing => true,
        Needs::Services => server.roots.iter().all(Root::is_placed),
        Needs::Service => address.is_none_or(|address| server.is_placed(address)),
        Needs::Findings => address.is_none_or(|address| server.is_ready(address)),
    }
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, Failure> {
    serde_json::from_value(params).map_err(|error| Failure::params(format!("invalid parameters: {error}")))
}

/// A request for findings, which waits for its answer.
fn pull<P: DeserializeOwned>(
    server: &mut Server,
    id: &Value,
    params: Value,
    handler: fn(&mut Server, &Value, P),
) -> Result<Answer, Failure> {
    let params = read(params)?;
    if !server.client.pulls {
        return Err(Failure::not_offered("findings are published to this client"));
    }
    handler(server, id, params);
    Ok(Answer::Later)
}

/// A request that is answered at once.
fn now<P: DeserializeOwned, R: Serialize>(
    server: &Server,
    params: Value,
    handler: fn(&Server, &P) -> R,
) -> Result<Answer, Failure> {
    to_answer(&handler(server, &read(params)?))
}

/// A request that is answered at once, or refused.
fn or_failure<P: DeserializeOwned, R: Serialize>(
    server: &Server,
    params: Value,
    handler: fn(&Server, &P) -> Result<R, Failure>,
) -> Result<Answer, Failure> {
    to_answer(&handler(server, &read(params)?)?)
}

fn to_answer(result: &impl Serialize) -> Result<Answer, Failure> {
    serde_json::to_value(result).map(Answer::Now).map_err(|error| Failure::refused(error.to_string()))
}
