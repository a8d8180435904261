//! Pull diagnostics: findings that the client requests. An answer waits until the findings are up to date.

use std::collections::BTreeSet;

use gen_lsp_types::{DiagnosticRefreshRequest, ProgressNotification, ProgressParams};
use serde_json::{Value, json};

use super::address::Address;
use super::convert::Item;
use super::load::Scope;
use super::pending::{DocumentPull, ResultId, WorkspacePull};
use super::root::Root;
use super::state::Server;

/// Answers requests whose findings are ready, and tells the client to ask again if its findings are stale.
pub fn answer(server: &mut Server) {
    let changed = std::mem::take(&mut server.changed);
    answer_documents(server);
    let has_progressed = std::mem::take(&mut server.has_progressed);
    if has_progressed || server.pending.workspaces.iter().any(|pull| !pull.was_looked_at) {
        answer_workspaces(server);
    }
    refresh(server, changed);
}

fn answer_documents(server: &mut Server) {
    let (ready, waiting): (Vec<DocumentPull>, Vec<_>) =
        std::mem::take(&mut server.pending.documents).into_iter().partition(|pull| server.is_ready(&pull.address));
    server.pending.documents = waiting;
    for DocumentPull { id, address, previous } in ready {
        let items = server.items(&address);
        let result = ResultId::of(&items);
        let report = report(&items, result, previous.as_deref());
        server.outbox.respond(&id, Ok(report));
        server.known.pulled.insert(address, result);
    }
}

fn report(items: &[&Item], result: ResultId, previous: Option<&str>) -> Value {
    if previous == Some(result.to_string().as_str()) {
        return json!({ "kind": "unchanged", "resultId": result.to_string() });
    }
    let items: Vec<_> = items.iter().map(|item| &item.diagnostic).collect();
    json!({ "kind": "full", "resultId": result.to_string(), "items": items })
}

fn answer_workspaces(server: &mut Server) {
    if server.pending.workspaces.is_empty() {
        return;
    }
    let is_complete = is_found(server, false);
    let is_ready = is_complete || is_found(server, true);
    let mut waiting = Vec::new();
    for mut pull in std::mem::take(&mut server.pending.workspaces) {
        pull.was_looked_at = true;
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
        let has_problems = || root.loaded.as_ref().is_some_and(|loaded| loaded.has_problems);
        let is_found = || has_problems() || may_be_early && root.is_early();
        !matches!(root.scope, Scope::Folder(_)) || root.is_current() && is_found()
    };
    let is_open = |address| if may_be_early { server.is_ready(address) } else { server.is_complete(address) };
    !server.settings.workspace_diagnostics
        || server.roots.iter().all(is_whole) && server.documents.iter().all(|(address, _)| is_open(address))
}

/// The reports of the documents whose findings the client does not have.
fn changed_reports(server: &Server, pull: &mut WorkspacePull) -> Vec<Value> {
    let is_shown = server.settings.workspace_diagnostics;
    let mut addresses: BTreeSet<Address> = pull.previous.keys().cloned().collect();
    if is_shown {
        addresses.extend(server.found.values().flat_map(|items| items.keys().cloned()));
    }
    let mut reports = Vec::new();
    for address in addresses {
        // Those of an open document are shown in any case.
        let has_findings = is_shown || server.documents.get(&address).is_some();
        if has_findings && !server.is_ready(&address) {
            continue;
        }
        let items = if has_findings { server.items(&address) } else { Vec::new() };
        let result = ResultId::of(&items);
        let previous = pull.previous.get(&address);
        let is_known = previous.map_or(items.is_empty(), |previous| *previous == result.to_string());
        if is_known {
            continue;
        }
        let document = server.documents.get(&address);
        let mut report = report(&items, result, None);
        if let Some(report) = report.as_object_mut() {
            report.insert("uri".to_owned(), server.documents.uri(&address).into());
            report.insert("version".to_owned(), document.map_or(Value::Null, |document| document.version.into()));
        }
        reports.push(report);
        pull.previous.insert(address, result.to_string());
    }
    reports
}

/// Asks the client to ask again when an open document has other findings than it was answered.
fn refresh(server: &mut Server, changed: BTreeSet<Address>) {
    let mut later = BTreeSet::new();
    let mut is_stale = false;
    for address in changed.into_iter().filter(|address| server.documents.get(address).is_some()) {
        let is_asked = server.pending.documents.iter().any(|pull| pull.address == address);
        let Some(&pulled) = server.known.pulled.get(&address).filter(|_| !is_asked) else { continue };
        if !server.is_ready(&address) {
            later.insert(address);
        } else if ResultId::of(&server.items(&address)) != pulled {
            is_stale = true;
            // Once is enough, until it asks.
            server.known.pulled.remove(&address);
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
