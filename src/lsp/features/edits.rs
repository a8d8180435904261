//! Edits that the client applies, and formatting.

use std::collections::BTreeMap;

use gen_lsp_types::{DocumentFormattingParams, TextEdit};
use serde_json::{Map, Value, json};

use crate::fix::between;
use crate::format::{NewIds, format_file};
use crate::lsp::connection::Failure;
use crate::lsp::document_uri::DocumentUri;
use crate::lsp::state::Server;
use crate::text::diagnostic::Edit;
use crate::text::source::{SourceFile, Span};

/// Edits by document.
pub type Edits = BTreeMap<DocumentUri, Vec<TextEdit>>;

/// An edit of the workspace: with the versions of open documents, if the client takes them.
pub fn workspace_edit(server: &Server, edits: &Edits) -> Value {
    if server.client.has_document_changes {
        let changes: Vec<Value> = edits.iter().map(|(uri, edits)| document_edit(server, uri, edits)).collect();
        return json!({ "documentChanges": changes });
    }
    let changes: Map<String, Value> =
        edits.iter().map(|(uri, edits)| (server.documents.uri_as_written(uri), json!(edits))).collect();
    json!({ "changes": changes })
}

/// The edits of one document, with its version; null if it is not open.
pub fn document_edit(server: &Server, uri: &DocumentUri, edits: &[TextEdit]) -> Value {
    let version = server.documents.get(uri).map(|document| document.version);
    json!({ "textDocument": { "uri": server.documents.uri_as_written(uri), "version": version }, "edits": edits })
}

/// An edit in a file.
pub fn text_edit(server: &Server, source: &SourceFile, edit: &Edit) -> TextEdit {
    TextEdit { range: server.client.encoding.range(source, edit.span), new_text: edit.new_text.clone() }
}

/// The edits that turn a file into another text.
pub fn differences(server: &Server, source: &SourceFile, after: &str) -> Vec<TextEdit> {
    let replacements = between(&source.text, after).into_iter();
    let edits = replacements.map(|replacement| TextEdit {
        range: server.client.encoding.range(source, Span::of_range(&replacement.before)),
        new_text: after.get(replacement.after).unwrap_or_default().to_owned(),
    });
    edits.collect()
}

/// The edits that make the stable form; `None` for what is not a document.
pub fn formatting(server: &Server, params: &DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>, Failure> {
    let uri = DocumentUri::of(&params.text_document.uri.0);
    let Some((root, service)) = server.service(&uri) else { return Ok(None) };
    let project = root.loaded.as_ref().map(|loaded| &loaded.project);
    let config = project.and_then(|project| project.configs.get(project.services.get(service)?.config));
    let (Some(file), Some(config)) = (server.read_file(&uri), config) else { return Ok(None) };
    let after = format_file(&file, config, &NewIds::default()).map_err(Failure::refused)?;
    Ok(after.map(|after| differences(server, &file.source, &after)))
}
