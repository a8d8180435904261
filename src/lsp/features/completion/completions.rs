//! Collects completions.

use super::item::{Completion, CompletionKind};
use super::json_context::JsonContext;
use crate::diagnostic::{Edit, FileId};
use crate::source::Span;

pub struct Completions<'t> {
    file: FileId,
    text: &'t str,
    offset: u32,
    /// The span that is replaced.
    span: Span,
    /// Whether quotes are there.
    in_string: bool,
    /// Whether a string of letters, digits, `_` and `-` needs no quotes.
    is_plain: bool,
    found: Vec<Completion>,
}

impl<'t> Completions<'t> {
    pub const fn new(file: FileId, text: &'t str, offset: u32, is_plain: bool, context: &JsonContext) -> Self {
        Self { file, text, offset, span: context.span, in_string: context.in_string, is_plain, found: Vec::new() }
    }

    pub fn into_found(self) -> Vec<Completion> {
        self.found
    }

    /// The content of the string before the cursor.
    pub fn before(&self) -> &'t str {
        self.text.get(self.span.start as usize..self.offset as usize).unwrap_or_default()
    }

    /// The content of the string behind the cursor.
    pub fn after(&self) -> &'t str {
        self.text.get(self.offset as usize..self.span.end as usize).unwrap_or_default()
    }

    /// The content of the string, or the word, at the cursor.
    pub fn current(&self) -> &'t str {
        self.text.get(self.span.range()).unwrap_or_default()
    }

    /// Replaces only a part of the string around the cursor: so many bytes before and behind it.
    pub fn narrow(&mut self, before: usize, after: usize) {
        let length = |bytes: usize| u32::try_from(bytes).unwrap_or(0);
        self.span = Span::new(self.offset - length(before), self.offset + length(after));
    }

    /// Whether something follows in the line, which a string that is not closed does not have.
    pub fn is_closed(&self) -> bool {
        let rest = self.text.get(self.span.end as usize..);
        rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['\r', '\n']))
    }

    /// Whether the document has ids of variables in bindings.
    pub fn has_ids(&self) -> bool {
        self.text.contains("\"boundToId\"")
    }

    /// A string, which gets quotes where they are missing.
    pub fn string(&self, label: &str, kind: CompletionKind) -> Completion {
        let quoted = serde_json::Value::from(label).to_string();
        let inside = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
        let new_text = match (self.in_string, self.is_closed()) {
            (true, true) => inside.to_owned(),
            (true, false) => format!("{inside}\""),
            (false, _) if self.is_plain && is_word(label) => label.to_owned(),
            (false, _) => quoted.clone(),
        };
        self.written(label, kind, new_text)
    }

    /// A value without quotes.
    pub fn written(&self, label: &str, kind: CompletionKind, new_text: String) -> Completion {
        let (label, span) = (label.to_owned(), self.span);
        Completion { label, kind, span, new_text, additional: Vec::new(), detail: None, rank: 1 }
    }

    pub fn push(&mut self, completion: Completion) {
        self.found.push(completion);
    }

    pub fn add_string(&mut self, label: &str, kind: CompletionKind, detail: Option<&str>) {
        let detail = detail.map(str::to_owned);
        self.push(Completion { detail, ..self.string(label, kind) });
    }

    /// A value that is a string, or is written without quotes.
    pub fn add_value(&mut self, text: &str, is_string: bool, detail: Option<&str>) {
        if is_string {
            self.add_string(text, CompletionKind::Value, detail);
        } else if !self.in_string {
            self.push(self.written(text, CompletionKind::Value, text.to_owned()));
        }
    }

    pub const fn edit(&self, span: Span, new_text: String) -> Edit {
        Edit { file: self.file, span, new_text }
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
