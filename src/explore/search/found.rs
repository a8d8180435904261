//! The results of a search: ends, and the runs to them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::choice::{Choice, Round};
use super::cycles::cycles;
use super::explorer::Explorer;
use super::nodes::{Jump, Node};
use super::observed::Observation;
use super::search_run::SearchRun;
use super::verdicts::Verdicts;
use crate::explore::ends::End;
use crate::explore::explored::Cut;
use crate::simulate::Stop;

/// Ends that are shown, the cheapest. Each has a run of its own.
const MAX_ENDS: usize = 1000;

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
    pub judged: Verdicts,
    pub run: FoundRun<'p, 's>,
    pub is_assumed: bool,
}

/// A run.
pub struct FoundRun<'p, 's> {
    pub path: Vec<Step>,
    /// The choices of one round of the cycle at its end.
    pub round: Round,
    /// The walk at its end, or at a state of the cycle.
    pub walk: SearchRun<'p, 's>,
    /// Why it has ended; `None` when it completed, or did not end.
    pub stop: Option<Stop>,
}

impl<'p, 's> Explorer<'_, 'p, 's> {
    /// The ends, the cheapest first. An end is listed once for each set of laws that it breaks.
    pub fn ends(&mut self) -> Vec<FoundEnd<'p, 's>> {
        let mut found: BTreeMap<(End, Verdicts), (bool, usize, Round)> = BTreeMap::new();
        for ((end, judged), node) in &self.ends {
            found.insert((end.clone(), judged.clone()), (false, *node, Vec::new()));
        }
        for cycle in cycles(&self.nodes, &self.edges, self.settings.assume.never_acts) {
            let judged = self.nodes.get(cycle.node).map(|node| node.judged.clone()).unwrap_or_default();
            found.insert((cycle.end, judged), (cycle.is_assumed, cycle.node, cycle.round));
        }
        let mut found: Vec<_> = found.into_iter().collect();
        let cost = |nodes: &[Node<'_, '_>], node: usize| nodes.get(node).map_or((0, 0), |node| node.cost);
        found.sort_by_cached_key(|((end, _), (is_assumed, node, _))| {
            (*is_assumed, cost(&self.nodes, *node), end.clone())
        });
        if found.len() > MAX_ENDS {
            self.cut = Some(Cut::Ends);
            found.truncate(MAX_ENDS);
        }
        let nodes: Vec<usize> = found.iter().map(|(_, (_, node, _))| *node).collect();
        let runs = self.runs_to(&nodes);
        let ends = found.into_iter().zip(runs).map(|(((end, judged), (is_assumed, _, round)), run)| FoundEnd {
            end,
            judged,
            is_assumed,
            run: FoundRun { round, ..run },
        });
        ends.collect()
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
