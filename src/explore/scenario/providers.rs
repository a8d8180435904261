//! Calls that fail, and results of methods that are not simulated, as a scenario lists them.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::people::ScenarioRun;
use crate::common::collections::HashMap;
use crate::explore::search::{Choice, PossibleResult, SIMULATED_FAILURE, SearchDecision, Step};
use crate::simulate::Frame;

/// Iterations of a cycle whose results are listed: the step limit ends the run inside the last one.
const MIN_ROUNDS: u64 = 3;

/// The unusual results of each method, by the number of the call, from 1.
pub struct Results<'f> {
    calls: BTreeMap<&'f str, BTreeMap<u64, CallResult>>,
    /// The methods whose results a scenario lists.
    listed: BTreeMap<&'f str, bool>,
}

#[derive(Clone)]
enum CallResult {
    Returns(Rc<PossibleResult>),
    Fails,
}

impl<'f> Results<'f> {
    pub fn of(found: &ScenarioRun<'f, '_, '_>) -> Self {
        let mut results = Self { calls: BTreeMap::new(), listed: BTreeMap::new() };
        // Calls in skipped iterations; the numbers of later choices include them.
        for step in found.path {
            match step {
                Step::Choice(choice) => results.add(found, choice, 0),
                Step::Jump(jump) => {
                    for round in 1..=jump.rounds {
                        for choice in &jump.choices {
                            let method = method_of(found, choice).unwrap_or_default();
                            let number = found.run.plan.program.method(method);
                            let of_round =
                                number.and_then(|number| jump.calls.get(number)).copied().unwrap_or_default();
                            results.add(found, choice, of_round.saturating_mul(round));
                        }
                    }
                }
            }
        }
        results.add_cycle(found);
        results.add_without_results(found);
        results
    }

    /// Adds the results of a cycle, as often as a run needs to show that it does not end.
    fn add_cycle(&mut self, found: &ScenarioRun<'f, '_, '_>) {
        let mut number: HashMap<&str, u64> = HashMap::default();
        for _ in 0..MIN_ROUNDS {
            for choice in found.round {
                let Some(method) = method_of(found, choice) else { continue };
                let before = found.run.calls_of(method);
                let further = number.entry(method).or_default();
                *further += 1;
                if let SearchDecision::Returns { result, .. } = &choice.decision {
                    self.insert(method, before + *further, CallResult::Returns(Rc::clone(result)), true);
                }
            }
        }
    }

    /// Lists nothing for methods whose calls all fail before they have a result, as a required parameter is not set.
    /// Without an entry, they would not be simulated.
    fn add_without_results(&mut self, found: &ScenarioRun<'f, '_, '_>) {
        let run = found.run;
        let called = run.plan.program.methods().iter().zip(&run.calls);
        let called = called.filter(|(_, calls)| **calls > 0).map(|(method, _)| *method);
        // Those that the cycle at its end may call.
        let cycle = match run.frames.last() {
            Some(Frame::Loop(frame)) => Some(run.plan.workflow.inside(frame.activity)),
            _ => None,
        };
        let in_cycle = cycle.into_iter().flatten().filter_map(|activity| activity.provider()?.method.value());
        for method in called.chain(in_cycle).filter(|method| !is_simulated(found, method)) {
            self.listed.insert(method, true);
            self.calls.entry(method).or_default();
        }
    }

    fn add(&mut self, found: &ScenarioRun<'f, '_, '_>, choice: &Choice, later: u64) {
        let Some(method) = method_of(found, choice) else { return };
        match &choice.decision {
            SearchDecision::Returns { call, result, .. } => {
                self.insert(method, call + later, CallResult::Returns(Rc::clone(result)), true);
            }
            SearchDecision::Fails { call } => {
                self.insert(method, call + later, CallResult::Fails, !is_simulated(found, method));
            }
            _ => {}
        }
    }

    fn insert(&mut self, method: &'f str, call: u64, result: CallResult, is_listed: bool) {
        *self.listed.entry(method).or_default() |= is_listed;
        self.calls.entry(method).or_default().insert(call, result);
    }

    /// `faults`: the calls of simulated methods that fail.
    pub fn faults(&self) -> Value {
        let simulated = self.calls.iter().filter(|(method, _)| self.listed.get(*method) != Some(&true));
        let faults = simulated.flat_map(|(method, calls)| {
            calls.keys().map(move |call| json!({ "method": method, "call": call, "error": SIMULATED_FAILURE }))
        });
        Value::Array(faults.collect())
    }

    /// `providers`: the results of the other methods. A call that failed by itself takes no result, but is numbered.
    pub fn providers(&self) -> Value {
        let mut map = Map::new();
        for (method, calls) in self.calls.iter().filter(|(method, _)| self.listed.get(*method) == Some(&true)) {
            let last = calls.keys().next_back().copied().unwrap_or_default();
            let results = (1..=last).map(|call| match calls.get(&call) {
                Some(CallResult::Returns(result)) => match &result.outputs {
                    Ok(outputs) => {
                        let outputs: Map<String, Value> =
                            outputs.iter().map(|(name, value)| (name.clone(), json!(&**value))).collect();
                        json!({ "outputs": outputs })
                    }
                    Err(error) => json!({ "error": error }),
                },
                Some(CallResult::Fails) => json!({ "error": SIMULATED_FAILURE }),
                None => json!({ "outputs": {} }),
            });
            map.insert((*method).to_owned(), Value::Array(results.collect()));
        }
        Value::Object(map)
    }
}

fn is_simulated(found: &ScenarioRun<'_, '_, '_>, method: &str) -> bool {
    found.order.config.catalog.method(method).is_some_and(|method| method.simulation.is_some())
}

fn method_of<'f>(found: &ScenarioRun<'f, '_, '_>, choice: &Choice) -> Option<&'f str> {
    found.order.workflow.workflow.activity(choice.activity?)?.provider()?.method.value()
}
