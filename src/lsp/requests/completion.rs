//! `textDocument/completion`.

use gen_lsp_types::{CompletionItemKind, CompletionParams, TextEdit};
use serde_json::{Value, json};

use crate::lsp::address::Address;
use crate::lsp::ask::Asked;
use crate::lsp::features::{Completion, CompletionKind, completions};
use crate::lsp::state::Server;
use crate::source::Span;

/// The completions at a place; those that fit come first.
pub fn handle(server: &Server, params: &CompletionParams) -> Vec<Value> {
    let place = &params.text_document_position_params;
    let address = Address::of(&place.text_document.uri.0);
    let replaces_ranges = server.client.replaces_ranges;
    let found = Asked::all(server, &address).into_iter().find_map(|asked| {
        let found = asked.ask(&address, place.position, completions).filter(|found| !found.is_empty())?;
        let text = asked.text(&address)?;
        let items =
            found.into_iter().filter_map(|completion| item(&asked, &address, text, completion, replaces_ranges));
        Some(items.collect())
    });
    found.unwrap_or_default()
}

fn item(
    asked: &Asked<'_>,
    address: &Address,
    text: &str,
    completion: Completion,
    replaces_ranges: bool,
) -> Option<Value> {
    let (_, filter) = replacement(text, &completion, replaces_ranges);
    let completion = completion.settle(text, replaces_ranges);
    let (span, new_text) = replacement(text, &completion, replaces_ranges);
    let edit = TextEdit { range: asked.range(address, span)?, new_text };
    let additional = completion.additional.iter();
    let additional: Vec<TextEdit> = additional
        .filter_map(|edit| Some(TextEdit { range: asked.range(address, edit.span)?, new_text: edit.new_text.clone() }))
        .collect();
    let mut item = json!({
        "label": completion.label,
        "kind": kind(completion.kind),
        // A space comes before the quote with which the strings of an editor's own JSON server begin.
        "sortText": format!(" {:03} {}", completion.rank, completion.label),
        // A client compares it with what the edit replaces up to the cursor.
        "filterText": filter,
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

/// What a completion replaces, and by what, maybe with the quote that opens a string: an editor ranks completions by how
/// much of what they replace is written, and its own JSON server replaces strings with their quotes. The quote that closes
/// the string stays: not all editors replace what is behind the cursor.
fn replacement(text: &str, completion: &Completion, with_quote: bool) -> (Span, String) {
    let Span { start, end } = completion.span;
    let before = start.checked_sub(1).filter(|&at| with_quote && text.as_bytes().get(at as usize) == Some(&b'"'));
    match before {
        Some(before) => (Span::new(before, end), format!("\"{}", completion.new_text)),
        None => (completion.span, completion.new_text.clone()),
    }
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
