//! Locations in a scenario file, and problems at them.

use crate::source::Span;

/// A location in the scenario file; [`crate::diagnostic::Location`] adds which file it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileLocation {
    /// RFC 6901 pointer of the value, the same in every syntax.
    pub pointer: String,
    pub span: Span,
}

/// A value with its location.
#[derive(Debug, Clone, PartialEq)]
pub struct Spanned<T> {
    pub value: T,
    pub location: FileLocation,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub location: FileLocation,
    pub message: String,
    pub help: Option<String>,
}

impl Problem {
    /// A problem of the syntax, found before any value has a pointer.
    pub(super) fn at(span: Span, message: impl Into<String>) -> Self {
        Self { location: FileLocation { pointer: String::new(), span }, message: message.into(), help: None }
    }

    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}
