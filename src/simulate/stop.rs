//! Why a run ends before its last activity.

use crate::diagnostic::Location;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// May hold values of masked variables, which reports hide.
    pub message: String,
    /// The activity, parameter or field at fault.
    pub location: Option<Location>,
}

/// Why a run ends before its last activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// By a Terminate.
    Terminated,
    /// An activity failed and stops the order.
    Failed(Failure),
    /// A limit was exceeded, or nothing more can happen.
    Stuck(Failure),
    /// The form did not accept the submission.
    Refused(Failure),
    /// A search has to decide something before the next step. No other run stops so.
    Undecided,
}
