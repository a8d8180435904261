//! The live picture beside the text: `wflint/drawing`, and `wflint/drawingChanged`, which says that there is another one.

use gen_lsp_types::{Position, TextDocumentIdentifier};
use serde::Deserialize;
use serde_json::json;

use super::ask::documents_of;
use super::commands::kind_of;
use crate::facts::AnalyzedService;
use crate::lsp::connection::Failure;
use crate::lsp::document_uri::DocumentUri;
use crate::lsp::pending::{Drawn, ResultId};
use crate::lsp::picture::{Asked, Picture, PictureAnswer};
use crate::lsp::queue::ServicePlace;
use crate::lsp::state::Server;
use crate::project::Content;
use crate::schema::DocumentKind;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DrawingParams {
    text_document: TextDocumentIdentifier,
    position: Option<Position>,
    collapsed: Option<Vec<String>>,
}

/// The drawing of a workflow, with its findings; of one that is invalid JSON now, the last one.
pub fn handle(server: &Server, params: &DrawingParams) -> Result<Option<PictureAnswer>, Failure> {
    let uri = DocumentUri::of(&params.text_document.uri.0);
    let Some((snapshot, id)) = documents_of(server, &uri) else { return Ok(None) };
    let Some(now) = snapshot.service.files().iter().find(|file| file.id == id) else { return Ok(None) };
    let is_stale = matches!(now.content, Content::Invalid(_));
    let shown = if is_stale { snapshot.last_valid.iter().find(|file| file.id == id) } else { Some(now) };
    let Some(shown) = shown.filter(|file| file.workflow().is_ok()) else { return Ok(None) };
    let document = server.documents.get(&uri);
    let checked = server.checked(&uri).unwrap_or_default();
    let before = document.and_then(|document| document.last_checked.clone()).filter(|_| is_stale);
    let drawn = before.as_ref().unwrap_or(&checked);
    let draw = |service: &AnalyzedService<'_>| Picture::new(service, shown, drawn);
    let picture = if is_stale { snapshot.analyze_last_valid(draw) } else { snapshot.analyze(draw) };
    let asked = Asked {
        version: document.map(|document| document.version.into()),
        source: &now.source,
        checked: &checked,
        encoding: server.client.encoding,
        position: params.position,
        folded: params.collapsed.as_deref().unwrap_or_default(),
    };
    Ok(Some(picture.map_err(Failure::refused)?.answer(&asked)))
}

/// Notes which drawings may have changed, if the client wants to know.
pub fn note_changes(server: &mut Server) {
    if server.client.draws {
        server.redrawn.extend(server.changed.iter().cloned());
    }
}

/// Tells the client of the drawings that have changed, once their findings are known.
pub fn announce(server: &mut Server) {
    for uri in std::mem::take(&mut server.redrawn) {
        let Some(document) = server.documents.get(&uri) else {
            server.known.drawn.remove(&uri);
            continue;
        };
        if !server.is_ready(&uri) {
            server.redrawn.insert(uri);
            continue;
        }
        let known = server.known.drawn.get(&uri);
        // One that is not a workflow any more has to go.
        if known.is_none() && kind_of(server, &uri) != Some(DocumentKind::Workflow) {
            continue;
        }
        let findings = ResultId::of(&server.items(&uri));
        let drawn = Drawn { version: document.version, place: place(server, &uri), findings };
        if known == Some(&drawn) {
            continue;
        }
        let params = json!({ "uri": document.uri, "version": document.version });
        server.outbox.notify_of("wflint/drawingChanged", params);
        server.known.drawn.insert(uri, drawn);
    }
}

/// The state of a document's service.
fn place(server: &Server, uri: &DocumentUri) -> Option<ServicePlace> {
    let (root, service) = server.service(uri)?;
    let text = root.loaded.as_ref()?.services.get(service)?.lint.text;
    Some(ServicePlace { root: root.id, loaded: root.revision.checked, service, text })
}
