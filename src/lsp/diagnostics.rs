//! Findings for the client: pulled, in answers that wait until the findings are up to date, or pushed without a request.

use std::collections::BTreeSet;

use gen_lsp_types::{
    CodeLensRefreshRequest, DiagnosticRefreshRequest, DocumentDiagnosticParams, InlayHintRefreshRequest,
    ProgressNotification, ProgressParams, PublishDiagnosticsNotification, PublishDiagnosticsParams,
    WorkspaceDiagnosticParams,
};
use lsp_server::RequestId;
use serde_json::{Value, json};

use super::connection::Failure;
use super::convert::Item;
use super::document_uri::DocumentUri;
use super::documents::{is_config, may_be_document};
use super::load::Scope;
use super::pending::{ResultId, WorkspacePull};
use super::root::Root;
use super::state::{Server, Stale};
use crate::simulate::is_scenario;

/// `textDocument/diagnostic`: the findings of a document.
pub fn pull_document(server: &mut Server, params: &DocumentDiagnosticParams) -> Result<Value, Failure> {
    check_offered(server)?;
    let uri = DocumentUri::of(&params.text_document.uri.0);
    let items = server.items(&uri);
    let result = ResultId::of(&items);
    let report = report(&items, result, params.previous_result_id.as_deref());
    server.known.pulled.insert(uri, result);
    Ok(report)
}

fn check_offered(server: &Server) -> Result<(), Failure> {
    let refused = || Failure::not_offered("findings are published to this client");
    server.client.pulls.then_some(()).ok_or_else(refused)
}

/// `workspace/diagnostic`: the findings of all documents that the client does not have yet. It is answered later.
pub fn pull_workspace(
    server: &mut Server,
    id: &RequestId,
    params: WorkspaceDiagnosticParams,
) -> Result<Option<Value>, Failure> {
    check_offered(server)?;
    let previous = params.previous_result_ids.into_iter();
    let pull = WorkspacePull {
        id: id.clone(),
        token: params.partial_result_params.partial_result_token,
        previous: previous.map(|known| (DocumentUri::of(&known.uri.0), known.value)).collect(),
        has_sent: false,
        seen: 0,
    };
    server.pending.workspaces.push(pull);
    Ok(None)
}

/// Answers requests about the workspace, and tells the client to ask again if its findings are stale.
pub fn answer(server: &mut Server) {
    let changed = std::mem::take(&mut server.changed);
    if server.pending.workspaces.iter().any(|pull| pull.seen != server.results) {
        answer_workspaces(server);
    }
    refresh(server, changed);
}

fn report(items: &[&Item], result: ResultId, previous: Option<&str>) -> Value {
    if previous == Some(result.to_string().as_str()) {
        return json!({ "kind": "unchanged", "resultId": result.to_string() });
    }
    let items: Vec<_> = items.iter().map(|item| &item.diagnostic).collect();
    json!({ "kind": "full", "resultId": result.to_string(), "items": items })
}

fn answer_workspaces(server: &mut Server) {
    let is_complete = is_found(server, false);
    let is_ready = is_complete || is_found(server, true);
    let mut waiting = Vec::new();
    for mut pull in std::mem::take(&mut server.pending.workspaces) {
        pull.seen = server.results;
        if pull.token.is_none() && !is_ready {
            waiting.push(pull);
            continue;
        }
        let reports = changed_reports(server, &mut pull);
        let has_news = !reports.is_empty();
        match &pull.token {
            Some(token) if has_news => {
                let params = ProgressParams { token: token.clone(), value: json!({ "items": reports }) };
                server.outbox.notify::<ProgressNotification>(&params);
                pull.has_sent = true;
                if is_complete {
                    server.outbox.respond(&pull.id, Ok(json!({ "items": [] })));
                    continue;
                }
            }
            None if has_news => {
                server.known.has_early |= !is_complete;
                server.outbox.respond(&pull.id, Ok(json!({ "items": reports })));
                continue;
            }
            Some(_) if pull.has_sent && is_complete => {
                server.outbox.respond(&pull.id, Ok(json!({ "items": [] })));
                continue;
            }
            // Held open: the client has everything.
            _ => {}
        }
        waiting.push(pull);
    }
    server.pending.workspaces.extend(waiting);
}

/// Whether everything was found in the workspace and in open documents, maybe without the results of slow scripts.
fn is_found(server: &Server, may_be_early: bool) -> bool {
    let is_whole = |root: &Root| {
        let has_problems = || root.loaded.as_ref().is_some_and(|loaded| loaded.problems.is_current());
        let is_found = || has_problems() || may_be_early && root.is_early();
        !matches!(root.scope, Scope::Folder(_)) || root.is_current() && is_found()
    };
    let is_open = |uri| if may_be_early { server.is_ready(uri) } else { server.is_complete(uri) };
    !server.settings.workspace_diagnostics
        || server.roots.iter().all(is_whole) && server.documents.iter().all(|(uri, _)| is_open(uri))
}

