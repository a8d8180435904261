//! Provider: parameters are resolved and checked, the simulated method is called, its outputs are
//! written.

use std::rc::Rc;
use std::sync::Arc;

use crate::catalog::ParameterKind;
use crate::model::Activity;
use crate::simulate::assumption::Assumption;
use crate::simulate::program::{Call, Readable};
use crate::simulate::providers::{self, Arguments, CallError, Output, Outputs};
use crate::simulate::quote;
use crate::simulate::run::{Question, Run};
use crate::simulate::scenario::ProviderResult;
use crate::simulate::stop::{Failure, Stop};
use crate::simulate::trace::{self, Event};

/// The alternative of a call that a search makes fail, and its error.
const FAILS: usize = 1;
pub const SIMULATED_FAILURE: &str = "simulated failure";

/// The parameter with the prefix of a method that no catalog has.
const DEFAULT_PREFIX: &str = "Prefix";

pub(super) fn run<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    call: &'p Readable<Call<'p>>,
) -> Result<(), Stop> {
    let call = call.as_ref().map_err(|key| run.unreadable(activity, key))?;
    let count = run.count_call(call.number);
    let is_known = call.method.is_some_and(|method| method.simulation.is_some())
        || run.search.is_some()
        || run.plan.index.results(call.name).is_some();
    let fault = run.plan.index.fault_of(call.name, count);
    if !is_known && fault.is_none() {
        let stop = not_simulated(run, activity, call.name);
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
        Ok(()) => match make_call(run, activity, call, count, &arguments) {
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

/// Makes one call: a fault of the scenario comes first, then its results, then the simulated method.
fn make_call<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    call: &Call<'p>,
    count: u64,
    arguments: &Arguments<'p>,
) -> Result<Result<Outputs<'p>, CallError>, Stop> {
    let scenario = run.plan.scenario;
    let fault = run.plan.index.fault_of(call.name, count);
    if let Some(index) = fault {
        run.used.fault(index);
        let error = scenario.faults.get(index).map_or("", |fault| &fault.error);
        return Ok(Err(CallError::new(error)));
    }
    if run.decide(Question::Call(activity.id))? == FAILS {
        return Ok(Err(CallError::new(SIMULATED_FAILURE)));
    }
    if let Some(index) = run.plan.index.results(call.name) {
        return scenario_result(run, activity, index, count);
    }
    match call.method.and_then(|method| Some((method, method.simulation?))) {
        Some((method, simulation)) => {
            if let Some(lookup) = providers::lookup(method, simulation, arguments) {
                run.make_up(activity.id, &lookup)?;
            }
            let called = providers::call(run, method, simulation, arguments);
            run.check_lookups()?;
            Ok(called)
        }
        None if run.search.is_some() => searched_result(run, activity),
        None => Err(not_simulated(run, activity, call.name)),
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
fn searched_result<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
) -> Result<Result<Outputs<'p>, CallError>, Stop> {
    let results = run.search.as_ref().map(|search| Rc::clone(&search.results)).unwrap_or_default();
    let results = results.get(&activity.id).map_or(&[][..], Vec::as_slice);
    let chosen = run.decide(Question::Result(activity.id, results.len()))?;
    let outputs = results.get(chosen).into_iter().flatten();
    Ok(Ok(Outputs(outputs.map(|(name, value)| Output::requested(name.clone(), Arc::clone(value))).collect())))
}

/// The result of a call that the scenario lists.
fn scenario_result<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    index: usize,
    count: u64,
) -> Result<Result<Outputs<'p>, CallError>, Stop> {
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
        ProviderResult::Outputs(outputs) => Ok(Outputs(
            outputs.iter().map(|(name, value)| Output::requested(name.as_str(), Arc::clone(value))).collect(),
        )),
    })
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
        let name = || plan.config.catalog.output_variable(prefix, &property);
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
    for &slot in &run.plan.program.common_outputs {
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
