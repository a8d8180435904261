//! The data of a completion.

use crate::diagnostic::Edit;
use crate::source::Span;

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
