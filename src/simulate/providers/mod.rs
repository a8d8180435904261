//! The simulated provider methods.

mod arguments;
mod directory;
pub mod esign;

use std::sync::Arc;

pub use arguments::Arguments;

use super::run::Run;
use crate::catalog::{Method, Simulation};
use crate::document::NodeId;

/// What a call gives: name without prefix, value, and whether the method gives it unasked.
#[derive(Debug, Default)]
pub struct Outputs(pub Vec<(String, Arc<str>, bool)>);

/// Why a call fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallError {
    /// In the user's words.
    pub message: String,
    /// The parameter at fault.
    pub node: Option<NodeId>,
}

impl CallError {
    /// A failure that is no parameter's fault.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), node: None }
    }
}

/// Calls a simulated method.
///
/// # Errors
/// Why the call fails.
pub fn call<'p>(
    run: &mut Run<'p, '_>,
    method: &'p Method,
    simulation: Simulation,
    arguments: &Arguments<'p>,
) -> Result<Outputs, CallError> {
    match simulation {
        Simulation::GroupMembers => directory::members(run, method, arguments),
        Simulation::Manager => directory::manager(run, method, arguments),
        Simulation::User => directory::user(run, method, arguments),
        Simulation::SigningRequest => esign::request(run, method, arguments),
        Simulation::SigningRequestJson => esign::request_json(run, method, arguments),
        Simulation::SigningStatus => esign::status(run, method, arguments),
    }
}
