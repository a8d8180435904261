//! Provider: parameters are resolved and checked, the simulated method is called, its outputs are
//! written.

use std::rc::Rc;
use std::sync::Arc;

use crate::catalog::{Method, ParameterKind};
use crate::model::{Activity, DECLARED_PARAMETERS, Provider};
use crate::simulate::assumption::Assumption;
use crate::simulate::providers::{self, Arguments, CallError, Output, Outputs};
use crate::simulate::quote;
use crate::simulate::run::{Question, Run};
use crate::simulate::scenario::ProviderResult;
use crate::simulate::stop::{Failure, Stop};
use crate::simulate::trace::{Call, Event};

/// The alternative of a call that a search makes fail, and its error.
const FAILS: usize = 1;
pub const SIMULATED_FAILURE: &str = "simulated failure";

/// The parameter with the prefix of a method that no catalog has.
const DEFAULT_PREFIX: &str = "Prefix";

pub(super) fn run<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    provider: &'p Provider<'p>,
) -> Result<(), Stop> {
    let Some(name) = provider.method.value() else { return Err(run.unreadable(activity, "method")) };
    if !provider.lists_are_known() {
        return Err(run.unreadable(activity, DECLARED_PARAMETERS));
    }
    let method = run.plan.config.catalog.method(name);
    let count = run.calls.entry(name).or_default();
    *count += 1;
    let count = *count;
    let is_known = method.is_some_and(|method| method.simulation.is_some())
        || run.search.is_some()
        || run.plan.scenario.providers.iter().any(|entry| entry.method.value == name);
    let fault = run.plan.scenario.fault_of(name, count);
    if !is_known && fault.is_none() {
        let stop = not_simulated(run, activity, name);
        record_call(run, activity);
        return Err(fail_call(run, stop));
    }
    let arguments = match Arguments::read(run, activity, provider) {
        Ok(arguments) => arguments,
        Err(stop) => {
            record_call(run, activity);
            return Err(fail_call(run, stop));
        }
    };
    let prefix = match method {
        Some(method) => arguments.of_kind(method, ParameterKind::Prefix),
        None => arguments.get(DEFAULT_PREFIX),
    };
    let prefix = prefix.map_or("", |prefix| prefix.text.as_str()).to_owned();
    let checked = match method {
        Some(method) => arguments.check_declared(method),
        None => arguments.check_own(provider),
    };
    record_call(run, activity);
    let called = match checked {
        Ok(()) => match call(run, activity, name, method, count, &arguments) {
            Ok(called) => called,
            Err(stop) => return Err(fail_call(run, stop)),
        },
        Err(error) => Err(error),
    };
    finish(run, activity, provider, name, &prefix, called)
}

fn record_call(run: &mut Run<'_, '_>, activity: &Activity<'_>) {
    let index = run.record.calls.len();
    run.record.calls.push(Call { at: run.clock.now(), activity: activity.id, error: None });
    run.note(Event::Called(index));
}

/// Marks the last call as failed because the run ends.
fn fail_call(run: &mut Run<'_, '_>, stop: Stop) -> Stop {
    if let (Stop::Failed(failure), Some(call)) = (&stop, run.record.calls.last_mut()) {
        call.error = Some(Arc::from(failure.message.as_str()));
    }
    stop
}

/// Makes one call: a fault of the scenario comes first, then its results, then the simulated method.
fn call<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    name: &'p str,
    method: Option<&'p Method>,
    count: u64,
    arguments: &Arguments<'p>,
) -> Result<Result<Outputs, CallError>, Stop> {
    let scenario = run.plan.scenario;
    let fault = scenario.fault_of(name, count);
    if let Some(index) = fault {
        run.used.fault(index);
        let error = scenario.faults.get(index).map_or("", |fault| &fault.error);
        return Ok(Err(CallError::new(error)));
    }
    if run.decide(Question::Call(activity.id))? == FAILS {
        return Ok(Err(CallError::new(SIMULATED_FAILURE)));
    }
    if let Some(index) = scenario.providers.iter().position(|entry| entry.method.value == name) {
        return scenario_result(run, activity, index, count);
    }
    match method.and_then(|method| Some((method, method.simulation?))) {
        Some((method, simulation)) => {
            if let Some(lookup) = providers::lookup(method, simulation, arguments) {
                run.make_up(activity.id, &lookup)?;
            }
            Ok(providers::call(run, method, simulation, arguments))
        }
        None if run.search.is_some() => searched_result(run, activity),
        None => Err(not_simulated(run, activity, name)),
    }
}

