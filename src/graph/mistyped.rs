//! Lost outputs that are most likely meant for a variable with a similar name.

use super::effects::VarId;
use crate::model::ActivityId;

/// An output without a variable whose name is similar to a variable without a writer: most likely a mistyped prefix or
/// property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MistypedOutput {
    pub activity: ActivityId,
    /// The name of the lost output.
    pub output: String,
    /// The variable that was most likely meant.
    pub variable: VarId,
}
