//! What the reporter stamps on a rule's findings, so that a rule cannot mislabel itself.

use crate::diagnostic::Severity;

/// A rule's identity.
#[derive(Debug, Clone, Copy)]
pub struct Stamp {
    pub code: &'static str,
    pub name: &'static str,
    pub severity: Severity,
    pub yields_to: YieldsTo,
}

/// The rules whose findings silence those of a rule about the same fault (`precedence.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum YieldsTo {
    /// Rules by code.
    Rules(&'static [&'static str]),
    /// Every other rule that reports something in the finding's area (`Draft::area`).
    AllOthers,
}
