//! What a run teaches about the scenario: who is asked, what is looked up, and which results are missing.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::draft::{Answers, Draft, Stub, USUAL_DELAY};
use super::trial::Seen;
use crate::catalog::{Method, ParameterKind, Purpose, Simulation};
use crate::collections::{HashMap, HashSet, IndexMap};
use crate::facts::{InferredOutputs, ProviderSite};
use crate::graph::{Analysis, Prefix, Receiver};
use crate::model::{ActivityId, ActivityKind, Binding, Literal, Parameter, Provider};
use crate::simulate::{LookedUp, Lookup, number};
use crate::synth::{Submitted, Values};

/// Results that are made up for the calls of one method.
const MAX_CALLS: usize = 256;

/// The workflow of the scenario.
pub struct Lessons<'l, 'a> {
    pub analysis: &'l Analysis<'a>,
    /// The outputs of unknown methods.
    pub inferred: &'l HashMap<ActivityId, Arc<InferredOutputs>>,
    /// Values that were made up for outputs, by variable.
    pub outputs: HashMap<String, String>,
}

impl Lessons<'_, '_> {
    /// Completes the draft; whether that changed anything.
    pub fn learn(&mut self, seen: &Seen, values: &mut Values<'_, '_>, draft: &mut Draft) -> bool {
        let mut changed = false;
        for problem in &seen.problems {
            changed |= leave_out(draft, &problem.pointer, &problem.message);
        }
        let known = draft.approvals.iter().map(|answers| answers.name.clone());
        let mut known: HashMap<String, usize> = known.zip(0..).collect();
        for (id, people) in &seen.asked {
            changed |= self.approve(*id, people, seen, (draft, &mut known));
        }
        let mut known: HashSet<String> = draft.signing.iter().map(|mail| mail.to_ascii_lowercase()).collect();
        for mail in &seen.signers {
            if known.insert(mail.to_ascii_lowercase()) {
                draft.signing.push(mail.clone());
                changed = true;
            }
        }
        let called: BTreeSet<ActivityId> = seen.calls.iter().map(|call| call.activity).collect();
        for id in called {
            changed |= self.look_up(id, seen, draft);
        }
        changed | self.stub(seen, values, draft)
    }

    /// One of those who are asked approves, before the timeout. `known` has the answers in the draft by name.
    fn approve(
        &self,
        id: ActivityId,
        people: &[String],
        seen: &Seen,
        (draft, known): (&mut Draft, &mut HashMap<String, usize>),
    ) -> bool {
        let Some(activity) = self.analysis.workflow.activity(id) else { return false };
        let (Some(name), ActivityKind::Approval(approval)) = (activity.name.value(), &activity.kind) else {
            return false;
        };
        let Some(first) = people.first() else { return false };
        let timeout = approval.settings().timeout.get().and_then(|timeout| bound_or_literal(timeout, seen));
        let after = timeout.and_then(|timeout| number(&timeout)).map_or(USUAL_DELAY, in_time);
        let Some(answers) = known.get(name).and_then(|&index| draft.approvals.get_mut(index)) else {
            known.insert(name.to_owned(), draft.approvals.len());
            draft.approvals.push(Answers { name: name.to_owned(), people: vec![first.clone()], after });
            return true;
        };
        let is_sooner = after < answers.after;
        answers.after = answers.after.min(after);
        let is_known = answers.people.iter().any(|one| people.iter().any(|who| who.eq_ignore_ascii_case(one)));
        if !is_known {
            answers.people.push(first.clone());
        }
        is_sooner || !is_known
    }

    /// Adds to the directory what a call looks up.
    fn look_up(&self, id: ActivityId, seen: &Seen, draft: &mut Draft) -> bool {
        let Some(site) = ProviderSite::of_activity(self.analysis, id) else { return false };
        let Some(method) = site.outputs.method else { return false };
        let text = |name: &str| site.provider.parameter(name).and_then(|parameter| value_of(parameter, seen));
        let of_kind = |kind| text(&method.parameter_of_kind(kind)?.name);
        let for_purpose = |purpose| text(&method.parameter_for(purpose)?.name);
        let of = match method.simulation {
            Some(Simulation::User) => LookedUp::User,
            Some(Simulation::GroupMembers) => LookedUp::Members,
            Some(Simulation::Manager) => LookedUp::Manager(
                for_purpose(Purpose::ManagerDepth).and_then(|depth| depth.trim().parse().ok()).unwrap_or(1),
            ),
            _ => return false,
        };
        let Some(identity) = of_kind(ParameterKind::Identity) else { return false };
        let properties = properties(method, site.provider, seen);
        let filter = of_kind(ParameterKind::LdapFilter).filter(|filter| !filter.is_empty());
        draft.directory.supply(&Lookup { identity: &identity, properties, filter: filter.as_deref(), of })
    }

