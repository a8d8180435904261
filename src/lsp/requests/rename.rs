//! `textDocument/prepareRename` and `textDocument/rename`.

use gen_lsp_types::{PrepareRenameParams, RenameParams};
use serde_json::{Value, json};

use crate::diagnostic::Edit;
use crate::lsp::address::Address;
use crate::lsp::ask::Asked;
use crate::lsp::edit::{Edits, text_edit, workspace_edit};
use crate::lsp::features::{prepare_rename, rename};
use crate::lsp::message::Failure;
use crate::lsp::state::Server;

/// The name at a place.
///
/// # Errors
/// Why it cannot be renamed.
pub fn prepare(server: &Server, params: &PrepareRenameParams) -> Result<Option<Value>, Failure> {
    let place = &params.text_document_position_params;
    let address = Address::of(&place.text_document.uri.0);
    let mut refused = None;
    for asked in Asked::all(server, &address) {
        match asked.ask(&address, place.position, prepare_rename) {
            Some(Ok(found)) => {
                let range = asked.range(&address, found.span);
                return Ok(range.map(|range| json!({ "range": range, "placeholder": found.name })));
            }
            Some(Err(reason)) => refused = Some(reason),
            None => {}
        }
    }
    refused.map_or(Ok(None), |reason| Err(Failure::refused(reason)))
}

/// The edits that rename it.
///
/// # Errors
/// Why it cannot be renamed, or not to this name.
pub fn handle(server: &Server, params: &RenameParams) -> Result<Option<Value>, Failure> {
    let place = &params.text_document_position_params;
    let address = Address::of(&place.text_document.uri.0);
    let mut refused = None;
    for asked in Asked::all(server, &address).into_iter().map(Asked::with_shared) {
        let edits = asked
            .ask(&address, place.position, |snapshot, file, offset| rename(snapshot, file, offset, &params.new_name));
        match edits {
            Some(Ok(edits)) => return Ok(Some(workspace_edit(server, &by_document(server, &asked, &address, &edits)))),
            Some(Err(reason)) => refused = Some(reason),
            None => {}
        }
    }
    refused.map_or(Ok(None), |reason| Err(Failure::refused(reason)))
}

fn by_document(server: &Server, asked: &Asked<'_>, address: &Address, edits: &[Edit]) -> Edits {
    let mut all = Edits::new();
    for of_file in edits.chunk_by(|a, b| a.file == b.file) {
        let source = of_file.first().and_then(|edit| asked.source(edit.file, address));
        if let Some((address, source)) = source {
            all.insert(address, of_file.iter().map(|edit| text_edit(server, &source, edit)).collect());
        }
    }
    all
}
