//! Something that can be written.

use crate::diagnostic::Edit;
use crate::source::Span;

/// Something that can be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The name.
    pub label: String,
    pub kind: CompletionKind,
    /// What it replaces.
    pub span: Span,
    pub new_text: String,
    /// What else it changes, in the same file.
    pub additional: Vec<Edit>,
    /// A few words beside the name.
    pub detail: Option<String>,
    /// The order among the completions: those that fit first.
    pub rank: u8,
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