    /// Makes up the results of methods that are not simulated.
    fn stub(&mut self, seen: &Seen, values: &mut Values<'_, '_>, draft: &mut Draft) -> bool {
        let mut calls: IndexMap<&str, Vec<ActivityId>> = IndexMap::default();
        for call in &seen.calls {
            let Some(site) = ProviderSite::of_activity(self.analysis, call.activity) else { continue };
            if site.outputs.method.is_some_and(|method| method.simulation.is_some()) {
                continue;
            }
            let Some(method) = site.provider.method.value() else { continue };
            calls.entry(method).or_default().push(call.activity);
        }
        let mut changed = false;
        let known = draft.providers.iter().map(|stub| stub.method.clone());
        let stubs: HashMap<String, usize> = known.zip(0..).collect();
        for (method, ids) in calls {
            let mut results: Vec<_> = ids.iter().take(MAX_CALLS).map(|id| self.results(*id, values)).collect();
            let stub = stubs.get(method).copied();
            let known = stub.and_then(|index| draft.providers.get(index)).map_or(0, |stub| stub.calls.len());
            // A loop calls it again and again: twice as many each time, and what is too much goes at the end.
            if let Some(last) = results.last().cloned()
                && ids.len() > known
                && known > 0
            {
                results.resize((known * 2).min(MAX_CALLS), last);
            }
            let stub = match stub.and_then(|index| draft.providers.get_mut(index)) {
                Some(stub) => stub,
                None => {
                    draft.providers.push(Stub { method: method.to_owned(), calls: Vec::new() });
                    changed = true;
                    let Some(stub) = draft.providers.last_mut() else { continue };
                    stub
                }
            };
            for (index, result) in results.into_iter().enumerate() {
                match stub.calls.get_mut(index) {
                    Some(known) if *known == result => continue,
                    Some(known) => *known = result,
                    None => stub.calls.push(result),
                }
                changed = true;
            }
        }
        changed
    }

    /// The results of a call, without prefix.
    fn results(&mut self, id: ActivityId, values: &mut Values<'_, '_>) -> Vec<(String, String)> {
        let Some(site) = ProviderSite::of_activity(self.analysis, id) else { return Vec::new() };
        let prefix = match site.outputs.prefix {
            Prefix::Static(prefix) => prefix,
            Prefix::Dynamic => return Vec::new(),
        };
        let names: Vec<String> = match site.outputs.method {
            Some(_) => {
                let received = site.outputs.outputs.iter().filter(|output| output.receiver == Receiver::Variable);
                received.map(|output| output.property.to_owned()).collect()
            }
            None => self.inferred.get(&id).map(|outputs| outputs.names.clone()).unwrap_or_default(),
        };
        let value = |name: String| {
            let variable = format!("{prefix}{name}");
            let value = self.outputs.entry(variable).or_insert_with_key(|variable| values.of_variable(variable));
            (name, value.clone())
        };
        names.into_iter().map(value).collect()
    }

    /// Removes people whom the last run did not ask, and results of calls that it did not make.
    pub fn trim(&self, seen: &Seen, draft: &mut Draft) {
        let activity = |id: ActivityId| self.analysis.workflow.activity(id);
        let asked: HashSet<&str> = seen.asked.iter().filter_map(|(id, _)| activity(*id)?.name.value()).collect();
        draft.approvals.retain(|answers| asked.contains(answers.name.as_str()));
        let signers: HashSet<String> = seen.signers.iter().map(|signer| signer.to_ascii_lowercase()).collect();
        draft.signing.retain(|mail| signers.contains(&mail.to_ascii_lowercase()));
        let mut calls: HashMap<&str, usize> = HashMap::default();
        for method in seen.calls.iter().filter_map(|call| activity(call.activity)?.provider()?.method.value()) {
            *calls.entry(method).or_default() += 1;
        }
        for stub in &mut draft.providers {
            stub.calls.truncate(calls.get(stub.method.as_str()).copied().unwrap_or(0));
        }
        draft.providers.retain(|stub| !stub.calls.is_empty());
    }
}

/// Removes an entry that the simulator refuses; whether there was one.
fn leave_out(draft: &mut Draft, pointer: &str, message: &str) -> bool {
    let Some(key) = pointer.strip_prefix("/submit/") else {
        draft.fill_in(format!("an error in this file: {message}"));
        return false;
    };
    let key = key.replace("~1", "/").replace("~0", "~");
    let before = draft.submit.len();
    draft.submit.retain(|(name, _): &(String, Submitted)| *name != key);
    before != draft.submit.len()
}

/// Seconds after which an answer comes before a timeout in seconds; 0 is none.
fn in_time(timeout: f64) -> u32 {
    let delays = [1800_u32, 600, 60, 10, 1];
    let is_late = timeout > 0.0 && timeout <= f64::from(USUAL_DELAY);
    let delay = delays.into_iter().find(|delay| f64::from(*delay) < timeout).unwrap_or(1);
    if is_late { delay } else { USUAL_DELAY }
}

/// The value of a parameter, by the variables at the end of the run.
fn value_of(parameter: &Parameter<'_>, seen: &Seen) -> Option<String> {
    bound_or_literal(parameter.value.get()?, seen)
}

fn bound_or_literal(binding: &Binding<'_>, seen: &Seen) -> Option<String> {
    if let Some((_, variable)) = binding.target() {
        return seen.values.get(variable).cloned();
    }
    match binding.literal()?.1 {
        Literal::Text(text) | Literal::Number(text) => Some(text.to_owned()),
        Literal::Boolean(value) => Some(value.to_string()),
        Literal::Null => None,
    }
}

/// The properties that a lookup returns: those that it asks for, and the defaults of its method.
fn properties(method: &Method, provider: &Provider<'_>, seen: &Seen) -> Vec<String> {
    let mut properties: Vec<String> = Vec::new();
    for output in &method.outputs {
        let asked = output.per_entry_of.as_deref().and_then(|name| value_of(provider.parameter(name)?, seen));
        let asked = asked.unwrap_or_default();
        let names = asked.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
        properties.extend(names.chain(output.default.iter().cloned()));
    }
    properties.dedup();
    properties
}
