//! What can be written at a place, also where the text is incomplete.

mod completions;
mod item;
mod json_context;
mod json_tokens;
mod known;
mod members;
mod schema_path;
mod variables;

pub use item::{Completion, CompletionKind};

use super::snapshot::Snapshot;
use crate::diagnostic::FileId;
use crate::facts::AnalyzedService;
use completions::Completions;
use json_context::{JsonContext, context};

/// What can be written at an offset, sorted.
pub fn completions(snapshot: &Snapshot<'_>, file: FileId, offset: u32) -> Vec<Completion> {
    let Some(text) = snapshot.text(file) else { return Vec::new() };
    let Some(schema) = schema(snapshot, file, text) else { return Vec::new() };
    let offset = floor(text, offset);
    let Some(context) = context(text, offset) else { return Vec::new() };
    let mut found = snapshot.analyze_last_good(|service| {
        let mut completions = Completions::new(file, text, offset, &context);
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

/// The name of the schema of a JSON text.
fn schema(snapshot: &Snapshot<'_>, file: FileId, text: &str) -> Option<&'static str> {
    if let Some(other) = snapshot.others.iter().find(|other| other.id == file) {
        let is_json = other.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        return is_json.then_some("scenario");
    }
    let marks = [("\"activities\"", "workflow"), ("\"fields\"", "form"), ("\"Parties\"", "signing-case")];
    marks.into_iter().find(|(mark, _)| text.contains(mark)).map(|(_, schema)| schema)
}

fn add_all(service: &AnalyzedService<'_>, schema: &str, context: &JsonContext, to: &mut Completions<'_>) {
    let schemas = schema_path::of_container(schema, &context.around);
    if context.is_key {
        members::add_keys(service, &schemas, context, to);
        if schema == "scenario" {
            known::add_scenario_keys(service, context, to);
        }
        return;
    }
    if schema != "scenario" && variables::add(service, context, to) {
        return;
    }
    known::add(service, context, to);
    for value in schema_path::values(schema, &schemas, context.key.as_deref()) {
        to.add_value(&value.text, value.is_string, None);
    }
}
