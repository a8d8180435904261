//! The path of a tainted value from its source to a sink.

use std::cell::Cell;
use std::collections::VecDeque;

use petgraph::graph::NodeIndex;

use super::analysis::{TaintAnalysis, may_fail};
use super::policy::Transfer;
use crate::collections::HashMap;
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

impl TaintAnalysis<'_, '_> {
    /// The shortest path by which taint gets into a variable that an activity reads: a breadth-first search
    /// backward from the read, through tainted variables only. Each visit takes one from `budget`; `None`
    /// when it is used up.
    pub fn path(&self, activity: ActivityId, variable: VarId, budget: &Cell<usize>) -> Option<TaintPath> {
        if !self.written.contains(&variable) {
            return Some(TaintPath { source: TaintSource::Start(variable), steps: Vec::new() });
        }
        let sink = (self.analysis.control.point(activity)?, variable);
        // Of each visit: the one nearer to the sink, and the step between them.
        let mut next_to: HashMap<Visit, (Visit, Option<TaintStep>)> = HashMap::default();
        let mut queue = VecDeque::from([sink]);
        let mut found = None;
        while let Some(visit) = queue.pop_front().filter(|_| found.is_none()) {
            budget.set(budget.get().checked_sub(1)?);
            for (point, cleared) in self.predecessors(visit.0) {
                if cleared == Some(visit.1) {
                    continue;
                }
                let mut enqueue = |before: Visit, step: Option<TaintStep>| {
                    let is_new = before != sink && !next_to.contains_key(&before);
                    if is_new && self.is_tainted_before(before.0, before.1) {
                        next_to.insert(before, (visit, step));
                        queue.push_back(before);
                    }
                };
                let source = self.step_back(point, visit.1, &mut enqueue);
                found = found.or(source.map(|source| (source, visit)));
            }
        }
        let (source, mut visit) = found?;
        let mut steps = Vec::new();
        while let Some(&(next, step)) = next_to.get(&visit) {
            steps.extend(step);
            visit = next;
        }
        Some(TaintPath { source, steps })
    }

    /// Passes what can taint a variable after a point to `enqueue`: the variables before it. Returns the source when
    /// the taint starts at this point.
    fn step_back(
        &self,
        point: NodeIndex,
        variable: VarId,
        enqueue: &mut impl FnMut(Visit, Option<TaintStep>),
    ) -> Option<TaintSource> {
        let id = match self.analysis.control.graph.node_weight(point) {
            Some(Step::Entry) => {
                let is_source = self.is_tainted_at_start(variable);
                return is_source.then_some(TaintSource::Start(variable));
            }
            Some(&Step::Run(id)) => id,
            _ => {
                enqueue((point, variable), None);
                return None;
            }
        };
        let (activity, effects) = self.activity(id)?;
        // The last of several writes of one variable counts.
        let Some((index, write)) = effects.writes.last_to(variable) else {
            enqueue((point, variable), None);
            return None;
        };
        match self.transfer(activity, write) {
            Transfer::Taint => return Some(TaintSource::Write(id, index)),
            Transfer::Propagate => {
                for &read in self.propagation.inputs(id) {
                    let Some(input) = effects.reads.get(read) else { continue };
                    enqueue((point, input.variable), Some(TaintStep { activity: id, read, into: variable }));
                }
            }
            Transfer::Clear if may_fail(activity) => enqueue((point, variable), None),
            Transfer::Clear => {}
            Transfer::Keep => enqueue((point, variable), None),
        }
        None
    }
}
