//! The parts of a configuration.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::Deserialize;

use crate::diagnostic::Severity;
use crate::source::Span;

/// The least severity that makes the exit code 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    Error,
    #[default]
    Warning,
    /// Any finding.
    Info,
    Never,
}

impl FailOn {
    /// Whether a finding of this severity fails the run.
    pub const fn fails(self, severity: Severity) -> bool {
        match self {
            Self::Error => matches!(severity, Severity::Error),
            Self::Warning => matches!(severity, Severity::Error | Severity::Warning),
            Self::Info => true,
            Self::Never => false,
        }
    }
}

/// Types of the platform that wflint does not know, as the user declares them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Types {
    pub activities: BTreeMap<String, ActivityShape>,
    pub fields: Vec<String>,
}

/// Whether a declared activity type runs its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActivityShape {
    Leaf,
    Container,
}

/// `[[service]]`: documents that share variables, where "one folder is one service" does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceEntry {
    /// A display name.
    pub name: String,
    /// Path relative to the configuration's folder.
    pub workflow: Option<String>,
    /// Patterns relative to the configuration's folder.
    pub forms: Vec<String>,
}

/// `[[suppress]]`: a finding that is accepted and not reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// Code or name of the rule, as written.
    pub rule: String,
    /// Path relative to the configuration's folder.
    pub file: String,
    /// The nearest activity or field around the finding.
    pub activity: Option<String>,
    /// The pointer of the finding, or of a value around it.
    pub pointer: Option<String>,
    /// The last day on which the finding is suppressed.
    pub until: Option<Date>,
    /// The whole entry in the configuration file.
    pub span: Span,
    pub rule_span: Span,
    /// The date, or the rule where there is none.
    pub until_span: Span,
}

/// `[per-file-ignores]`: rules that do not report for the files of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerFileIgnore {
    /// Relative to the configuration's folder.
    pub pattern: String,
    pub pattern_span: Span,
    pub selectors: Vec<SpannedSelector>,
}

/// A code, prefix, name or group of rules, with its place in the configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpannedSelector {
    pub selector: String,
    pub span: Span,
}
