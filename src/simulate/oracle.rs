//! What a run cannot know by itself: how calls end, what the directory holds, what approvers answer. A scenario says it, or a
//! search tries every possibility.

use std::collections::VecDeque;
use std::sync::Arc;

use super::clock::{Due, Priority};
use super::plan::Plan;
use super::providers::{CallError, Output, Outputs};
use super::run::{ApprovalAnswer, Run};
use super::scenario::{Answers, ApprovalAction, ApprovalRuns, Approvals, ProviderResult};
use super::strings::quote;
use super::trace::Stop;
use crate::common::collections::HashMap;
use crate::model::Activity;

/// A call of a provider method.
pub struct CallSite<'p> {
    pub activity: &'p Activity<'p>,
    /// The name of the method.
    pub method: &'p str,
    /// Its number among the calls of the method, from 1.
    pub number: u64,
}

/// What a call returns, or why it fails.
pub type CallResult<'p> = Result<Outputs<'p>, CallError>;

/// What a call looks up in the directory, or why it cannot; `None` for another call.
pub type LookupOfCall<'l> = &'l dyn Fn() -> Option<Result<Lookup<'l>, CallError>>;

/// Each method may end the run: with [`Stop::Undecided`] when a search has to decide first.
pub trait Oracle {
    /// Whether a call of a method that is not simulated has a result or a fault.
    fn knows(&self, plan: &Plan<'_>, site: &CallSite<'_>) -> bool;

    /// The error with which a call fails, whatever it would return.
    fn fault(&mut self, run: &mut Run<'_, '_>, site: &CallSite<'_>) -> Result<Option<String>, Stop>;

    /// The result of a call; `None` if the simulated method decides it. `lookup` says what the call looks up in the
    /// directory, or why it cannot.
    fn value<'p>(
        &mut self,
        run: &mut Run<'p, '_>,
        site: &CallSite<'p>,
        lookup: LookupOfCall<'_>,
    ) -> Result<Option<CallResult<'p>>, Stop>;

    /// The answers of those who are asked for an approval, in the order in which they are due. Called once for each run of
    /// an Approval; `own` counts those of this one before.
    fn approval(
        &mut self,
        run: &mut Run<'_, '_>,
        activity: &Activity<'_>,
        assignees: &[Arc<str>],
        own: usize,
    ) -> VecDeque<ApprovalAnswer>;
}

/// A question to the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lookup<'l> {
    /// Empty for a search.
    pub identity: &'l str,
    /// The properties that the call asks for.
    pub properties: Vec<String>,
    pub filter: Option<&'l str>,
    pub of: LookedUp,
}

/// What a lookup returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LookedUp {
    User,
    /// All users that match the filter.
    Users,
    /// The members of a group.
    Members,
    /// The manager so many levels up.
    Manager(u32),
    /// The manager without a manager.
    TopManager,
}

/// The scenario of a run says what happens.
pub struct ScenarioOracle;

impl Oracle for ScenarioOracle {
    fn knows(&self, plan: &Plan<'_>, site: &CallSite<'_>) -> bool {
        plan.index.results(site.method).is_some() || plan.index.fault_of(site.method, site.number).is_some()
    }

    fn fault(&mut self, run: &mut Run<'_, '_>, site: &CallSite<'_>) -> Result<Option<String>, Stop> {
        let Some(index) = run.plan.index.fault_of(site.method, site.number) else { return Ok(None) };
        run.used.fault(index);
        Ok(run.plan.scenario.faults.get(index).map(|fault| fault.error.clone()))
    }

    fn value<'p>(
        &mut self,
        run: &mut Run<'p, '_>,
        site: &CallSite<'p>,
        _: LookupOfCall<'_>,
    ) -> Result<Option<CallResult<'p>>, Stop> {
        let plan = run.plan;
        let entry =
            plan.index.results(site.method).and_then(|index| Some((index, plan.scenario.providers.get(index)?)));
        let Some((index, entry)) = entry else { return Ok(None) };
        let call = usize::try_from(site.number - 1).unwrap_or(usize::MAX);
        let Some(result) = entry.results.get(call) else {
            let message = format!(
                "missing result for call {} of {} in {}: `providers` in the scenario lists {}",
                site.number,
                quote(&entry.method.value),
                plan.name(site.activity),
                entry.results.len()
            );
            return Err(run.fail(site.activity.node, message));
        };
        run.used.result(index, call);
        Ok(Some(match &result.value {
            ProviderResult::Error(error) => Err(CallError::new(error)),
            ProviderResult::Outputs(outputs) => {
                let output =
                    |(name, value): &'p (String, Arc<str>)| Output::requested(name.as_str(), Arc::clone(value));
                Ok(Outputs(outputs.iter().map(output).collect()))
            }
        }))
    }

    fn approval(
        &mut self,
        run: &mut Run<'_, '_>,
        activity: &Activity<'_>,
        assignees: &[Arc<str>],
        own: usize,
    ) -> VecDeque<ApprovalAnswer> {
        let Some(people) = answers_of_run(run, activity, own) else { return VecDeque::new() };
        let mut by_mail: HashMap<String, &Arc<str>> = HashMap::default();
        for who in assignees {
            by_mail.entry(who.to_ascii_lowercase()).or_insert(who);
        }
        let now = run.clock.now();
        let mut answers = Vec::new();
        for person in people {
            let Some(&who) = by_mail.get(&person.mail.value.trim().to_ascii_lowercase()) else { continue };
            run.used.answer(&person.mail.location.pointer);
            let order = u64::from(person.mail.location.span.start);
            let due = Due { at: now.after(person.after), priority: Priority::Person, order };
            let approves = person.action == ApprovalAction::Approve;
            answers.push(ApprovalAnswer { due, who: Arc::clone(who), approves });
        }
        answers.sort_by_key(|answer| answer.due);
        answers.into()
    }
}

/// An array of the scenario is indexed by the runs of all Approvals, an array under a name by those of this activity alone.
fn answers_of_run<'p>(run: &Run<'p, '_>, activity: &Activity<'_>, own: usize) -> Option<&'p Answers> {
    match &run.plan.scenario.approvals {
        Approvals::InOrder(runs) => runs.get(run.waiting.len() - 1).map(|answers| &answers.value),
        Approvals::Named(named) => {
            let name = activity.name.value()?;
            match &named.get(run.plan.index.approval(name)?)?.runs {
                ApprovalRuns::Every(answers) => Some(answers),
                ApprovalRuns::Each(runs) => runs.get(own).map(|answers| &answers.value),
            }
        }
    }
}
