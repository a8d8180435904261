//! Handles notifications of the client. Invalid ones are ignored, because notifications have no answer.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use gen_lsp_types::{
    ConfigurationItem, ConfigurationParams, ConfigurationRequest, DidChangeWatchedFilesParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, FileChangeType, Registration, RegistrationParams,
    RegistrationRequest, Request,
};
use lsp_server::{Message, Notification, RequestId, Response};
use serde_json::{Value, json};

use super::client::folders_of;
use super::connection::{Failure, request_id};
use super::document_uri::DocumentUri;
use super::documents::{Change, OpenDocument, apply};
use super::load::Scope;
use super::outbox::TraceLevel;
use super::requests::read;
use super::root::{Revision, Root};
use super::settings::{SECTION, Settings};
use super::state::{Origin, Server};
use crate::files::read::is_present;
use crate::project::is_json;
use crate::simulate::is_scenario;

type Handler = fn(&mut Server, Value) -> Result<(), Failure>;

/// By method.
const NOTIFICATIONS: &[(&str, Handler)] = &[
    ("textDocument/didOpen", |server, params| read(params).map(|params| open(server, params))),
    ("textDocument/didChange", change),
    ("textDocument/didClose", |server, params| read(params).map(|params| close(server, &params))),
    ("workspace/didChangeConfiguration", |server, params| {
        change_configuration(server, &params);
        Ok(())
    }),
    ("workspace/didChangeWatchedFiles", |server, params| read(params).map(|params| change_files(server, params))),
    ("workspace/didChangeWorkspaceFolders", |server, params| change_folders(server, &params)),
    ("$/setTrace", |server, params| {
        let level = params.get("value").and_then(TraceLevel::of);
        server.outbox.trace = level.ok_or_else(|| Failure::params("expected a trace level in `value`"))?;
        Ok(())
    }),
    ("$/cancelRequest", |server, params| cancel(server, &params)),
];

/// Handles a notification; an unknown one is ignored, as the protocol wants it.
pub fn handle(server: &mut Server, method: &str, params: Value) -> Result<(), Failure> {
    let known = NOTIFICATIONS.iter().find(|(known, _)| *known == method);
    let known = known.inspect(|_| server.edits += u64::from(!method.starts_with("$/")));
    known.map_or(Ok(()), |(_, handler)| handler(server, params))
}

fn open(server: &mut Server, params: DidOpenTextDocumentParams) {
    let now = Instant::now();
    let document = params.text_document;
    let written = document.uri.0;
    let uri = DocumentUri::of(&written);
    let open = OpenDocument {
        uri: written,
        version: document.version,
        language: String::from(document.language_id),
        text: Arc::from(document.text),
        last_valid: None,
        last_checked: None,
    };
    server.documents.open(uri.clone(), open);
    if server.root_index(&uri).is_none() {
        let scope = match &uri {
            DocumentUri::File(path) => Scope::Loose(path.parent().unwrap_or(path).to_path_buf()),
            DocumentUri::Other(uri) => Scope::Unnamed(uri.clone()),
        };
        server.add_root(scope, now);
    }
    if uri.path().is_some_and(is_scenario) {
        server.scenarios.insert(uri.clone(), Revision::new(now));
    }
    server.touch(&uri, now, false);
}

fn change(server: &mut Server, mut params: Value) -> Result<(), Failure> {
    let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).map(DocumentUri::of);
    let version = params.pointer("/textDocument/version").and_then(Value::as_i64);
    let version = version.and_then(|version| i32::try_from(version).ok());
    let changes = params.get_mut("contentChanges").map(Value::take).unwrap_or_default();
    let changes = Change::all(changes)?;
    let uri = uri.ok_or_else(|| Failure::params("missing `textDocument`"))?;
    let encoding = server.client.encoding;
    let now = Instant::now();
    let Some(document) = server.documents.get_mut(&uri) else {
        return Err(Failure::params("the document is not open"));
    };
    document.text = Arc::from(apply(&document.text, changes, encoding));
    document.version = version.unwrap_or(document.version);
    server.touch(&uri, now, true);
    Ok(())
}

fn close(server: &mut Server, params: &DidCloseTextDocumentParams) {
    let now = Instant::now();
    let uri = DocumentUri::of(&params.text_document.uri.0);
    if !server.documents.close(&uri) {
        return;
    }
    server.scenarios.remove(&uri);
    server.found.remove(&Origin::Scenario(uri.clone()));
    server.known.pulled.remove(&uri);
    // Closing removes a document that was never saved; a saved one is on the disk.
    let is_on_disk = uri.path().is_some_and(is_present);
    if let Some(root) = server.root_index(&uri).and_then(|index| server.roots.get_mut(index))
        && (!is_on_disk || uri.path().is_some_and(|path| root.is_new(path)))
    {
        root.revision.touch(now);
    }
    if let Some(service) = server.service_mut(&uri) {
        service.disk = None;
    }
    server.touch(&uri, now, false);
    let open: Vec<DocumentUri> = server.documents.iter().map(|(uri, _)| uri.clone()).collect();
    server.remove_roots(|root| match &root.scope {
        Scope::Folder(_) => false,
        Scope::Loose(_) => !open.iter().any(|open| open.path().is_some_and(|path| root.has_inside(path))),
        Scope::Unnamed(uri) => !open.contains(&DocumentUri::Other(uri.clone())),
    });
    for id in server.pending.take_of(&uri) {
        server.outbox.respond(&id, Err(Failure::canceled()));
    }
}

