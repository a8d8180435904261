//! Completions at a place, even if the text is incomplete.

mod beside;
mod completions;
mod item;
mod json_context;
mod json_tokens;
mod known;
mod line_context;
mod members;
mod schema_path;
mod toml_header;
mod variables;

pub use item::{Completion, CompletionKind};

use gen_lsp_types::{CompletionItemKind, CompletionParams, TextEdit};
use serde_json::{Value, json};

use super::ask::Ask;
use super::snapshot::Snapshot;
use crate::diagnostic::FileId;
use crate::facts::AnalyzedService;
use crate::lsp::state::Server;
use crate::simulate::scenario::ScenarioSyntax;
use crate::source::Span;
use completions::Completions;
use json_context::{JsonContext, context};

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
pub fn completions(snapshot: &Snapshot<'_>, file: FileId, offset: u32) -> Vec<Completion> {
    let Some(text) = snapshot.text(file) else { return Vec::new() };
    let offset = floor(text, offset);
    let Some((schema, style)) = schema(snapshot, file, text) else { return Vec::new() };
    if style == Style::Toml
        && let Some(mut tables) = toml_header::completions(schema, file, text, offset)
    {
        tables.sort_by(|a, b| a.label.cmp(&b.label));
        return tables;
    }
    let context = match style {
        Style::Json => context(text, offset),
        Style::Yaml => line_context::yaml(text, offset),
        Style::Toml => line_context::toml(text, offset),
    };
    let Some(context) = context else { return Vec::new() };
    let is_plain = style == Style::Yaml || style == Style::Toml && context.is_key;
    let mut found = snapshot.analyze_last_valid(|service| {
        let mut completions = Completions::new(file, text, offset, is_plain, &context);
        add_all(service, schema, &context, &mut completions);
        completions.into_found()
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Json,
    Yaml,
    Toml,
}

/// The name of the schema of a file, and how it is written.
fn schema(snapshot: &Snapshot<'_>, file: FileId, text: &str) -> Option<(&'static str, Style)> {
    if let Some(other) = snapshot.others.iter().find(|other| other.id == file) {
        return Some(match other.scenario_syntax() {
            Some(ScenarioSyntax::Json) => ("scenario", Style::Json),
            Some(ScenarioSyntax::Yaml) => ("scenario", Style::Yaml),
            Some(ScenarioSyntax::Toml) => ("scenario", Style::Toml),
            None => ("config", Style::Toml),
        });
    }
    let marks = [("\"activities\"", "workflow"), ("\"fields\"", "form"), ("\"Parties\"", "signing-case")];
    marks.into_iter().find(|(mark, _)| text.contains(mark)).map(|(_, schema)| (schema, Style::Json))
}

fn add_all(service: &AnalyzedService<'_>, schema: &str, context: &JsonContext, to: &mut Completions<'_>) {
    let schemas = schema_path::of_container(schema, &context.around);
    let is_document = !matches!(schema, "scenario" | "config");
    if context.is_key {
        members::add_keys(service, &schemas, context, to);
        if !is_document {
            beside::add_keys(service, context, to);
        }
        return;
    }
    if is_document {
        if variables::add(service, context, to) {
            return;
        }
        known::add(service, context, to);
    } else {
        beside::add_values(service, context, to);
    }
    for value in schema_path::values(schema, &schemas, context.key.as_deref()) {
        to.add_value(&value.text, value.is_string, None);
    }
}
