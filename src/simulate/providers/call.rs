//! Provider: parameters are resolved and checked, the method is called, its outputs are written.

use std::sync::Arc;

use super::arguments::{Arguments, CallError, Output, Outputs};
use super::{directory, lifecycle, request};
use crate::catalog::{Method, ParameterKind, Simulation};
use crate::model::Activity;
use crate::model::Assumption;
use crate::simulate::oracle::{CallResult, CallSite, Oracle};
use crate::simulate::program::{Call, Readable};
use crate::simulate::run::Run;
use crate::simulate::strings::quote;
use crate::simulate::trace::{self, Event};
use crate::simulate::trace::{Failure, Stop};

/// The parameter with the prefix of a method that no catalog has.
const DEFAULT_PREFIX: &str = "Prefix";

pub fn run<'p>(
    run: &mut Run<'p, '_>,
    oracle: &mut dyn Oracle,
    activity: &'p Activity<'p>,
    call: &'p Readable<Call<'p>>,
) -> Result<(), Stop> {
    let call = call.as_ref().map_err(|key| run.unreadable(activity, key))?;
    let site = CallSite { activity, method: call.name, number: run.count_call(call.number) };
    let is_simulated = call.method.is_some_and(|method| method.simulation.is_some());
    if !is_simulated && !oracle.knows(run.plan, &site) {
        let stop = not_simulated(run, &site);
        record_call(run, activity);
        return Err(fail_call(run, stop));
    }
    let arguments = match Arguments::read(run, activity, &call.parameters) {
        Ok(arguments) => arguments,
        Err(stop) => {
            record_call(run, activity);
            return Err(fail_call(run, stop));
        }
    };
    let prefix = match call.method {
        Some(method) => arguments.of_kind(method, ParameterKind::Prefix),
        None => arguments.get(DEFAULT_PREFIX),
    };
    let prefix = prefix.map_or("", |prefix| prefix.text.as_str());
    let checked = match call.method {
        Some(method) => arguments.check_declared(method),
        None => arguments.check_own(call.provider),
    };
    record_call(run, activity);
    let called = match checked {
        Ok(()) => match make_call(run, oracle, &site, call.method, &arguments) {
            Ok(called) => called,
            Err(stop) => return Err(fail_call(run, stop)),
        },
        Err(error) => Err(error),
    };
    finish(run, activity, call, prefix, called)
}

fn record_call(run: &mut Run<'_, '_>, activity: &Activity<'_>) {
    let index = run.record.calls.len();
    run.record.calls.push(trace::Call { at: run.clock.now(), activity: activity.id, error: None });
    run.note(Event::Called(index));
}

/// Marks the last call as failed because the run ends.
fn fail_call(run: &mut Run<'_, '_>, stop: Stop) -> Stop {
    if let (Stop::Failed(failure), Some(call)) = (&stop, run.record.calls.last_mut()) {
        call.error = Some(Arc::from(failure.message.as_str()));
    }
    stop
}

/// Makes one call: a fault comes first, then a result that is given, then the simulated method.
fn make_call<'p>(
    run: &mut Run<'p, '_>,
    oracle: &mut dyn Oracle,
    site: &CallSite<'p>,
    method: Option<&'p Method>,
    arguments: &Arguments<'p>,
) -> Result<CallResult<'p>, Stop> {
    if let Some(error) = oracle.fault(run, site)? {
        return Ok(Err(CallError::new(error)));
    }
    let simulated = method.and_then(|method| Some((method, method.simulation?)));
    let lookup = || simulated.and_then(|(method, simulation)| directory::lookup(method, simulation, arguments));
    if let Some(result) = oracle.value(run, site, &lookup)? {
        return Ok(result);
    }
    let Some((method, simulation)) = simulated else {
        return Err(not_simulated(run, site));
    };
    let directory = run.plan.directory;
    let called = match simulation {
        Simulation::GroupMembers => directory::members(run, directory, method, arguments),
        Simulation::Manager => directory::manager(run, directory, method, arguments),
        Simulation::User => directory::user(run, directory, method, arguments),
        Simulation::SigningRequest => request::request(run, method, arguments),
        Simulation::SigningRequestJson => request::request_json(run, method, arguments),
        Simulation::SigningStatus => lifecycle::status(run, method, arguments),
    };
    run.check_lookups()?;
    Ok(called)
}

fn not_simulated(run: &Run<'_, '_>, site: &CallSite<'_>) -> Stop {
    let message = format!(
        "method {} of {} is not simulated: list its results under `providers` in the scenario",
        quote(site.method),
        run.plan.name(site.activity)
    );
    run.fail(site.activity.node, message)
}

/// Writes the outputs of a call, or its error.
fn finish<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    call: &Call<'p>,
    prefix: &str,
    called: Result<Outputs<'p>, CallError>,
) -> Result<(), Stop> {
    let error = match &called {
        Ok(_) => None,
        Err(error) => Some(run.built(error.message.as_str())?),
    };
    if let Some(call) = run.record.calls.last_mut() {
        call.error.clone_from(&error);
    }
    run.assume(Assumption::ActivityStatus);
    match called {
        Ok(outputs) => {
            write_outputs(run, call, prefix, outputs)?;
            write_status(run, call, None)?;
            run.write_result(call.result, true, Assumption::ProviderResult);
            Ok(())
        }
        Err(failed) => {
            write_status(run, call, error.as_deref())?;
            run.write_result(call.result, false, Assumption::ProviderResult);
            if !call.provider.stops_on_error() {
                return Ok(());
            }
            if call.provider.stop_on_error.value().is_none() {
                run.assume(Assumption::StopOnError);
            }
            let message = format!("{} failed: {}", run.plan.name(activity), failed.message);
            let node = failed.node.unwrap_or(activity.node);
            Err(Stop::Failed(Failure { message, location: Some(run.plan.at(node)) }))
        }
    }
}

fn write_outputs(run: &mut Run<'_, '_>, call: &Call<'_>, prefix: &str, outputs: Outputs<'_>) -> Result<(), Stop> {
    let plan = run.plan;
    let is_listed = plan.index.results(call.name).is_some();
    for Output { property, value, is_default } in outputs.0 {
        let name = || plan.config.catalog.output_variable(call.method, prefix, &property);
        match call.output(&property).unwrap_or_else(|| plan.names.slot(&name())) {
            Some(slot) => {
                // An equal value takes no more memory.
                let known = run.values.get(slot).filter(|known| **known == value).cloned();
                if known.is_none() {
                    run.spend(value.len())?;
                }
                run.set(slot, known.unwrap_or(value));
            }
            // A default output was not requested, so its loss is no warning.
            None if is_default => {}
            None => {
                let name = name();
                run.spend(name.len())?;
                if is_listed {
                    let (name, method) = (quote(&name), quote(call.name));
                    run.warn(format!("undefined variable {name}, its value under `providers`, {method}, is lost"));
                } else {
                    run.note(Event::Lost(name.into()));
                }
            }
        }
    }
    Ok(())
}

/// Writes `ZPActivityStatus`.
fn write_status(run: &mut Run<'_, '_>, call: &Call<'_>, error: Option<&str>) -> Result<(), Stop> {
    for &slot in &run.plan.program.status_outputs {
        let text = match error {
            None => {
                // An equal value shares memory: a loop may look up the same status thousands of times.
                let known = run.values.get(slot).filter(|value| **value == call.completed).cloned();
                match known {
                    Some(known) => known,
                    None => run.built(Arc::clone(&call.completed))?,
                }
            }
            Some(error) => run.built(format!("{}: failed - {error}", call.name))?,
        };
        run.set(slot, text);
    }
    Ok(())
}
