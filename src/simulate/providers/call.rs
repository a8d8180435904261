//! Calls of simulated methods.

use super::arguments::Arguments;
use super::outcome::{CallError, Outputs};
use super::{directory, esign};
use crate::catalog::{Method, Simulation};
use crate::simulate::run::{Lookup, Run};

/// Calls a simulated method.
///
/// # Errors
/// Why the call fails.
pub fn call<'p>(
    run: &mut Run<'p, '_>,
    method: &'p Method,
    simulation: Simulation,
    arguments: &Arguments<'p>,
) -> Result<Outputs<'p>, CallError> {
    match simulation {
        Simulation::GroupMembers => directory::members(run, method, arguments),
        Simulation::Manager => directory::manager(run, method, arguments),
        Simulation::User => directory::user(run, method, arguments),
        Simulation::SigningRequest => esign::request(run, method, arguments),
        Simulation::SigningRequestJson => esign::request_json(run, method, arguments),
        Simulation::SigningStatus => esign::status(run, method, arguments),
    }
}

/// The question to the directory that a call asks, if it asks one.
pub fn lookup<'l>(method: &Method, simulation: Simulation, arguments: &'l Arguments<'_>) -> Option<Lookup<'l>> {
    directory::lookup(method, simulation, arguments)
}
