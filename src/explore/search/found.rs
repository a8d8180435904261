//! What a search has found: ends, and runs.

use std::collections::BTreeMap;

use super::choice::Choice;
use super::cycles::cycles;
use super::explorer::Explorer;
use super::judged::Judged;
use super::jump::{next_deadline, skip};
use super::key::readable_cases;
use super::moves::{Scope, moves};
use super::nodes::{Arrival, Cost, Jump};
use super::observed::Observation;
use super::segment::Segment;
use super::walk::{Reached, Walk};
use crate::explore::ends::End;
use crate::simulate::Stop;

/// Decisions that a run takes at most from a place of interest to its end, before it counts as one that does not end.
const MAX_TO_END: usize = 200;

/// A decision on a path.
#[derive(Debug, Clone)]
pub enum Step {
    Choice(Choice),
    /// Rounds that were skipped.
    Jump(Jump),
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
    pub round: Vec<Choice>,
    /// At its end, or at a state of the cycle.
    pub walk: Walk<'p, 's>,
    /// Why it has ended; `None` when it completed, or did not end.
    pub stop: Option<Stop>,
}

impl<'p, 's> Explorer<'_, 'p, 's> {
    /// The ends, the cheapest first: each once for each set of laws that it breaks.
    pub fn ends(&mut self) -> Vec<FoundEnd<'p, 's>> {
        let mut found: BTreeMap<(End, Judged), (bool, usize, Vec<Choice>)> = BTreeMap::new();
        for ((end, judged), node) in &self.ends {
            found.insert((end.clone(), judged.clone()), (false, *node, Vec::new()));
        }
        for cycle in cycles(&self.nodes, &self.edges, self.settings.assume.never_acts) {
            let judged = self.nodes.get(cycle.node).map(|node| node.judged.clone()).unwrap_or_default();
            found.insert((cycle.end, judged), (cycle.is_assumed, cycle.node, cycle.round));
        }
        let mut ends: Vec<FoundEnd<'p, 's>> = found
            .into_iter()
            .map(|((end, judged), (is_assumed, node, round))| {
                let cost = self.nodes.get(node).map_or((0, 0), |node| node.cost);
                FoundEnd { end, judged, is_assumed, cost, run: FoundRun { round, ..self.run_to(node) } }
            })
            .collect();
        ends.sort_by(|one, other| {
            (one.is_assumed, one.cost, &one.end).cmp(&(other.is_assumed, other.cost, &other.end))
        });
        ends
    }

    /// The cheapest run to a node, made again.
    fn run_to(&mut self, node: usize) -> FoundRun<'p, 's> {
        let from = self.nodes.get(node).and_then(|node| node.from.clone());
        let (path, walk, reached) = self.follow(from.as_ref());
        let stop = match reached {
            Reached::End(stop) => stop,
            Reached::Point(_) => None,
        };
        FoundRun { path, round: Vec::new(), walk, stop }
    }

    /// The cheapest run that does something, continued by the usual choices to an end, as far as it comes.
    pub fn run_with(&mut self, observation: &Observation) -> Option<FoundRun<'p, 's>> {
        let (_, from) = self.observed.all.get(observation)?.clone();
        let (mut path, mut walk, mut reached) = self.follow(from.as_ref());
        for _ in 0..MAX_TO_END {
            let Reached::Point(point) = &reached else { break };
            let live = self.liveness.live(&walk.run.frames);
            let cases = readable_cases(&walk.run, &live);
            let scope = Scope { fields: self.settings.fields, assume: self.settings.assume, cases: &cases };
            let Some(next) = moves(&walk, point, &scope).into_iter().next() else { break };
            path.extend(next.choice.map(Step::Choice));
            walk = next.walk;
            reached = self.continue_to(&mut walk, next.is_decided, None).0;
        }
        let stop = match reached {
            Reached::End(stop) => stop,
            Reached::Point(_) => None,
        };
        Some(FoundRun { path, round: Vec::new(), walk, stop })
    }

    /// Makes the run again that arrives so.
    fn follow(&mut self, last: Option<&Arrival>) -> (Vec<Step>, Walk<'p, 's>, Reached) {
        let mut arrivals = Vec::new();
        let mut from = last.cloned();
        while let Some(arrival) = from {
            from = self.nodes.get(arrival.parent).and_then(|node| node.from.clone());
            arrivals.push(arrival);
        }
        let mut path = Vec::new();
        let mut walk = self.start.clone();
        let (mut reached, _) = self.continue_to(&mut walk, false, None);
        for arrival in arrivals.into_iter().rev() {
            let Reached::Point(point) = &reached else { break };
            let live = self.liveness.live(&walk.run.frames);
            let cases = readable_cases(&walk.run, &live);
            let scope = Scope { fields: self.settings.fields, assume: self.settings.assume, cases: &cases };
            let Some(next) = moves(&walk, point, &scope).into_iter().nth(arrival.number) else { break };
            walk = next.walk;
            path.extend(next.choice.map(Step::Choice));
            reached = self.continue_to(&mut walk, next.is_decided, arrival.jump.as_ref()).0;
            path.extend(arrival.jump.map(Step::Jump));
        }
        (path, walk, reached)
    }

    /// Lets a walk continue to its next point or end, and skips rounds there.
    fn continue_to(&mut self, walk: &mut Walk<'p, 's>, is_decided: bool, jump: Option<&Jump>) -> (Reached, Segment) {
        let mut reached = walk.advance(is_decided, self.settings.fields);
        let segment = walk.take_segment(&self.settings.watch);
        let live = self.liveness.live(&walk.run.frames);
        let deadline = next_deadline(&walk.run, &readable_cases(&walk.run, &live));
        walk.jumped = walk.jumped.filter(|jumped| deadline == Some(*jumped));
        if let (Some(jump), Reached::Point(point)) = (jump, &mut reached) {
            skip(walk, point, jump);
        }
        (reached, segment)
    }
}
