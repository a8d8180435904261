//! Why a run ends before its last activity.

use crate::diagnostic::Location;

/// What went wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// In the user's words; may hold values of masked variables, which reports hide.
    pub message: String,
    /// The activity, parameter or field at fault.
    pub location: Option<Location>,
}

/// Why a run ends before its last activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// A Terminate was reached.
    Terminated,
    /// An activity failed.
    Failed(Failure),
    /// A limit was passed, or nothing more can happen.
    Stuck(Failure),
    /// The form did not accept what was filled in.
    Refused(Failure),
}
