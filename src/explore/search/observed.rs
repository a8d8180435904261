//! Observations of runs, each with the cheapest run to it.

use std::collections::BTreeMap;

use super::nodes::{Arrival, Cost};
use super::search_run::Segment;
use crate::common::collections::IndexSet;
use crate::common::outcomes::{Decision, MailKind};
use crate::explore::laws::MetFault;
use crate::model::ActivityId;
use crate::simulate::Covered;

/// Something that a run did.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Observation {
    Takes(Covered),
    /// An Approval is decided.
    Decides(ActivityId, Decision),
    Mails(MailKind),
    /// Faults that are met together, by their number.
    Fault(usize),
}

/// The observations, each with the cheapest way to it.
#[derive(Default)]
pub struct Observations<'p> {
    pub all: BTreeMap<Observation, (Cost, Option<Arrival>)>,
    /// By their numbers.
    pub faults: IndexSet<MetFault<'p>>,
}

impl<'p> Observations<'p> {
    pub fn add(&mut self, segment: &Segment<'p>, cost: Cost, from: Option<&Arrival>) {
        for id in &segment.begun {
            self.insert(Observation::Takes(Covered::Activity(*id)), cost, from);
        }
        for (id, branch) in &segment.branches {
            self.insert(Observation::Takes(Covered::Branch(*id, *branch)), cost, from);
        }
        for (id, decision) in &segment.decided {
            self.insert(Observation::Decides(*id, *decision), cost, from);
        }
        for kind in &segment.mailed {
            self.insert(Observation::Mails(*kind), cost, from);
        }
        for fault in &segment.faults {
            let known = self.faults.get_index_of(fault);
            let number = known.unwrap_or_else(|| self.faults.insert_full(fault.clone()).0);
            self.insert(Observation::Fault(number), cost, from);
        }
    }

    /// The numbers of faults, together where they are met on the same arrival: one run shows them.
    pub fn faults_met_together(&self) -> impl Iterator<Item = Vec<usize>> + use<> {
        let mut by_arrival: BTreeMap<Option<(usize, usize)>, Vec<usize>> = BTreeMap::new();
        for number in 0..self.faults.len() {
            let Some((_, from)) = self.all.get(&Observation::Fault(number)) else { continue };
            // Rounds are skipped only after what is observed.
            by_arrival.entry(from.as_ref().map(|from| (from.parent, from.number))).or_default().push(number);
        }
        by_arrival.into_values()
    }

    fn insert(&mut self, observation: Observation, cost: Cost, from: Option<&Arrival>) {
        if self.all.get(&observation).is_none_or(|(known, _)| cost < *known) {
            self.all.insert(observation, (cost, from.cloned()));
        }
    }
}
