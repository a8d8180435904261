//! The header of a table in TOML that is being written.

use super::completions::Completions;
use super::item::{Completion, CompletionKind};
use super::json_context::{Container, JsonContext};
use super::schema_path::{self, Described};
use crate::diagnostic::FileId;
use crate::source::Span;

/// A header up to the end of its line.
struct Header<'t> {
    /// Of all of it.
    span: Span,
    /// Whether it begins with two brackets.
    is_list: bool,
    /// The keys before the last one.
    path: Vec<&'t str>,
}

/// The tables whose names can be written at an offset; `None` if no header is there.
pub fn completions(schema: &str, file: FileId, text: &str, offset: u32) -> Option<Vec<Completion>> {
    let header = Header::at(text, offset)?;
    let (around, schemas) = around(schema, &header.path);
    let context =
        JsonContext { around, key: None, is_key: true, span: header.span, in_string: false, variables: Vec::new() };
    let completions = Completions::new(file, text, offset, true, &context);
    let before = header.path.iter().map(|key| format!("{key}.")).collect::<String>();
    let taken: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with('[')).collect();
    let mut found = Vec::new();
    for (Described { text: name, description, .. }, is_list) in schema_path::tables(schema, &schemas) {
        let written = if is_list { format!("[[{before}{name}]]") } else { format!("[{before}{name}]") };
        let is_current = text.get(header.span.range()).is_some_and(|current| current.trim() == written);
        if header.is_list && !is_list || !is_list && !is_current && taken.contains(&written.as_str()) {
            continue;
        }
        let completion = completions.written(&name, CompletionKind::Key, written);
        found.push(Completion { detail: description, ..completion });
    }
    Some(found)
}

impl<'t> Header<'t> {
    fn at(text: &'t str, offset: u32) -> Option<Self> {
        let offset = offset as usize;
        let start = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
        let line = text.get(start..)?.lines().next().unwrap_or_default();
        let header = line.split('#').next().unwrap_or_default().trim_end();
        let (is_list, keys) = match header.strip_prefix("[[") {
            Some(keys) => (true, keys),
            None => (false, header.strip_prefix('[')?),
        };
        let begin = start + header.len() - keys.len();
        let keys = keys.trim_end_matches(']');
        let is_inside = (begin..=begin + keys.len()).contains(&offset);
        let is_plain = keys.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-. ".contains(&byte));
        if !is_inside || !is_plain || is_in_list(text.get(..start)?) {
            return None;
        }
        let mut path: Vec<&str> = keys.get(..offset - begin)?.split('.').map(str::trim).collect();
        path.pop();
        let end = start + header.len();
        Some(Self { span: Span::new(u32::try_from(start).ok()?, u32::try_from(end).ok()?), is_list, path })
    }
}

/// Whether a list is not closed, so that a bracket begins an element.
fn is_in_list(before: &str) -> bool {
    let lines = before.lines().rev().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut closed = 0_usize;
    for line in lines.take_while(|line| !(line.starts_with('[') && line.ends_with(']'))) {
        closed += line.matches(']').count();
        let opened = line.matches('[').count();
        if opened > closed {
            return true;
        }
        closed -= opened;
    }
    false
}

/// The tables around the last key of a header, and their schemas.
fn around<'s>(schema: &str, path: &[&str]) -> (Vec<Container>, Vec<&'s serde_json::Value>) {
    let object = |key: Option<&str>| Container { is_object: true, key: key.map(str::to_owned), members: Vec::new() };
    let mut around = vec![object(None)];
    for key in path {
        around.push(object(Some(key)));
        let schemas = schema_path::of_container(schema, &around);
        if schemas.iter().any(|schema| schema.get("items").is_some()) {
            // The last of several tables is meant.
            around.last_mut().into_iter().for_each(|list| list.is_object = false);
            around.push(object(None));
        }
    }
    let schemas = schema_path::of_container(schema, &around);
    (around, schemas)
}
