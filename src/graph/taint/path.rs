//! The path of a tainted value from its source to a sink.

use std::cell::Cell;

use petgraph::graph::NodeIndex;

use super::analysis::{TaintAnalysis, may_fail};
use super::policy::Transfer;
use crate::graph::control::Step;
use crate::graph::effects::VarId;
use crate::model::ActivityId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaintPath {
    pub source: TaintSource,
    /// In the order of the run.
    pub steps: Vec<TaintStep>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaintSource {
    /// The variable is tainted when the workflow starts.
    Start(VarId),
    /// A write of an activity, by its index.
    Write(ActivityId, usize),
}

/// An activity that propagates the taint from a read to a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaintStep {
    pub activity: ActivityId,
    /// The index of the read.
    pub read: usize,
    /// The variable that it writes.
    pub into: VarId,
}

/// A node of the search: a variable before a point.
type Visit = (NodeIndex, VarId);

/// A visit that the search has found, in few bytes: there may be one for each variable at each point.
struct Found {
    visit: Visit,
    /// The index of the one nearer to the sink from which it was found.
    next: u32,
    /// The read of the step between them, whose activity is at the point; none if the variable stays the same.
    read: Option<u32>,
}

/// The visits of one search in the order of their distance from the sink, which is the first.
struct Search {
    found: Vec<Found>,
    /// A bit for each, as in the table of facts.
    seen: Vec<u64>,
}

impl TaintAnalysis<'_, '_> {
    /// The shortest path by which taint gets into a variable that an activity reads: a breadth-first search
    /// backward from the read, through tainted variables only. Each visit takes one from `budget`; `None`
    /// when it is used up.
    pub fn path(&self, activity: ActivityId, variable: VarId, budget: &Cell<usize>) -> Option<TaintPath> {
        if !self.written.contains(&variable) {
            return Some(TaintPath { source: TaintSource::Start(variable), steps: Vec::new() });
        }
        let sink = (self.analysis.control.point(activity)?, variable);
        let mut search = Search { found: Vec::new(), seen: self.seen.take() };
        search.seen.resize(self.table_size(), 0);
        let path = self.search(sink, &mut search, budget);
        for found in &search.found {
            self.mark(found.visit, &mut search.seen, false);
        }
        self.seen.set(search.seen);
        path
    }

    fn search(&self, sink: Visit, search: &mut Search, budget: &Cell<usize>) -> Option<TaintPath> {
        self.mark(sink, &mut search.seen, true);
        search.found.push(Found { visit: sink, next: 0, read: None });
        for next in 0_u32.. {
            let &Found { visit, .. } = search.found.get(next as usize)?;
            budget.set(budget.get().checked_sub(1)?);
            let mut source = None;
            for (point, cleared) in self.predecessors(visit.0) {
                if cleared == Some(visit.1) {
                    continue;
                }
                let mut enqueue = |variable: VarId, read: Option<usize>| {
                    let visit = (point, variable);
                    if self.is_tainted_before(point, variable) && self.mark(visit, &mut search.seen, true) {
                        let read = read.and_then(|read| u32::try_from(read).ok());
                        search.found.push(Found { visit, next, read });
                    }
                };
                source = source.or(self.step_back(point, visit.1, &mut enqueue));
            }
            if let Some(source) = source {
                return Some(TaintPath { source, steps: self.steps(&search.found, next) });
            }
        }
        None
    }

    /// The steps from a visit to the sink.
    fn steps(&self, found: &[Found], from: u32) -> Vec<TaintStep> {
        let mut steps = Vec::new();
        let mut at = from;
        while at != 0
            && let Some(&Found { visit, next, read }) = found.get(at as usize)
        {
            if let Some(read) = read
                && let Some(&Step::Run(activity)) = self.analysis.control.graph.node_weight(visit.0)
                && let Some(next) = found.get(next as usize)
            {
                steps.push(TaintStep { activity, read: read as usize, into: next.visit.1 });
            }
            at = next;
        }
        steps
    }

    /// Passes what can taint a variable after a point to `enqueue`: the variables before it, with the read that passes
    /// one on. Returns the source when
    /// the taint starts at this point.
    fn step_back(
        &self,
        point: NodeIndex,
        variable: VarId,
        enqueue: &mut impl FnMut(VarId, Option<usize>),
    ) -> Option<TaintSource> {
        let id = match self.analysis.control.graph.node_weight(point) {
            Some(Step::Entry) => {
                let is_source = self.is_tainted_at_start(variable);
                return is_source.then_some(TaintSource::Start(variable));
            }
            Some(&Step::Run(id)) => id,
            _ => {
                enqueue(variable, None);
                return None;
            }
        };
        let (activity, effects) = self.activity(id)?;
        // The last of several writes of one variable counts.
        let Some((index, write)) = effects.writes.last_to(variable) else {
            enqueue(variable, None);
            return None;
        };
        match self.transfer(activity, write) {
            Transfer::Taint => return Some(TaintSource::Write(id, index)),
            Transfer::Propagate => {
                for &read in self.propagation.inputs(id) {
                    let Some(input) = effects.reads.get(read) else { continue };
                    enqueue(input.variable, Some(read));
                }
            }
            Transfer::Clear if may_fail(activity) => enqueue(variable, None),
            Transfer::Clear => {}
            Transfer::Keep => enqueue(variable, None),
        }
        None
    }
}