fn not_simulated(run: &Run<'_, '_>, activity: &Activity<'_>, name: &str) -> Stop {
    let message = format!(
        "method {} of {} is not simulated: list its results under `providers` in the scenario",
        quote(name),
        run.plan.name(activity)
    );
    run.fail(activity.node, message)
}

/// The result of a call that a search has chosen.
fn searched_result<'p>(run: &mut Run<'p, '_>, activity: &'p Activity<'p>) -> Result<Result<Outputs, CallError>, Stop> {
    let results = run.search.as_ref().map(|search| Rc::clone(&search.results)).unwrap_or_default();
    let results = results.get(&activity.id).map_or(&[][..], Vec::as_slice);
    let chosen = run.decide(Question::Result(activity.id, results.len()))?;
    let outputs = results.get(chosen).into_iter().flatten();
    Ok(Ok(Outputs(outputs.map(|(name, value)| Output::requested(name, Arc::clone(value))).collect())))
}

/// The result of a call that the scenario lists.
fn scenario_result<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    index: usize,
    count: u64,
) -> Result<Result<Outputs, CallError>, Stop> {
    let plan = run.plan;
    let Some(entry) = plan.scenario.providers.get(index) else { return Ok(Ok(Outputs::default())) };
    let call = usize::try_from(count - 1).unwrap_or(usize::MAX);
    let Some(result) = entry.results.get(call) else {
        let message = format!(
            "missing result for call {count} of {} in {}: `providers` in the scenario lists {}",
            quote(&entry.method.value),
            plan.name(activity),
            entry.results.len()
        );
        return Err(run.fail(activity.node, message));
    };
    run.used.result(index, call);
    Ok(match &result.value {
        ProviderResult::Error(error) => Err(CallError::new(error)),
        ProviderResult::Outputs(outputs) => {
            Ok(Outputs(outputs.iter().map(|(name, value)| Output::requested(name, Arc::clone(value))).collect()))
        }
    })
}

/// Writes the outputs of a call, or its error.
fn finish<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    provider: &'p Provider<'p>,
    name: &'p str,
    prefix: &str,
    called: Result<Outputs, CallError>,
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
            write_outputs(run, name, prefix, outputs)?;
            write_status(run, name, None)?;
            run.write_result(&provider.result, true, Assumption::ProviderResult);
            Ok(())
        }
        Err(failed) => {
            write_status(run, name, error.as_deref())?;
            run.write_result(&provider.result, false, Assumption::ProviderResult);
            if !provider.stops_on_error() {
                return Ok(());
            }
            let message = format!("{} failed: {}", run.plan.name(activity), failed.message);
            let node = failed.node.unwrap_or(activity.node);
            Err(Stop::Failed(Failure { message, location: Some(run.plan.at(node)) }))
        }
    }
}

fn write_outputs(run: &mut Run<'_, '_>, method: &str, prefix: &str, outputs: Outputs) -> Result<(), Stop> {
    let is_listed = run.plan.scenario.providers.iter().any(|entry| entry.method.value == method);
    for Output { property, value, is_default } in outputs.0 {
        let is_common = run.plan.config.catalog.is_common_output(&property);
        let name = if is_common { property } else { format!("{prefix}{property}") };
        match run.plan.names.slot(&name) {
            Some(slot) => {
                // An equal value takes no more memory.
                let known = run.values.get(slot).filter(|known| **known == value).cloned();
                if known.is_none() {
                    run.spend(value.len())?;
                }
                run.set(slot, known.unwrap_or(value));
            }
            // A default output was not requested, so its value is not missed.
            None if is_default => {}
            None => {
                run.spend(name.len())?;
                if is_listed {
                    let (name, method) = (quote(&name), quote(method));
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
fn write_status(run: &mut Run<'_, '_>, method: &str, error: Option<&str>) -> Result<(), Stop> {
    let plan = run.plan;
    for name in &plan.config.catalog.common_outputs {
        let Some(slot) = plan.names.slot(name) else { continue };
        let text = match error {
            None => {
                // An equal value takes no more memory: a loop may look up the same status thousands of times.
                let is_equal = |value: &&Arc<str>| value.strip_prefix(method).is_some_and(|rest| rest == ": completed");
                match run.values.get(slot).filter(is_equal).cloned() {
                    Some(known) => known,
                    None => run.built(format!("{method}: completed"))?,
                }
            }
            Some(error) => run.built(format!("{method}: failed - {error}"))?,
        };
        run.set(slot, text);
    }
    Ok(())
}
