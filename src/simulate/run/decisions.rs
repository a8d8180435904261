//! How a run asks the search for a decision.

use std::sync::Arc;

use super::search::{Lookup, Question};
use super::state::Run;
use crate::ldap::Directory;
use crate::model::ActivityId;
use crate::simulate::stop::Stop;

impl Run<'_, '_> {
    /// The alternative of a question that the search has taken; the first one outside of a search.
    ///
    /// # Errors
    /// The search has to decide first.
    pub fn decide(&mut self, question: Question) -> Result<usize, Stop> {
        let Some(search) = &mut self.search else { return Ok(0) };
        if let Some(decision) = search.decided.pop_front() {
            return Ok(decision);
        }
        search.open = Some(question);
        Err(Stop::Undecided)
    }

    /// Makes up what a lookup finds, in a search without a directory.
    ///
    /// # Errors
    /// The search has to decide first.
    pub fn make_up(&mut self, activity: ActivityId, lookup: &Lookup<'_>) -> Result<(), Stop> {
        let made_up = self.search.as_ref().and_then(|search| search.directory.as_ref());
        let answer = match made_up.map_or(0, |directory| directory.answers(lookup)) {
            0 => {
                if made_up.is_some_and(|directory| directory.only_fails(lookup)) {
                    self.search.iter_mut().for_each(|search| search.only_failing.push(activity));
                }
                return Ok(());
            }
            1 => 0,
            number => self.decide(Question::Lookup(activity, number))?,
        };
        if let Some(directory) = self.search.as_mut().and_then(|search| search.directory.as_mut()) {
            directory.supply(lookup, answer);
        }
        Ok(())
    }

    /// The directory that is made up in a search.
    pub fn made_up_directory(&self) -> Option<Arc<Directory>> {
        self.search.as_ref()?.directory.as_ref().map(|made_up| made_up.directory())
    }

    /// Forgets what a run has used up of its limits: a search has limits of its own.
    pub fn forget_spent(&mut self) {
        self.text = 0;
        // Each part of a search notes what it reads.
        self.unset.clear();
        self.scripts.refill();
    }

    /// Forgets decisions that the last step did not need, as its call failed before.
    pub fn forget_decisions(&mut self) {
        if let Some(search) = &mut self.search {
            search.decided.clear();
        }
    }
}