/// The reports of the documents whose findings the client does not have.
fn changed_reports(server: &Server, pull: &mut WorkspacePull) -> Vec<Value> {
    let is_shown = server.settings.workspace_diagnostics;
    let mut uris: BTreeSet<DocumentUri> = pull.previous.keys().cloned().collect();
    if is_shown {
        uris.extend(server.found.values().flat_map(|items| items.keys().cloned()));
    }
    let mut reports = Vec::new();
    for uri in uris {
        // Those of an open document are shown in any case.
        let has_findings = is_shown || server.documents.get(&uri).is_some();
        if has_findings && !server.is_ready(&uri) {
            continue;
        }
        let items = if has_findings { server.items(&uri) } else { Vec::new() };
        let result = ResultId::of(&items);
        let previous = pull.previous.get(&uri);
        let is_known = previous.map_or(items.is_empty(), |previous| *previous == result.to_string());
        if is_known {
            continue;
        }
        let document = server.documents.get(&uri);
        let mut report = report(&items, result, None);
        if let Some(report) = report.as_object_mut() {
            report.insert("uri".to_owned(), server.documents.uri_as_written(&uri).into());
            report.insert("version".to_owned(), document.map_or(Value::Null, |document| document.version.into()));
        }
        reports.push(report);
        pull.previous.insert(uri, result.to_string());
    }
    reports
}

/// Asks the client to ask again when an open document has other findings than it was answered.
fn refresh(server: &mut Server, changed: BTreeSet<DocumentUri>) {
    let mut later = BTreeSet::new();
    let mut is_stale = false;
    for uri in changed.into_iter().filter(|uri| server.documents.get(uri).is_some()) {
        let is_asked = server.pending.requests.iter().any(|waiting| waiting.is_pull(&uri));
        let Some(&pulled) = server.known.pulled.get(&uri).filter(|_| !is_asked) else { continue };
        if !server.is_ready(&uri) {
            later.insert(uri);
        } else if ResultId::of(&server.items(&uri)) != pulled {
            is_stale = true;
            // Once is enough, until it asks.
            server.known.pulled.remove(&uri);
        }
    }
    server.changed.extend(later);
    if server.known.has_early && is_found(server, false) {
        server.known.has_early = false;
        is_stale = true;
    }
    if is_stale {
        server.outbox.request::<DiagnosticRefreshRequest>(&());
    }
}

/// Publishes changed findings: for each version of open documents, and for other documents if the workspace is shown.
pub fn publish(server: &mut Server) {
    let changed = std::mem::take(&mut server.changed);
    let mut later = BTreeSet::new();
    for uri in changed {
        let is_open = server.documents.get(&uri).is_some();
        let is_shown = is_open || server.settings.workspace_diagnostics;
        if is_shown && !server.is_ready(&uri) {
            later.insert(uri);
            continue;
        }
        if is_shown || server.known.published.contains_key(&uri) {
            publish_document(server, &uri, is_shown);
        }
    }
    server.changed.extend(later);
}

fn publish_document(server: &mut Server, uri: &DocumentUri, is_shown: bool) {
    let document = server.documents.get(uri);
    let version = document.map(|document| document.version);
    let items: Vec<&Item> = if is_shown { server.items(uri) } else { Vec::new() };
    let id = ResultId::of(&items);
    let before = server.known.published.get(uri);
    let is_linted = document.is_some_and(|document| may_be_document(uri, document))
        || is_config(uri)
        || uri.path().is_some_and(is_scenario);
    if before == Some(&(version, id)) || items.is_empty() && before.is_none() && !is_linted {
        return;
    }
    let params = PublishDiagnosticsParams {
        uri: server.documents.uri_as_written(uri).into(),
        version,
        diagnostics: items.iter().map(|item| item.diagnostic.clone()).collect(),
    };
    let is_forgotten = items.is_empty() && version.is_none();
    server.outbox.notify::<PublishDiagnosticsNotification>(&params);
    if is_forgotten {
        server.known.published.remove(uri);
    } else {
        server.known.published.insert(uri.clone(), (version, id));
    }
}

/// Asks the client to ask again, if it can.
pub fn refresh_others(server: &mut Server) {
    let Stale { hints, lenses } = std::mem::take(&mut server.stale);
    if hints && server.client.refreshes_hints {
        server.outbox.request::<InlayHintRefreshRequest>(&());
    }
    if lenses && server.client.refreshes_lenses {
        server.outbox.request::<CodeLensRefreshRequest>(&());
    }
}
