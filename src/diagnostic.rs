//! What a finding is: plain data that every report reads and no report changes.

use crate::source::Span;

pub use crate::text::quote;

/// How bad a finding is. The order is that of the exit code: an error is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing fails, or the platform's behaviour is not documented.
    Info,
    /// Probably not what the author meant.
    Warning,
    /// The platform would fail, or lose something.
    Error,
}

impl Severity {
    /// The word that outputs and configuration use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Index of a file among those that one run has loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// Where a finding is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// RFC 6901 pointer of the value (or of the member whose name is meant); empty for the root.
    pub pointer: String,
    /// The exact bytes.
    pub span: Span,
}

/// A place that helps to understand a finding, with what is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub location: Location,
    /// What is there, in a few words.
    pub message: String,
}

/// Whether a fix may be applied without being asked for by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Applicability {
    /// The platform would run the same before and after.
    Safe,
    /// The platform would run something else: probably what was meant.
    Unsafe,
}

impl Applicability {
    /// The word that outputs use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

/// One replacement in the finding's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go.
    pub span: Span,
    /// The text that comes in their place.
    pub new_text: String,
}

/// A change that cures a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// Whether it may be applied unasked.
    pub applicability: Applicability,
    /// What it does, in the imperative.
    pub title: String,
    /// What is replaced; the edits do not overlap and are sorted by place.
    pub edits: Vec<Edit>,
}

/// One finding of one rule at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule's code, `WF101`.
    pub code: &'static str,
    /// The rule's name, `unknown-variable`.
    pub name: &'static str,
    /// How bad it is here.
    pub severity: Severity,
    /// What is wrong and what the platform would do with it. Holds names from documents as they
    /// are: each report escapes them for where they go.
    pub message: String,
    /// Where.
    pub location: Location,
    /// Name of the nearest activity or form field around the place.
    pub activity: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
    /// Other places that belong to the finding.
    pub related: Vec<Label>,
    /// A change that cures it.
    pub fix: Option<Fix>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_the_greatest_severity() {
        assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Info);
    }
}
