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

use super::snapshot::Snapshot;
use crate::diagnostic::FileId;
use crate::facts::AnalyzedService;
use crate::simulate::scenario::ScenarioSyntax;
use completions::Completions;
use json_context::{JsonContext, context};

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
    let mut found = snapshot.analyze_last_good(|service| {
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
