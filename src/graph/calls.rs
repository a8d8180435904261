//! Repeated provider calls, and variables that different calls write.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::effects::{Effects, VarId, Write, Writer};
use super::scope::{Resolution, Scope};
use crate::catalog::{Method, ParameterKind};
use crate::common::collections::{HashMap, HashSet};
use crate::model::{ActivityId, ActivityKind, Parameter, Provider, Workflow};

/// The call of a provider activity.
#[derive(Debug)]
pub struct Call<'p> {
    /// Equal for calls with the same method and inputs.
    pub fingerprint: u64,
    /// `None` if no catalog has it: its outputs are unknown then.
    method: Option<&'p Method>,
    /// By name, with the fingerprints of the values; `None` for a value that cannot be read, which other rules report: it
    /// may be any.
    inputs: Box<[(&'p str, Option<u64>)]>,
}

impl<'p> Call<'p> {
    fn new(provider: &Provider<'p>, scope: &Scope<'p>) -> Self {
        let name = provider.method.value().unwrap_or_default();
        let method = scope.config.catalog.method(name);
        let mut inputs = method.map_or_else(Vec::new, |method| inputs(provider, method, scope));
        inputs.sort_unstable();
        let fingerprint = FixedState::default().hash_one((name, &inputs));
        Self { fingerprint, method, inputs: inputs.into_boxed_slice() }
    }

    /// Whether two calls are one, repeated, as far as their inputs are known.
    pub fn may_repeat(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
            || self.method.zip(other.method).is_some_and(|(method, other_method)| {
                method.name == other_method.name
                    && self.inputs_agree_with(other, method)
                    && other.inputs_agree_with(self, method)
            })
    }

    /// A required input that the other call lacks (WF201) may be any as well.
    fn inputs_agree_with(&self, other: &Self, method: &Method) -> bool {
        self.inputs.iter().filter(|(_, value)| value.is_some()).all(|(name, value)| {
            let index = other.inputs.binary_search_by_key(name, |(name, _)| *name).ok();
            match index.and_then(|index| other.inputs.get(index)) {
                Some((_, other)) => other.is_none() || other == value,
                None => method.parameter(name).is_some_and(|known| known.required),
            }
        })
    }
}

/// The calls of the provider activities.
pub fn calls<'p>(workflow: &Workflow<'p>, scope: &Scope<'p>) -> HashMap<ActivityId, Call<'p>> {
    let providers = workflow.activities.iter().filter_map(|activity| match &activity.kind {
        ActivityKind::Provider(provider) => Some((activity.id, provider)),
        _ => None,
    });
    providers.map(|(id, provider)| (id, Call::new(provider, scope))).collect()
}

/// The prefix is left out, as it only says where the outputs go: a lookup with another prefix is still the same lookup.
fn inputs<'p>(provider: &Provider<'p>, method: &'p Method, scope: &Scope<'p>) -> Vec<(&'p str, Option<u64>)> {
    let prefix = method.parameter_of_kind(ParameterKind::Prefix).map(|prefix| prefix.name.as_str());
    let declared = provider.declared().map(|parameter| (meant(provider, parameter, method, scope), parameter));
    let additional = provider.additional().map(|parameter| (parameter.name.value(), parameter));
    let mut inputs = Vec::new();
    for (name, parameter) in declared.chain(additional).filter(|(_, parameter)| !parameter.is_empty()) {
        // The method ignores one that it does not have (WF204).
        let Some(name) = name.filter(|name| Some(*name) != prefix) else { continue };
        // Which of two values counts is not documented.
        let value = if provider.is_ambiguous(name) { None } else { value(parameter, scope) };
        inputs.push((name, value));
    }
    inputs
}

/// The name of a declared parameter; of a mistyped one that which was most likely meant, and `None` of others that the
/// method does not have.
fn meant<'p>(
    provider: &Provider<'p>,
    parameter: &Parameter<'p>,
    method: &'p Method,
    scope: &Scope<'p>,
) -> Option<&'p str> {
    let name = parameter.name.value()?;
    if method.parameter(name).is_some() || parameter.is_additional.is_true() {
        return Some(name);
    }
    let known = method.parameters.iter().map(|known| known.name.as_str());
    scope.suggester.nearest(name, known.filter(|known| provider.parameter(known).is_none()))
}

/// The fingerprint of a value; `None` if it is unknown.
fn value(parameter: &Parameter<'_>, scope: &Scope<'_>) -> Option<u64> {
    let binding = parameter.value.get().filter(|binding| !binding.is_opaque())?;
    let target = match binding.target() {
        Some((_, name)) => match scope.resolve_binding(binding, name) {
            Resolution::Undefined(suggestion) => Some(suggestion?.name),
            _ => Some(name),
        },
        None if binding.value.is_unknown() => return None,
        None => None,
    };
    let literal = binding.literal().map(|(_, literal)| literal);
    Some(FixedState::default().hash_one((target, literal)))
}

/// The calls that write a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// One call, possibly repeated, by its fingerprint.
    One(u64),
    Several,
}

/// The calls that write each variable by their outputs.
pub fn output_calls(effects: &[Effects<'_>], calls: &HashMap<ActivityId, Call<'_>>) -> HashMap<VarId, Calls> {
    let mut writers: HashMap<VarId, Calls> = HashMap::default();
    for (id, effects) in (0..).map(ActivityId).zip(effects) {
        let Some(call) = calls.get(&id).map(|call| call.fingerprint) else { continue };
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
    pub fn new(effects: &[Effects<'_>], calls: &HashMap<ActivityId, Call<'_>>) -> Self {
        let mut activities: HashMap<u64, Vec<ActivityId>> = HashMap::default();
        for (&id, call) in calls {
            activities.entry(call.fingerprint).or_default().push(id);
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
