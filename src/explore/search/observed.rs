//! Observations of runs, each with the cheapest run to it.

use std::collections::BTreeMap;

use super::nodes::{Arrival, Cost};
use super::segment::Segment;
use crate::explore::laws::Fault;
use crate::model::ActivityId;
use crate::outcomes::{Decision, MailKind};
use crate::simulate::Covered;

/// Something that a run did.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Observation {
    Takes(Covered),
    /// An Approval is decided.
    Decides(ActivityId, Decision),
    Mails(MailKind),
    /// A fault, by its number.
    Fault(usize),
    /// A call succeeds.
    Succeeds(ActivityId),
    /// A lookup fails, as no entry can be made that it finds.
    OnlyFails(ActivityId),
}

/// The observations, each with the cheapest way to it.
#[derive(Default)]
pub struct Observations {
    pub all: BTreeMap<Observation, (Cost, Option<Arrival>)>,
    pub faults: Vec<Fault>,
}

impl Observations {
    pub fn add(&mut self, segment: &Segment, cost: Cost, from: Option<&Arrival>) {
        for id in &segment.begun {
            self.insert(Observation::Takes(Covered::Activity(*id)), cost, from);
        }
        for (id, branch) in &segment.branches {
            self.insert(Observation::Takes(Covered::Branch(*id, *branch)), cost, from);
        }
        for (id, _) in segment.calls.iter().filter(|(_, succeeds)| *succeeds) {
            self.insert(Observation::Succeeds(*id), cost, from);
        }
        for id in &segment.only_failing {
            self.insert(Observation::OnlyFails(*id), cost, from);
        }
        for (id, decision) in &segment.decided {
            self.insert(Observation::Decides(*id, *decision), cost, from);
        }
        for kind in &segment.mailed {
            self.insert(Observation::Mails(*kind), cost, from);
        }
        for fault in &segment.faults {
            let known = self.faults.iter().position(|known| known == fault);
            let number = known.unwrap_or_else(|| {
                self.faults.push(fault.clone());
                self.faults.len() - 1
            });
            self.insert(Observation::Fault(number), cost, from);
        }
    }

    fn insert(&mut self, observation: Observation, cost: Cost, from: Option<&Arrival>) {
        if self.all.get(&observation).is_none_or(|(known, _)| cost < *known) {
            self.all.insert(observation, (cost, from.cloned()));
        }
    }
}
