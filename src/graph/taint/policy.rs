//! What is tainted, and what a write does to the taint.

use crate::collections::HashSet;
use crate::graph::effects::{Write, Writer, Written};
use crate::model::{Activity, Code};

/// What a write does to the taint of its variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Transfer {
    /// The written value comes from a source.
    Taint,
    /// The written value is tainted if an input of the activity is.
    Propagate,
    /// The written value is not tainted.
    Clear,
    /// The variable may keep its value, and with it its taint.
    Keep,
}

impl Transfer {
    /// The transfer of a write for which the policy has no other.
    pub const fn of_write(write: &Write<'_>) -> Self {
        match (write.by, write.value) {
            (Writer::Assign, Written::Constant(_)) => Self::Clear,
            (Writer::Assign | Writer::Script, _) => Self::Propagate,
            (Writer::Output { .. } | Writer::ProviderResult | Writer::ApprovalResult, _) => Self::Clear,
            // Approvers may leave the field as it is, and an activity of a declared type the variable.
            (Writer::Form | Writer::Declared, _) => Self::Keep,
        }
    }
}

/// The sources and sanitizers of one analysis.
pub trait TaintPolicy {
    /// Whether the variable holds a tainted value when the workflow starts.
    fn is_tainted_at_start(&self, variable: &str) -> bool;

    /// The transfer of a write, if it is not that of [`Transfer::of_write`].
    fn transfer(&self, activity: &Activity<'_>, variable: &str, write: &Write<'_>) -> Option<Transfer>;

    /// Whether a script that contains these words seems to sanitize its parameters. Then its result is
    /// not tainted.
    fn is_sanitized_by(&self, words: &HashSet<&str>) -> bool;

    /// Whether a script computes nothing that matters from the value of a parameter.
    fn is_harmless(&self, code: &Code<'_>, parameter: &str) -> bool;
}
