//! Findings, as plain data for every report.

use std::borrow::Cow;

use crate::text::source::Span;
use crate::text::truncate;

pub use crate::text::quote;

/// Longer names of activities and fields are cut in findings, in characters.
const MAX_ACTIVITY: usize = 200;

/// The name of an activity or a form field, as findings have it.
pub fn activity_name(name: &str) -> Cow<'_, str> {
    truncate(name, MAX_ACTIVITY)
}

/// Repairs of one finding besides its fix.
pub const MAX_ALTERNATIVES: usize = 3;

/// How serious a finding is; an error is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing fails, or the behavior of the platform is not documented.
    Info,
    /// Probably not what the author meant.
    Warning,
    /// The platform would fail, or lose data.
    Error,
}

impl Severity {
    /// The name in reports and in the configuration.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Index of a file among those that a run has loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Location {
    pub file: FileId,
    /// JSON Pointer (RFC 6901) to the value, or to the member whose key is meant; empty for the root.
    pub pointer: String,
    pub span: Span,
}

/// A related place of a finding, and what is there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Label {
    pub location: Location,
    pub message: String,
}

/// Whether a fix changes what the platform runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Applicability {
    /// The platform runs the same before and after.
    Safe,
    /// The platform runs something else: probably what the author meant.
    Unsafe,
}

impl Applicability {
    /// The name in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

/// One replacement in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The finding's file, or another one of its service.
    pub file: FileId,
    pub span: Span,
    pub new_text: String,
}

/// A change that removes a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    pub applicability: Applicability,
    /// What it does, as an imperative.
    pub title: String,
    /// Sorted by file and place, without overlaps. They are applied all together, or not at all.
    pub edits: Vec<Edit>,
}

/// One finding of one rule at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule's code, `WF101`.
    pub code: &'static str,
    /// The rule's name, `unknown-variable`.
    pub name: &'static str,
    pub severity: Severity,
    /// What is wrong. Names from documents are not escaped; each report escapes them for its output.
    pub message: String,
    pub location: Location,
    /// Another part of the same place, in the same file: the right operand of an expression. Only the human report
    /// shows it.
    pub also: Option<Span>,
    /// [`activity_name`] of the nearest activity or form field around the place.
    pub activity: Option<String>,
    /// What to do about it, as an imperative.
    pub help: Option<Cow<'static, str>>,
    pub related: Vec<Label>,
    /// How the workflow gets to the fault, step by step in the order of the run; empty if one place shows it.
    pub flow: Vec<Label>,
    /// The likeliest repair. Few of many findings have one.
    pub fix: Option<Box<Fix>>,
    /// Other repairs, at most [`MAX_ALTERNATIVES`]; without a fix, none of them is likelier than another.
    pub alternatives: Vec<Fix>,
    /// Why its repair is not offered: "would add WF107 at /variables/3".
    pub fix_withheld: Option<Box<str>>,
    /// [`Identity::fingerprint`](crate::lint::identity::Identity::fingerprint), if a report needs it.
    pub fingerprint: Option<u64>,
}

impl Diagnostic {
    /// A finding with nothing more than what is wrong, and where.
    pub const fn new(
        code: &'static str,
        name: &'static str,
        severity: Severity,
        message: String,
        location: Location,
    ) -> Self {
        Self {
            code,
            name,
            severity,
            message,
            location,
            also: None,
            activity: None,
            help: None,
            related: Vec::new(),
            flow: Vec::new(),
            fix: None,
            alternatives: Vec::new(),
            fix_withheld: None,
            fingerprint: None,
        }
    }

    /// The message, and after it what to do about it, for formats that have one text for both.
    pub fn message_with_help(&self) -> String {
        let help = self.help.as_deref().map_or_else(String::new, |help| format!("; {help}"));
        format!("{}{help}", self.message)
    }

    /// The fix, and the other repairs after it.
    pub fn repairs(&self) -> impl Iterator<Item = &Fix> {
        self.fix.iter().map(|fix| &**fix).chain(&self.alternatives)
    }

    /// The files that the fix changes.
    pub fn edited_files(&self) -> impl Iterator<Item = FileId> {
        self.fix.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_is_the_greatest_severity() {
        assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Info);
    }
}
