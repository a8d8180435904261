//! Outputs that are most likely meant for a variable with a similar name.

use super::effects::VarId;
use crate::model::ActivityId;

/// An output that no variable receives, whose name is near to one that nobody writes: most likely
/// a mistyped prefix or property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistyped {
    pub activity: ActivityId,
    /// The lost output's name.
    pub output: String,
    /// The variable that it most likely should be.
    pub variable: VarId,
}
