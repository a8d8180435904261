//! The results of a search: ends, and the runs to them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::choice::{Choice, Round};
use super::cycles::cycles;
use super::explorer::Explorer;
use super::judged::Judged;
use super::nodes::{Cost, Jump};
use super::observed::Observation;
use super::walk::Walk;
use crate::explore::ends::End;
use crate::simulate::Stop;

/// Maximum number of decisions from an observation to the end of its run; a longer run counts as one that does not end.
const MAX_TO_END: usize = 200;

/// A decision on a path.
#[derive(Debug, Clone)]
pub enum Step {
    Choice(Rc<Choice>),
    /// Rounds that were skipped.
    Jump(Rc<Jump>),
}

/// An end, and the cheapest run to it.
pub struct FoundEnd<'p, 's> {
    pub end: End,
    pub judged: Judged,
    pub run: FoundRun<'p, 's>,
    pub is_assumed: bool,
    pub cost: Cost,
}

/// A run.
pub struct FoundRun<'p, 's> {
    pub path: Vec<Step>,
    /// The choices of one round of the cycle at its end.
    pub round: Round,
    /// The walk at its end, or at a state of the cycle.
    pub walk: Walk<'p, 's>,
    /// Why it has ended; `None` when it completed, or did not end.
    pub stop: Option<Stop>,
}

impl<'p, 's> Explorer<'_, 'p, 's> {
    /// The ends, the cheapest first. An end is listed once for each set of laws that it breaks.
    pub fn ends(&mut self) -> Vec<FoundEnd<'p, 's>> {
        let mut found: BTreeMap<(End, Judged), (bool, usize, Round)> = BTreeMap::new();
        for ((end, judged), node) in &self.ends {
            found.insert((end.clone(), judged.clone()), (false, *node, Vec::new()));
        }
        for cycle in cycles(&self.nodes, &self.edges, self.settings.assume.never_acts) {
            let judged = self.nodes.get(cycle.node).map(|node| node.judged.clone()).unwrap_or_default();
            found.insert((cycle.end, judged), (cycle.is_assumed, cycle.node, cycle.round));
        }
        let nodes: Vec<usize> = found.values().map(|(_, node, _)| *node).collect();
        let runs = self.runs_to(&nodes);
        let mut ends: Vec<FoundEnd<'p, 's>> = found
            .into_iter()
            .zip(runs)
            .map(|(((end, judged), (is_assumed, node, round)), run)| {
                let cost = self.nodes.get(node).map_or((0, 0), |node| node.cost);
                FoundEnd { end, judged, is_assumed, cost, run: FoundRun { round, ..run } }
            })
            .collect();
        ends.sort_by(|one, other| {
            (one.is_assumed, one.cost, &one.end).cmp(&(other.is_assumed, other.cost, &other.end))
        });
        ends
    }

    /// The cheapest run with an observation, continued with the usual choices to an end if possible.
    pub fn run_with(&mut self, observation: &Observation) -> Option<FoundRun<'p, 's>> {
        let (_, from) = self.observed.all.get(observation)?.clone();
        let mut run = self.follow(from);
        for _ in 0..MAX_TO_END {
            let Some(next) = self.next_moves(&run).into_iter().next() else { break };
            self.take(&mut run, next, None);
        }
        Some(run.into_found())
    }
}
