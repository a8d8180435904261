//! The steps by which a value gets from where it comes from to where it is used.

use std::cell::Cell;
use std::collections::VecDeque;

use petgraph::graph::NodeIndex;

use super::{Given, Spread, may_fail};
use crate::collections::HashMap;
use crate::graph::control::Step;
use crate::graph::effects::VarId;
use crate::model::ActivityId;

/// A way of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// Where it comes from.
    pub start: Source,
    /// What it goes through, in the order of the run.
    pub steps: Vec<Carry>,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The variable has it when the workflow begins.
    Beginning(VarId),
    /// An activity writes it, by the index of its write.
    Written(ActivityId, usize),
}

/// An activity that makes a variable's value of another's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Carry {
    /// The activity.
    pub activity: ActivityId,
    /// Which of its reads.
    pub read: usize,
    /// The variable that it writes.
    pub into: VarId,
}

/// A variable before a point.
type Stop = (NodeIndex, VarId);

impl Spread<'_, '_> {
    /// The shortest way by which such a value gets into a variable that an activity reads. Each step
    /// of the search is taken from `budget`; past it there is no answer.
    pub fn way(&self, activity: ActivityId, variable: VarId, budget: &Cell<usize>) -> Option<Way> {
        if !self.written.contains(&variable) {
            return Some(Way { start: Source::Beginning(variable), steps: Vec::new() });
        }
        let first = (self.analysis.control.point(activity)?, variable);
        let mut came_from: HashMap<Stop, (Stop, Option<Carry>)> = HashMap::default();
        let mut open = VecDeque::from([first]);
        let mut found = None;
        while let Some(stop) = open.pop_front().filter(|_| found.is_none()) {
            budget.set(budget.get().checked_sub(1)?);
            for (point, known) in self.points_before(stop.0) {
                if known == Some(stop.1) {
                    continue;
                }
                let mut go = |to: Stop, carry: Option<Carry>| {
                    if to != first && self.holds(to.0, to.1) && !came_from.contains_key(&to) {
                        came_from.insert(to, (stop, carry));
                        open.push_back(to);
                    }
                };
                let start = self.step_back(point, stop.1, &mut go);
                found = found.or(start.map(|start| (start, stop)));
            }
        }
        let (start, mut stop) = found?;
        let mut steps = Vec::new();
        while let Some(&(next, carry)) = came_from.get(&stop) {
            steps.extend(carry);
            stop = next;
        }
        Some(Way { start, steps })
    }

    /// Goes on from what a variable holds after a point to what it comes from; returns a start when
    /// it comes from nothing before.
    fn step_back(&self, point: NodeIndex, variable: VarId, go: &mut impl FnMut(Stop, Option<Carry>)) -> Option<Source> {
        match self.analysis.control.graph.node_weight(point) {
            Some(Step::Entry) => {
                let is_start = self.followed.at_start(self.analysis.names.name(variable));
                return is_start.then_some(Source::Beginning(variable));
            }
            Some(&Step::Run(id)) => {
                let (activity, effects) = self.activity(id)?;
                // Of several writes of one variable the last one counts.
                let mut writes = effects.writes.iter().enumerate().rev();
                if let Some((index, write)) = writes.find(|(_, write)| write.variable == variable) {
                    match self.given(activity, write) {
                        Given::Source => return Some(Source::Written(id, index)),
                        Given::Inputs => {
                            for &read in self.carriers.inputs(id) {
                                let Some(input) = effects.reads.get(read) else { continue };
                                go((point, input.variable), Some(Carry { activity: id, read, into: variable }));
                            }
                        }
                        Given::Harmless if may_fail(activity) => go((point, variable), None),
                        Given::Harmless => {}
                        Given::Kept => go((point, variable), None),
                    }
                    return None;
                }
                go((point, variable), None);
            }
            _ => go((point, variable), None),
        }
        None
    }
}
