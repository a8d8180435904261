//! Completions at a place, even if the text is incomplete.

mod items;
mod json;
mod keys;
mod lines;
mod names;
mod schema;

pub use items::{Completion, CompletionKind};

use gen_lsp_types::{CompletionItemKind, CompletionParams, TextEdit};
use serde_json::{Value, json};

use super::ask::Ask;
use super::snapshot::Snapshot;
use crate::facts::AnalyzedService;
use crate::lsp::state::Server;
use crate::simulate::scenario::ScenarioSyntax;
use crate::text::diagnostic::FileId;
use crate::text::source::Span;
use items::Completions;
use json::Context;
use schema::Place;

/// The completions at a place; those that fit come first.
pub fn handle(server: &Server, params: &CompletionParams) -> Vec<Value> {
    let found = Ask::first(server, &params.text_document_position_params, |ask| {
        let found = ask.answer(completions).filter(|found| !found.is_empty())?;
        let text = ask.text()?;
        Some(found.into_iter().filter_map(|completion| item(&ask, text, completion)).collect())
    });
    found.unwrap_or_default()
}

fn item(ask: &Ask<'_>, text: &str, completion: Completion) -> Option<Value> {
    let replaces_ranges = ask.server.client.replaces_ranges;
    let (_, filter) = replacement(text, &completion, replaces_ranges);
    let completion = completion.settle(text, replaces_ranges);
    let (span, new_text) = replacement(text, &completion, replaces_ranges);
    let edit = TextEdit { range: ask.range(span)?, new_text };
    let additional = completion.additional.iter();
    let additional: Vec<TextEdit> = additional
        .filter_map(|edit| Some(TextEdit { range: ask.range(edit.span)?, new_text: edit.new_text.clone() }))
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

/// The completions at an offset, sorted.
pub fn completions(snapshot: &Snapshot, file: FileId, offset: u32) -> Vec<Completion> {
    let Some(text) = snapshot.text(file) else { return Vec::new() };
    let offset = floor(text, offset);
    let Some((schema, syntax)) = schema_of(snapshot, file, text) else { return Vec::new() };
    let context = match syntax {
        ScenarioSyntax::Json => json::context(text, offset),
        ScenarioSyntax::Yaml => lines::yaml(text, offset),
        ScenarioSyntax::Toml => lines::toml(text, offset),
    };
    let Some(context) = context else { return Vec::new() };
    let is_plain = syntax == ScenarioSyntax::Yaml || syntax == ScenarioSyntax::Toml && context.is_key;
    let mut found = snapshot.analyze_last_valid(|service| {
        let mut completions = Completions::new(file, text, offset, is_plain, &context);
        add_all(service, schema, &context, &mut completions);
        completions.found
    });
    found.sort_by(|a, b| (a.rank, a.kind, &a.label).cmp(&(b.rank, b.kind, &b.label)));
    found.dedup_by(|next, completion| next.label == completion.label && next.kind == completion.kind);
    found
}

/// The last character boundary at or before an offset.
fn floor(text: &str, offset: u32) -> u32 {
    let at = (0..=text.len().min(offset as usize)).rev().find(|&at| text.is_char_boundary(at));
    at.and_then(|at| u32::try_from(at).ok()).unwrap_or(0)
}

/// The name of the schema of a file, and how it is written.
fn schema_of(snapshot: &Snapshot, file: FileId, text: &str) -> Option<(&'static str, ScenarioSyntax)> {
    if let Some(other) = snapshot.others.iter().find(|other| other.id == file) {
        return Some(other.scenario_syntax().map_or(("config", ScenarioSyntax::Toml), |syntax| ("scenario", syntax)));
    }
    let marks = [("\"activities\"", "workflow"), ("\"fields\"", "form"), ("\"Parties\"", "signing-case")];
    marks.into_iter().find(|(mark, _)| text.contains(mark)).map(|(_, schema)| (schema, ScenarioSyntax::Json))
}

fn add_all(service: &AnalyzedService<'_>, schema: &str, context: &Context, to: &mut Completions<'_>) {
    let Some(place) = Place::of(schema, &context.around) else { return };
    let is_document = !matches!(schema, "scenario" | "config");
    if let Some(header) = &context.header {
        return to.add_tables(place.tables(), header, context.around.last());
    }
    if context.is_key {
        keys::add_keys(service, &place, context, to);
    } else if is_document {
        if names::add_variables(service, context, to) {
            return;
        }
        names::add_known(service, context, to);
    }
    if !is_document {
        keys::add_names(service, context, to);
    }
    if !context.is_key {
        for (value, is_string) in place.values(context.key.as_deref()) {
            to.add_value(&value, is_string, None);
        }
    }
}
