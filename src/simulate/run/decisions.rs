//! How a run asks the search for a decision.

use std::rc::Rc;
use std::sync::Arc;

use super::frame::Frame;
use super::search::{Lookup, Question};
use super::state::Run;
use crate::collections::HashSet;
use crate::ldap::Directory;
use crate::model::ActivityId;
use crate::simulate::stop::Stop;

/// The position of a run before a step, to return to if the step asks a question.
pub struct Checkpoint {
    steps: u64,
    current: Option<ActivityId>,
    // The lengths of lists in the record.
    entries: usize,
    calls: usize,
    begun: usize,
    unset_reads: usize,
}

impl Run<'_, '_> {
    /// The alternative of a question that the search has taken; the first one outside of a search.
    ///
    /// # Errors
    /// The search has to decide first.
    pub fn decide(&mut self, question: Question) -> Result<usize, Stop> {
        let Some(search) = &mut self.search else { return Ok(0) };
        if let Some(decision) = search.decided.get(search.taken) {
            search.taken += 1;
            return Ok(*decision);
        }
        search.open = Some(question);
        Err(Stop::Undecided)
    }

    /// Makes up the result of a lookup, in a search without a directory.
    ///
    /// # Errors
    /// The search has to decide first.
    pub fn make_up(&mut self, activity: ActivityId, lookup: &Lookup<'_>) -> Result<(), Stop> {
        let Some(made_up) = self.search.as_ref().and_then(|search| search.directory.clone()) else { return Ok(()) };
        let answered = made_up.answered(lookup);
        let answer = match answered.len() {
            0 => {
                if made_up.only_fails(lookup) {
                    self.search.iter_mut().for_each(|search| search.only_failing.push(activity));
                }
                return Ok(());
            }
            1 => 0,
            number => self.decide(Question::Lookup(activity, number))?,
        };
        if let (Some(search), Some(next)) = (&mut self.search, answered.get(answer)) {
            search.directory = Some(Rc::clone(next));
        }
        Ok(())
    }

    /// The directory that is made up in a search.
    pub fn made_up_directory(&self) -> Option<Arc<Directory>> {
        self.search.as_ref()?.directory.as_ref().map(|made_up| made_up.directory())
    }

    /// Resets the used limits of a run: a search has its own limits.
    pub fn forget_spent(&mut self) {
        self.text = 0;
        // Each segment of a search records its reads. An empty set without memory is copied at no cost.
        self.unset = HashSet::default();
        self.scripts.refill();
    }

    /// Forgets decisions that the last step did not need, because its call failed before.
    pub fn forget_decisions(&mut self) {
        if let Some(search) = &mut self.search {
            search.decided.clear();
            search.taken = 0;
        }
    }

    /// Where the run is, to go back to if the next step asks a question.
    pub const fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            steps: self.steps,
            current: self.current,
            entries: self.record.entries.len(),
            calls: self.record.calls.len(),
            begun: self.record.begun.len(),
            unset_reads: self.record.unset_reads.len(),
        }
    }

    /// Goes back to where the call was not yet made that has asked a question, and returns the question. Up to there, a
    /// call only reads its parameters, and notes that it is made.
    pub fn go_back(&mut self, to: &Checkpoint) -> Option<Question> {
        let search = self.search.as_mut()?;
        let question = search.open.take()?;
        search.taken = 0;
        self.steps = to.steps;
        self.current = to.current;
        self.record.entries.truncate(to.entries);
        self.record.calls.truncate(to.calls);
        self.record.begun.truncate(to.begun);
        for read in self.record.unset_reads.drain(to.unset_reads..) {
            self.unset.remove(read.variable);
        }
        if let Some(call) = self.plan.program.call(question.activity())
            && let Some(count) = self.calls.get_mut(call.number)
        {
            *count -= 1;
        }
        if let Some(Frame::Activities { next, .. }) = self.frames.last_mut() {
            *next -= 1;
        }
        Some(question)
    }
}
