//! The oracle of a search: what it has decided for the next step, and the question to decide before the step can be made.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use crate::collections::HashMap;
use crate::ldap::Directory;
use crate::made_up::SearchedDirectory;
use crate::model::{Activity, ActivityId};
use crate::simulate::{
    ApprovalAnswer, CallError, CallResult, CallSite, Lookup, Oracle, Output, Outputs, Plan, Run, ScenarioOracle, Slot,
    Stop,
};

/// The alternative of a call that is made to fail, and its error.
const FAILS: usize = 1;
pub const SIMULATED_FAILURE: &str = "simulated failure";

/// The outputs of a call, without the prefix.
pub type CallOutputs = Vec<(String, Arc<str>)>;

#[derive(Clone, Default)]
pub struct SearchOracle {
    /// Taken in this order.
    pub decided: Vec<usize>,
    /// How many of them the step has taken.
    pub taken: usize,
    /// What has to be decided before the step can be made.
    pub open: Option<Question>,
    /// The possible results of the call of each activity.
    pub results: Rc<HashMap<ActivityId, Vec<CallOutputs>>>,
    /// Variables whose field is not chosen yet, and that nothing has written since; sorted.
    pub open_fields: Vec<Slot>,
    /// The directory that is made up; `None` when one is given.
    pub directory: Option<Rc<SearchedDirectory>>,
    /// Lookups that failed as no entry can be made that they find.
    pub only_failing: Vec<ActivityId>,
}

/// Something that a search decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Whether a call succeeds (0) or fails (1).
    Call(ActivityId),
    /// Which result a call has, of this number of results.
    Result(ActivityId, usize),
    /// Which answer a lookup gets, of this number of answers.
    Lookup(ActivityId, usize),
}

impl Question {
    /// The activity whose call asks.
    pub const fn activity(self) -> ActivityId {
        match self {
            Self::Call(activity) | Self::Result(activity, _) | Self::Lookup(activity, _) => activity,
        }
    }
}

impl SearchOracle {
    /// Whether the field of a variable is not chosen yet.
    pub fn is_open(&self, variable: Slot) -> bool {
        self.open_fields.binary_search(&variable).is_ok()
    }

    /// Notes that the field of a variable is chosen, or that the variable is written.
    pub fn close(&mut self, variable: Slot) {
        if let Ok(at) = self.open_fields.binary_search(&variable) {
            self.open_fields.remove(at);
        }
    }

    /// Takes the question of a step that could not be made.
    pub fn take_question(&mut self) -> Option<Question> {
        self.taken = 0;
        self.open.take()
    }

    /// Forgets the decisions after a step, also those that it did not need, because its call failed before.
    pub fn forget_decisions(&mut self) {
        self.decided.clear();
        self.taken = 0;
    }

    fn decide(&mut self, question: Question) -> Result<usize, Stop> {
        if let Some(decision) = self.decided.get(self.taken) {
            self.taken += 1;
            return Ok(*decision);
        }
        self.open = Some(question);
        Err(Stop::Undecided)
    }
}

impl Oracle for SearchOracle {
    fn knows(&self, _: &Plan<'_>, _: &CallSite<'_>) -> bool {
        true
    }

    fn fault(&mut self, _: &mut Run<'_, '_>, site: &CallSite<'_>) -> Result<Option<String>, Stop> {
        let decision = self.decide(Question::Call(site.activity.id))?;
        Ok((decision == FAILS).then(|| SIMULATED_FAILURE.to_owned()))
    }

    fn value<'p>(&mut self, run: &mut Run<'p, '_>, site: &CallSite<'p>) -> Result<Option<CallResult<'p>>, Stop> {
        if run.plan.config.catalog.method(site.method).is_some_and(|method| method.simulation.is_some()) {
            return Ok(None);
        }
        let results = Rc::clone(&self.results);
        let results = results.get(&site.activity.id).map_or(&[][..], Vec::as_slice);
        let chosen = self.decide(Question::Result(site.activity.id, results.len()))?;
        let outputs = results.get(chosen).into_iter().flatten();
        let outputs = outputs.map(|(name, value)| Output::requested(name.clone(), Arc::clone(value)));
        Ok(Some(Ok::<_, CallError>(Outputs(outputs.collect()))))
    }

    fn lookup(&mut self, site: &CallSite<'_>, lookup: Option<&Lookup<'_>>) -> Result<Option<Arc<Directory>>, Stop> {
        let Some(made_up) = self.directory.clone() else { return Ok(None) };
        if let Some(lookup) = lookup {
            let answered = made_up.answered(lookup);
            let answer = match answered.len() {
                0 if made_up.only_fails(lookup) => {
                    self.only_failing.push(site.activity.id);
                    0
                }
                0 | 1 => 0,
                number => self.decide(Question::Lookup(site.activity.id, number))?,
            };
            if let Some(next) = answered.get(answer) {
                self.directory = Some(Rc::clone(next));
            }
        }
        Ok(self.directory.as_ref().map(|directory| Arc::clone(directory.asked().directory())))
    }

    fn approval(
        &mut self,
        run: &mut Run<'_, '_>,
        activity: &Activity<'_>,
        assignees: &[Arc<str>],
        own: usize,
    ) -> VecDeque<ApprovalAnswer> {
        // The scenario of a search has no answers: they are moves of their own.
        ScenarioOracle.approval(run, activity, assignees, own)
    }
}
