//! Runs for the player beside the drawing: `wflint/plays` lists them, `wflint/run` answers with one. A process of its own
//! collects all runs of a workflow, from the texts of the open documents.

use std::path::PathBuf;
use std::sync::Arc;

use gen_lsp_types::TextDocumentIdentifier;
use lsp_server::RequestId;
use serde::Deserialize;
use serde_json::Value;

use super::ask::documents_of;
use super::commands::{self, folder, kind_of, scenarios_of, text};
use crate::files::read::Unsaved;
use crate::lsp::connection::Failure;
use crate::lsp::document_uri::DocumentUri;
use crate::lsp::run::{KnownPlays, Order, PlaysOrder, Report, Wanted, Work};
use crate::lsp::state::Server;
use crate::page::{Play, Plays};
use crate::project::{Content, clean_path};
use crate::schema::DocumentKind;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaysParams {
    text_document: TextDocumentIdentifier,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunParams {
    text_document: TextDocumentIdentifier,
    scenario: Option<String>,
    end: Option<String>,
}

/// `wflint/plays`. The result comes later; null for a document that is not a workflow.
pub fn list(server: &mut Server, id: &RequestId, params: &PlaysParams) -> Result<Option<Value>, Failure> {
    let uri = DocumentUri::of(&params.text_document.uri.0);
    if kind_of(server, &uri) != Some(DocumentKind::Workflow) {
        return Ok(Some(Value::Null));
    }
    let is_same = |wanted: &Wanted| matches!(wanted, Wanted::Plays { uri: known, play: None, .. } if *known == uri);
    for replaced in server.runs.end_all(is_same) {
        server.outbox.respond(&replaced, Err(Failure::replaced()));
    }
    start(server, id, uri, None).map(|()| None)
}

/// `wflint/run`. The result comes at once if the runs are known.
pub fn run(server: &mut Server, id: &RequestId, params: &RunParams) -> Result<Option<Value>, Failure> {
    let uri = DocumentUri::of(&params.text_document.uri.0);
    let play = match (&params.scenario, &params.end) {
        (Some(scenario), None) => Play::Scenario(scenario.clone()),
        (None, Some(end)) => Play::End(end.clone()),
        _ => return Err(Failure::params("expected either `scenario` or `end`")),
    };
    if kind_of(server, &uri) != Some(DocumentKind::Workflow) {
        return Err(Failure::params("expected the URI of a workflow"));
    }
    let known = server.runs.plays.as_ref().filter(|known| known.uri == uri && known.edits == server.edits);
    if let Some(run) = known.and_then(|known| known.plays.run(&play).ok()) {
        return Ok(Some(run));
    }
    start(server, id, uri, Some(play)).map(|()| None)
}

/// Answers a run that has ended, unless it was canceled.
pub fn finish_run(server: &mut Server, id: &RequestId, report: Report) {
    match server.runs.end(id) {
        None => {}
        Some(Wanted::Report { .. }) => commands::finish(server, id, report),
        Some(Wanted::Plays { uri, edits, play }) => {
            let answer = finish(server, (uri, edits), play.as_ref(), report.result);
            server.outbox.respond(id, answer);
        }
    }
}

/// The answer when all runs of a workflow are collected.
fn finish(
    server: &mut Server,
    (uri, edits): (DocumentUri, u64),
    play: Option<&Play>,
    data: Result<String, Failure>,
) -> Result<Value, Failure> {
    let Some(plays) = Plays::read(&data?).map(Arc::new) else {
        return if play.is_some() { Err(Failure::params("expected the URI of a workflow")) } else { Ok(Value::Null) };
    };
    server.runs.plays = Some(KnownPlays { uri, edits, plays: Arc::clone(&plays) });
    match play {
        None => Ok(plays.list()),
        Some(play) => plays.run(play).map_err(Failure::params),
    }
}

fn start(server: &mut Server, id: &RequestId, uri: DocumentUri, play: Option<Play>) -> Result<(), Failure> {
    let path = uri.path().ok_or_else(|| Failure::refused("expected a file: save the document first"))?.to_path_buf();
    let folder = folder(server, &uri, &path);
    let config = server.settings.configuration.as_ref().map(|config| clean_path(config, &folder).0);
    let scenarios = scenarios_of(server, &uri);
    // They are written as JSON.
    for path in scenarios.iter().chain(&config).chain([&path, &folder]) {
        text(path)?;
    }
    let unsaved = texts(server, &uri, &path);
    let wanted = Wanted::Plays { uri, edits: server.edits, play };
    let work = Work::Plays(PlaysOrder { workflow: path, scenarios, config, ..PlaysOrder::default() });
    let runs_scripts = server.settings.run_scripts;
    server.runs.start(Order { id: id.clone(), folder, work, unsaved, runs_scripts, wanted })
}

/// The texts of the open documents. Of a workflow that is invalid JSON it is the last one that was valid, as drawn.
fn texts(server: &Server, uri: &DocumentUri, path: &PathBuf) -> Unsaved {
    let unsaved = server.documents.unsaved();
    let last_valid = documents_of(server, uri).and_then(|(snapshot, id)| {
        let now = snapshot.service.files().iter().find(|file| file.id == id)?;
        let last_valid = snapshot.last_valid.iter().find(|file| file.id == id)?;
        matches!(now.content, Content::Invalid(_)).then(|| Arc::clone(&last_valid.source.text))
    });
    let Some(last_valid) = last_valid else { return unsaved };
    let others = unsaved.paths().filter(|other| other != path);
    let others = others.filter_map(|other| Some((other.to_path_buf(), Arc::clone(unsaved.text(other)?))));
    Unsaved::texts(others.chain([(path.clone(), last_valid)]))
}
