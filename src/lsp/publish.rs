//! Push diagnostics: findings that are sent without a request.

use std::collections::BTreeSet;

use gen_lsp_types::{PublishDiagnosticsNotification, PublishDiagnosticsParams};

use super::address::Address;
use super::convert::Item;
use super::documents::{is_config, may_be_document};
use super::pending::ResultId;
use super::state::Server;
use crate::simulate::is_scenario;

/// Publishes changed findings: for each version of open documents, and for other documents if the workspace is shown.
pub fn publish(server: &mut Server) {
    let changed = std::mem::take(&mut server.changed);
    let mut later = BTreeSet::new();
    for address in changed {
        let is_open = server.documents.get(&address).is_some();
        let is_shown = is_open || server.settings.workspace_diagnostics;
        if is_shown && !server.is_ready(&address) {
            later.insert(address);
            continue;
        }
        if is_shown || server.known.published.contains_key(&address) {
            publish_document(server, &address, is_shown);
        }
    }
    server.changed.extend(later);
}

fn publish_document(server: &mut Server, address: &Address, is_shown: bool) {
    let document = server.documents.get(address);
    let version = document.map(|document| document.version);
    let items: Vec<&Item> = if is_shown { server.items(address) } else { Vec::new() };
    let id = ResultId::of(&items);
    let before = server.known.published.get(address);
    let is_linted = document.is_some_and(|document| may_be_document(address, document))
        || is_config(address)
        || address.path().is_some_and(is_scenario);
    if before == Some(&(version, id)) || items.is_empty() && before.is_none() && !is_linted {
        return;
    }
    let params = PublishDiagnosticsParams {
        uri: server.documents.uri(address).into(),
        version,
        diagnostics: items.iter().map(|item| item.diagnostic.clone()).collect(),
    };
    let is_forgotten = items.is_empty() && version.is_none();
    server.outbox.notify::<PublishDiagnosticsNotification>(&params);
    if is_forgotten {
        server.known.published.remove(address);
    } else {
        server.known.published.insert(address.clone(), (version, id));
    }
}
