//! The completions that were found, as plain data.

use super::json::{Container, Context, Header};
use super::schema::Key;
use crate::text::diagnostic::{Edit, FileId};
use crate::text::source::Span;

/// A completion, as plain data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The name.
    pub label: String,
    pub kind: CompletionKind,
    /// The span that it replaces.
    pub span: Span,
    pub new_text: String,
    /// Further edits of the same file.
    pub additional: Vec<Edit>,
    /// A few words beside the name.
    pub detail: Option<String>,
    /// The order among the completions: those that fit first.
    pub rank: u8,
}

impl Completion {
    /// Leaves no additional edit behind the completion in its line: most editors make those when the completion is
    /// written already, and so at a wrong place. They become a part of it, or are left out.
    #[must_use]
    pub fn settle(mut self, text: &str, is_joined: bool) -> Self {
        let mut end = self.span.end;
        let mut additional = std::mem::take(&mut self.additional);
        additional.sort_by_key(|edit| edit.span);
        for edit in additional {
            let between = end as usize..edit.span.start as usize;
            match text.get(between).filter(|between| !between.contains(['\r', '\n'])) {
                None => self.additional.push(edit),
                Some(between) if is_joined => {
                    self.new_text.push_str(between);
                    self.new_text.push_str(&edit.new_text);
                    end = edit.span.end;
                }
                Some(_) => {}
            }
        }
        self.span = Span::new(self.span.start, end);
        self
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompletionKind {
    Variable,
    Method,
    Parameter,
    /// A key of an object.
    Key,
    /// A known value.
    Value,
    Form,
    Activity,
    Rule,
}

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
    pub found: Vec<Completion>,
}

impl<'t> Completions<'t> {
    pub const fn new(file: FileId, text: &'t str, offset: u32, is_plain: bool, context: &Context) -> Self {
        Self { file, text, offset, span: context.span, in_string: context.in_string, is_plain, found: Vec::new() }
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

    pub fn add_string(&mut self, label: &str, kind: CompletionKind, detail: Option<&str>) {
        let detail = detail.map(str::to_owned);
        self.found.push(Completion { detail, ..self.string(label, kind) });
    }

    /// A value that is a string, or is written without quotes.
    pub fn add_value(&mut self, text: &str, is_string: bool, detail: Option<&str>) {
        if is_string {
            self.add_string(text, CompletionKind::Value, detail);
        } else if !self.in_string {
            self.found.push(self.written(text, CompletionKind::Value, text.to_owned()));
        }
    }

    /// Tables whose names can be written in a header, which is replaced. A table is there once, entries of an array are many.
    pub fn add_tables(&mut self, tables: Vec<(Key, bool)>, header: &Header, around: Option<&Container>) {
        let path = self.text.get(header.path.range()).unwrap_or_default();
        let current = self.current();
        self.span = header.span;
        for ((name, description), is_list) in tables {
            let is_there = name != current && around.is_some_and(|around| around.member(name).is_some());
            if is_list || !header.is_list && !is_there {
                let written = if is_list { format!("[[{path}{name}]]") } else { format!("[{path}{name}]") };
                let completion = self.written(name, CompletionKind::Key, written);
                self.found.push(Completion { detail: description.map(str::to_owned), ..completion });
            }
        }
    }

    pub const fn edit(&self, span: Span, new_text: String) -> Edit {
        Edit { file: self.file, span, new_text }
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
