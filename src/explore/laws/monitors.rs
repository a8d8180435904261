//! The laws of a configuration that concern one service.

use std::path::Path;

use super::before::OrderState;
use super::condition::Condition;
use super::state::MonitorState;
use super::tracked::Tracked;
use super::verdict::{Breach, Final, Verdict};
use crate::config::{Law, RootedPatterns};
use crate::simulate::{Plan, Record, Slot, quote};

/// The laws that concern one service.
#[derive(Debug)]
pub struct Monitors<'l> {
    laws: Vec<Monitor<'l>>,
    tracked: Tracked<'l>,
}

#[derive(Debug)]
struct Monitor<'l> {
    /// The index among the laws of the configuration.
    index: usize,
    when: Option<Condition<'l>>,
    expect: Option<Condition<'l>>,
    /// Indices of the orders.
    before: Vec<usize>,
}

impl<'l> Monitors<'l> {
    /// Selects the laws that concern the service with this workflow, given by its absolute path.
    pub fn new(laws: &'l [Law], plan: &Plan<'_>, workflow: &Path) -> Self {
        let mut tracked = Tracked::default();
        let concerned = laws.iter().enumerate().filter(|(_, law)| concerns(law, workflow));
        let laws = concerned.map(|(index, law)| Monitor {
            index,
            when: law.when.as_ref().map(|when| Condition::new(when, &mut tracked, plan)),
            expect: law.expect.as_ref().map(|expect| Condition::new(expect, &mut tracked, plan)),
            before: law.before.iter().map(|(a, b)| tracked.order(&a.value, &b.value, plan)).collect(),
        });
        Self { laws: laws.collect(), tracked }
    }

    pub const fn is_empty(&self) -> bool {
        self.laws.is_empty()
    }

    /// The state before a run begins.
    pub fn start(&self) -> MonitorState {
        MonitorState::new(&self.tracked)
    }

    /// Advances the state by a segment of a run; `record` is the record of the segment alone.
    pub fn advance(&self, state: &mut MonitorState, record: &Record<'_>, plan: &Plan<'_>) {
        if !self.is_empty() {
            state.advance(&self.tracked, record, plan);
        }
    }

    /// Whether a law asks if everybody has acted.
    pub fn ask_for_people(&self) -> bool {
        self.laws.iter().any(|law| law.when.iter().chain(&law.expect).any(Condition::asks_for_people))
    }

    /// The variables whose final values laws read.
    pub fn variables(&self) -> Vec<Slot> {
        let conditions = self.laws.iter().flat_map(|law| law.when.iter().chain(&law.expect));
        let mut slots: Vec<Slot> = conditions.flat_map(Condition::variables).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// The verdict of each law on a run that ends in this state, in the order of the configuration.
    pub fn judge(&self, state: &MonitorState, end: &Final<'_>) -> Vec<Verdict> {
        self.laws.iter().map(|law| law.judge(&self.tracked, state, end)).collect()
    }
}

impl Monitor<'_> {
    fn judge(&self, tracked: &Tracked<'_>, state: &MonitorState, end: &Final<'_>) -> Verdict {
        let is_met = self.when.as_ref().is_none_or(|when| when.mismatches(state, end).is_empty());
        let breach = is_met.then(|| self.too_early(tracked, state).or_else(|| self.unexpected(state, end))).flatten();
        Verdict { law: self.index, is_met, breach }
    }

    fn too_early(&self, tracked: &Tracked<'_>, state: &MonitorState) -> Option<Breach> {
        let broken = self.before.iter().find_map(|index| match state.orders.get(*index)? {
            OrderState::Broken(activity) => Some((tracked.orders.get(*index)?, *activity)),
            OrderState::Waiting | OrderState::Running(_) | OrderState::Kept => None,
        });
        broken.map(|(order, activity)| {
            let message = format!("{} begins before {} has ended", quote(order.first), quote(order.second));
            Breach { activity: Some(activity), message }
        })
    }

    fn unexpected(&self, state: &MonitorState, end: &Final<'_>) -> Option<Breach> {
        let mismatches = self.expect.as_ref()?.mismatches(state, end);
        (!mismatches.is_empty()).then(|| Breach { activity: None, message: mismatches.join("; ") })
    }
}

/// Whether a law applies to the service with this workflow.
pub(super) fn concerns(law: &Law, workflow: &Path) -> bool {
    law.services.as_ref().is_none_or(|patterns| {
        let patterns = patterns.iter().map(|pattern| (law.folder.as_path(), pattern.value.as_str(), ()));
        RootedPatterns::new(patterns).matching(workflow).next().is_some()
    })
}
