//! Edits that the client applies.

use std::collections::BTreeMap;

use gen_lsp_types::TextEdit;
use serde_json::{Map, Value, json};

use super::address::Address;
use super::state::Server;
use crate::diagnostic::Edit;
use crate::source::{SourceFile, Span};

/// Edits by document.
pub type Edits = BTreeMap<Address, Vec<TextEdit>>;

/// An edit of the workspace: with the versions of open documents, if the client takes them.
pub fn workspace_edit(server: &Server, edits: &Edits) -> Value {
    if server.client.has_document_changes {
        let changes: Vec<Value> = edits.iter().map(|(address, edits)| document_edit(server, address, edits)).collect();
        return json!({ "documentChanges": changes });
    }
    let changes: Map<String, Value> =
        edits.iter().map(|(address, edits)| (server.documents.uri(address), json!(edits))).collect();
    json!({ "changes": changes })
}

/// The edits of one document, with its version; null if it is not open.
pub fn document_edit(server: &Server, address: &Address, edits: &[TextEdit]) -> Value {
    let version = server.documents.get(address).map(|document| document.version);
    json!({ "textDocument": { "uri": server.documents.uri(address), "version": version }, "edits": edits })
}

/// An edit in a file.
pub fn text_edit(server: &Server, source: &SourceFile, edit: &Edit) -> TextEdit {
    TextEdit { range: server.client.encoding.range(source, edit.span), new_text: edit.new_text.clone() }
}

/// The edit that turns one text into another; the common start and end are kept.
pub fn difference(server: &Server, source: &SourceFile, after: &str) -> TextEdit {
    let before = &*source.text;
    let start = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
    let start = (0..=start).rev().find(|&at| before.is_char_boundary(at) && after.is_char_boundary(at)).unwrap_or(0);
    let rest = before.len().min(after.len()) - start;
    let same = before.bytes().rev().zip(after.bytes().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let is_boundary =
        |&end: &usize| before.is_char_boundary(before.len() - end) && after.is_char_boundary(after.len() - end);
    let end = (0..=same).rev().find(is_boundary).unwrap_or(0);
    let new_text = after.get(start..after.len() - end).unwrap_or_default().to_owned();
    let span = Span::of_range(&(start..before.len() - end));
    TextEdit { range: server.client.encoding.range(source, span), new_text }
}
