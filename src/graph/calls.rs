//! Repeated provider calls, and variables that different calls write.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::effects::{Effects, VarId, Write, Writer};
use super::scope::Scope;
use crate::catalog::ParameterKind;
use crate::collections::{HashMap, HashSet};
use crate::model::{ActivityId, ActivityKind, Parameter, Provider, Workflow};

/// A fingerprint of the call of each provider activity: two equal ones are one call, repeated.
pub fn calls(workflow: &Workflow<'_>, scope: &Scope<'_>) -> HashMap<ActivityId, u64> {
    let providers = workflow.activities.iter().filter_map(|activity| match &activity.kind {
        ActivityKind::Provider(provider) => Some((activity.id, provider)),
        _ => None,
    });
    providers.map(|(id, provider)| (id, call(provider, scope))).collect()
}

/// Hashes the method and its inputs. The prefix is left out, as it only says where the outputs go: a lookup with
/// another prefix is still the same lookup.
fn call(provider: &Provider<'_>, scope: &Scope<'_>) -> u64 {
    let method = provider.method.value().unwrap_or_default();
    let prefix = scope.config.catalog.method(method).and_then(|method| method.parameter_of_kind(ParameterKind::Prefix));
    let prefix = prefix.map(|prefix| prefix.name.as_str());
    let hash = |parameter: &Parameter<'_>| {
        let binding = parameter.value.get();
        let target = binding.and_then(|binding| binding.target()).map(|(_, name)| name);
        let literal = binding.and_then(|binding| binding.literal()).map(|(_, literal)| literal);
        FixedState::default().hash_one((parameter.name.value(), target, literal))
    };
    let inputs = provider.parameters().filter(|parameter| parameter.name.value() != prefix && !parameter.is_empty());
    // The order of parameters does not matter, and a sum does not depend on it.
    let inputs = inputs.fold(0u64, |sum, parameter| sum.wrapping_add(hash(parameter)));
    FixedState::default().hash_one((method, inputs))
}

/// The calls that write a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// One call, possibly repeated, by its fingerprint.
    One(u64),
    Several,
}

/// The calls that write each variable by their outputs.
pub fn output_calls(effects: &[Effects<'_>], calls: &HashMap<ActivityId, u64>) -> HashMap<VarId, Calls> {
    let mut writers: HashMap<VarId, Calls> = HashMap::default();
    for (id, effects) in (0..).map(ActivityId).zip(effects) {
        let Some(&call) = calls.get(&id) else { continue };
        for write in effects.writes.own().iter().filter(|write| matches!(write.by, Writer::Output { .. })) {
            let writer = writers.entry(write.variable).or_insert(Calls::One(call));
            if *writer != Calls::One(call) {
                *writer = Calls::Several;
            }
        }
    }
    writers
}

/// Calls that several activities make, with an input that something writes after the first of them: they may be
/// different calls.
#[derive(Debug, Default)]
pub struct RepeatedCalls {
    pub outputs: HashSet<VarId>,
    pub changing_inputs: HashSet<VarId>,
}

impl RepeatedCalls {
    pub fn new(effects: &[Effects<'_>], calls: &HashMap<ActivityId, u64>) -> Self {
        let mut activities: HashMap<u64, Vec<ActivityId>> = HashMap::default();
        for (&id, &call) in calls {
            activities.entry(call).or_default().push(id);
        }
        activities.retain(|_, repeated| repeated.len() > 1);
        let mut found = Self::default();
        if activities.is_empty() {
            return found;
        }
        let last_writes = last_writes(effects);
        let effects_of = |id: &ActivityId| effects.get(id.0 as usize);
        for repeated in activities.values() {
            let Some(first) = repeated.iter().min() else { continue };
            let inputs = effects_of(first).into_iter().flat_map(|effects| &effects.reads).map(|read| read.variable);
            let changing: Vec<VarId> =
                inputs.filter(|input| last_writes.get(input).is_some_and(|last| last > first)).collect();
            if changing.is_empty() {
                continue;
            }
            found.changing_inputs.extend(changing);
            let writes = repeated.iter().filter_map(effects_of).flat_map(|effects| effects.writes.own());
            let outputs = writes.filter(|write| matches!(write.by, Writer::Output { .. }));
            found.outputs.extend(outputs.map(|write| write.variable));
        }
        found
    }
}

/// By variable, the last activity in the document that certainly changes it.
fn last_writes(effects: &[Effects<'_>]) -> HashMap<VarId, ActivityId> {
    let writes = (0..).map(ActivityId).zip(effects).flat_map(|(id, effects)| {
        let changes = effects.writes.own().iter().filter(|write| changes_input(write));
        changes.map(move |write| (write.variable, id))
    });
    writes.collect()
}

/// Whether a call with this variable as input is another one after a write. Approvers may leave a field as it is.
pub const fn changes_input(write: &Write<'_>) -> bool {
    matches!(write.by, Writer::Assign | Writer::Script | Writer::Output { .. }) && !write.guessed
}