/// Settings of other servers, or none at all, as some clients send them after `initialize`, change nothing.
fn change_configuration(server: &mut Server, params: &Value) {
    let settings = params.get("settings").filter(|settings| settings.is_object());
    match settings {
        Some(settings) if Settings::is_in(settings) => set_settings(server, Settings::read(settings, false)),
        Some(_) => {}
        None => request_settings(server),
    }
}

/// Asks the client for its settings, if it answers.
pub fn request_settings(server: &mut Server) {
    if server.client.has_configuration {
        let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
        server.outbox.request::<ConfigurationRequest>(&ConfigurationParams { items: vec![item] });
    }
}

/// The answer to a request of the server.
pub fn handle_response(server: &mut Server, Response { id, response_result }: Response) {
    let is_about_settings =
        server.outbox.complete(id).is_some_and(|method| method == ConfigurationRequest::METHOD.as_str());
    if let Ok(Value::Array(settings)) = response_result
        && let Some(settings) = settings.first().filter(|settings| is_about_settings && settings.is_object())
    {
        set_settings(server, Settings::read(settings, true));
    }
}

fn set_settings(server: &mut Server, (settings, problems): (Settings, Vec<String>)) {
    for problem in problems {
        server.show_once(&problem);
    }
    if let Some(level) = settings.trace.filter(|_| settings.trace != server.settings.trace) {
        server.outbox.trace = level;
    }
    server.settings.trace = settings.trace;
    if server.settings == settings {
        return;
    }
    server.settings = settings;
    reload_all(server);
    server.changed.extend(server.known.published.keys().cloned());
}

fn reload_all(server: &mut Server) {
    let now = Instant::now();
    server.roots.iter_mut().for_each(|root| root.revision.touch(now));
    server.touch_scenarios(now);
}

fn change_files(server: &mut Server, params: DidChangeWatchedFilesParams) {
    let now = Instant::now();
    for event in params.changes {
        let uri = DocumentUri::of(&event.uri.0);
        let Some(path) = uri.path() else { continue };
        let is_open = server.documents.get(&uri).is_some();
        server.stale.lenses |= is_scenario(path);
        if event.kind == FileChangeType::Changed {
            if let Some(service) = server.service_mut(&uri).filter(|_| !is_open) {
                service.disk = None;
                service.touch(now, false);
            }
        } else if (is_json(path) || is_scenario(path))
            && let Some(root) = server.root_index(&uri).and_then(|index| server.roots.get_mut(index))
        {
            root.revision.touch(now);
        }
        let is_ignore_file = path.file_name().is_some_and(|name| name == ".gitignore" || name == ".ignore");
        let depends = |root: &Root| root.is_configured_by(path) || is_ignore_file && root.has_inside(path);
        server.roots.iter_mut().filter(|root| depends(root)).for_each(|root| root.revision.touch(now));
    }
    server.touch_scenarios(now);
}

fn change_folders(server: &mut Server, params: &Value) -> Result<(), Failure> {
    let event = params.get("event").ok_or_else(|| Failure::params("missing `event`"))?;
    let (added, removed) = (event.get("added").map(folders_of), event.get("removed").map(folders_of));
    let (added, removed) = (added.unwrap_or_default(), removed.unwrap_or_default());
    let now = Instant::now();
    server.remove_roots(|root| matches!(&root.scope, Scope::Folder(folder) if removed.contains(folder)));
    server.client.folders.retain(|folder| !removed.contains(folder));
    for folder in added {
        if !server.client.folders.contains(&folder) {
            server.client.folders.push(folder.clone());
            server.add_root(Scope::Folder(folder), now);
        }
    }
    // Open documents may belong to other roots now.
    let open: Vec<DocumentUri> = server.documents.iter().map(|(uri, _)| uri.clone()).collect();
    for uri in open {
        if server.root_index(&uri).is_none()
            && let Some(folder) = uri.path().and_then(Path::parent)
        {
            server.add_root(Scope::Loose(folder.to_path_buf()), now);
        }
        server.touch(&uri, now, false);
    }
    Ok(())
}

fn cancel(server: &mut Server, params: &Value) -> Result<(), Failure> {
    let id = canceled_id(params).ok_or_else(|| Failure::params("missing `id`"))?;
    if server.pending.remove(&id) || server.runs.end(&id).is_some() {
        server.outbox.respond(&id, Err(Failure::canceled()));
    }
    Ok(())
}

/// The request that a `$/cancelRequest` is about.
fn canceled_id(params: &Value) -> Option<RequestId> {
    request_id(params.get("id")?.clone())
}

/// Whether a message cancels a request.
pub fn cancels(message: &Message, id: &RequestId) -> bool {
    matches!(message, Message::Notification(Notification { method, params })
        if method == "$/cancelRequest" && canceled_id(params).as_ref() == Some(id))
}

/// Documents, configurations, catalogs, baselines, scenarios and their directories, ignore files, the user's own rules.
const PATTERNS: [&str; 5] =
    ["**/*.{json,toml}", "**/*.scenario.{yaml,yml}", "**/*.ldif", "**/{.gitignore,.ignore}", "**/*.{js,mjs,md}"];

/// Asks the client to watch files.
pub fn register(server: &mut Server) {
    if !server.client.watches {
        return;
    }
    let watchers: Vec<_> = PATTERNS.iter().map(|pattern| json!({ "globPattern": pattern })).collect();
    let registration = Registration {
        id: "wflint-files".to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: Some(json!({ "watchers": watchers })),
    };
    server.outbox.request::<RegistrationRequest>(&RegistrationParams { registrations: vec![registration] });
}
