//! `textDocument/completion`.

use gen_lsp_types::{CompletionItemKind, CompletionParams, TextEdit};
use serde_json::{Value, json};

use crate::lsp::address::Address;
use crate::lsp::ask::Asked;
use crate::lsp::features::{Completion, CompletionKind, completions};
use crate::lsp::state::Server;

/// What can be written at a place; those that fit come first.
pub fn handle(server: &Server, params: &CompletionParams) -> Vec<Value> {
    let place = &params.text_document_position_params;
    let address = Address::of(&place.text_document.uri.0);
    let found = Asked::all(server, &address).into_iter().find_map(|asked| {
        let found = asked.ask(&address, place.position, completions).filter(|found| !found.is_empty())?;
        Some(found.iter().filter_map(|completion| item(&asked, &address, completion)).collect())
    });
    found.unwrap_or_default()
}

fn item(asked: &Asked<'_>, address: &Address, completion: &Completion) -> Option<Value> {
    let edit = TextEdit { range: asked.range(address, completion.span)?, new_text: completion.new_text.clone() };
    let additional = completion.additional.iter();
    let additional: Vec<TextEdit> = additional
        .filter_map(|edit| Some(TextEdit { range: asked.range(address, edit.span)?, new_text: edit.new_text.clone() }))
        .collect();
    let mut item = json!({
        "label": completion.label,
        "kind": kind(completion.kind),
        "sortText": format!("{:03} {}", completion.rank, completion.label),
        // A client compares it with what the edit replaces, quotes included.
        "filterText": completion.new_text,
        "textEdit": edit,
    });
    if let Some(item) = item.as_object_mut() {
        item.extend(completion.detail.as_ref().map(|detail| ("detail".to_owned(), json!(detail))));
        if !additional.is_empty() {
            item.insert("additionalTextEdits".to_owned(), json!(additional));
        }
    }
    Some(item)
}

const fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Variable => CompletionItemKind::Variable,
        CompletionKind::Method => CompletionItemKind::Method,
        CompletionKind::Parameter | CompletionKind::Key => CompletionItemKind::Property,
        CompletionKind::Value => CompletionItemKind::Value,
        CompletionKind::Form => CompletionItemKind::File,
        CompletionKind::Activity => CompletionItemKind::Function,
        CompletionKind::Rule => CompletionItemKind::Constant,
    }
}
