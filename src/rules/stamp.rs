//! The metadata that the reporter adds to each finding of a rule, so that a rule cannot mislabel itself.

use crate::diagnostic::Severity;

#[derive(Debug, Clone, Copy)]
pub struct Stamp {
    pub code: &'static str,
    pub name: &'static str,
    pub severity: Severity,
    pub yields_to: YieldsTo,
}

/// The rules to which a rule yields if they report the same fault (`precedence`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum YieldsTo {
    /// By code.
    Rules(&'static [&'static str]),
    /// Every other rule that reports something in the finding's area (`Draft::area`), except those with these codes.
    AllOthersExcept(&'static [&'static str]),
}
