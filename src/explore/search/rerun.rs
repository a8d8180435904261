//! The results of a search: ends, and the runs to them, which are played again.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::choice::{Choice, Round};
use super::cycles::{CycleMove, cycles};
use super::explorer::Explorer;
use super::jump::{next_deadline, skip};
use super::key::readable_cases;
use super::moves::{Move, Scope, moves};
use super::nodes::{Arrival, Jump, Node};
use super::observed::Observation;
use super::search_run::Verdicts;
use super::search_run::{Reached, SearchRun};
use crate::explore::ends::{End, MAX_ENDS};
use crate::explore::explored::Cut;
use crate::model::Assumption;
use crate::simulate::{Instant, Stop};

/// A run, and the decisions that led there.
#[derive(Clone)]
pub struct Rerun<'p, 's> {
    path: Vec<Step>,
    walk: SearchRun<'p, 's>,
    reached: Reached,
}

impl<'p, 's> Rerun<'p, 's> {
    pub fn into_found(self) -> FoundRun<'p, 's> {
        let stop = match self.reached {
            Reached::End(stop) => stop,
            Reached::Point(_) => None,
        };
        FoundRun { path: self.path, round: Vec::new(), walk: self.walk, stop, closes: None }
    }
}

/// The arrivals from the start to a node.
type Route = Vec<Arrival>;

impl<'p, 's> Explorer<'_, 'p, 's> {
    /// The cheapest runs to nodes. What several have in common is made once.
    pub(super) fn runs_to(&mut self, nodes: &[usize]) -> Vec<FoundRun<'p, 's>> {
        let arrival = |node: &usize| self.nodes.get(*node).and_then(|node| node.from.clone());
        let mut routes: Vec<(usize, Route)> = nodes.iter().map(|node| self.route(arrival(node))).enumerate().collect();
        routes.sort_by(|(_, one), (_, other)| keys(one).cmp(keys(other)));
        let shared: Vec<usize> =
            routes.iter().zip(routes.iter().skip(1)).map(|((_, one), (_, next))| in_common(one, next)).collect();
        let forks: BTreeSet<usize> = shared.iter().copied().collect();
        let mut kept: Vec<(usize, Rerun<'p, 's>)> = Vec::new();
        let mut runs = Vec::with_capacity(routes.len());
        for ((index, route), shared) in routes.iter().zip(std::iter::once(0).chain(shared)) {
            kept.retain(|(length, _)| *length <= shared);
            let (length, mut run) = kept.last().cloned().unwrap_or_else(|| (0, self.begin()));
            for (length, arrival) in route.iter().enumerate().skip(length) {
                if forks.contains(&length) && kept.last().is_none_or(|(known, _)| *known < length) {
                    kept.push((length, run.clone()));
                }
                self.arrive_again(&mut run, arrival);
            }
            runs.push((*index, run.into_found()));
        }
        runs.sort_by_key(|(index, _)| *index);
        runs.into_iter().map(|(_, run)| run).collect()
    }

    /// The run with this arrival.
    pub(super) fn follow(&mut self, last: Option<Arrival>) -> Rerun<'p, 's> {
        let mut run = self.begin();
        for arrival in self.route(last) {
            self.arrive_again(&mut run, &arrival);
        }
        run
    }

    fn route(&self, last: Option<Arrival>) -> Route {
        let from = |arrival: &Arrival| self.nodes.get(arrival.parent).and_then(|node| node.from.clone());
        let mut route: Route = std::iter::successors(last, from).collect();
        route.reverse();
        route
    }

    fn begin(&mut self) -> Rerun<'p, 's> {
        let mut walk = self.start.clone();
        let reached = self.continue_to(&mut walk, false, None);
        Rerun { path: Vec::new(), walk, reached }
    }

    fn arrive_again(&mut self, run: &mut Rerun<'p, 's>, arrival: &Arrival) {
        if let Some(next) = self.next_moves(run).into_iter().nth(arrival.number) {
            self.take(run, next, arrival.jump.as_ref());
        }
    }

    /// The next moves; empty at an end.
    pub(super) fn next_moves(&mut self, run: &Rerun<'p, 's>) -> Vec<Move<'p, 's>> {
        let Reached::Point(point) = &run.reached else { return Vec::new() };
        let live = self.future_reads.of(&run.walk.run.frames);
        let cases = readable_cases(&run.walk.run, &live);
        let scope = Scope { fields: self.settings.fields, assume: self.settings.assume, cases: &cases };
        moves(Box::new(run.walk.clone()), point, &scope)
    }

    pub(super) fn take(&mut self, run: &mut Rerun<'p, 's>, next: Move<'p, 's>, jump: Option<&Rc<Jump>>) {
        run.walk = *next.walk;
        run.path.extend(next.choice.map(Step::Choice));
        run.reached = self.continue_to(&mut run.walk, next.is_decided, jump);
        run.path.extend(jump.cloned().map(Step::Jump));
    }

    /// Lets a walk continue to its next point or end, and skips rounds there.
    fn continue_to(&mut self, walk: &mut SearchRun<'p, 's>, is_decided: bool, jump: Option<&Rc<Jump>>) -> Reached {
        let mut reached = walk.advance(is_decided, self.settings.fields);
        walk.take_segment(&self.settings.observers, &mut self.segment);
        let live = self.future_reads.of(&walk.run.frames);
        let deadline = next_deadline(&walk.run, &readable_cases(&walk.run, &live));
        walk.jumped = walk.jumped.filter(|jumped| deadline == Some(*jumped));
        if let (Some(jump), Reached::Point(point)) = (jump, &mut reached) {
            skip(walk, point, jump);
        }
        reached
    }
}

fn keys(route: &[Arrival]) -> impl Iterator<Item = (usize, usize, bool)> {
    route.iter().map(|arrival| (arrival.parent, arrival.number, arrival.jump.is_some()))
}

/// The length of the common beginning of two routes.
fn in_common(one: &[Arrival], other: &[Arrival]) -> usize {
    keys(one).zip(keys(other)).take_while(|(one, other)| one == other).count()
}

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
    /// The assumption of the simulator without which it may end, if it is `Endless`.
    pub assumed: Option<Assumption>,
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
    /// When the cycle at its end closes. `None` without a cycle, and when events are not wanted.
    pub closes: Option<Instant>,
}

impl<'p, 's> Explorer<'_, 'p, 's> {
    /// The ends, the cheapest first. An end is listed once for each set of laws that it breaks.
    pub fn ends(&mut self) -> Vec<FoundEnd<'p, 's>> {
        let ends = self.ends.iter().map(|(end, node)| (end.clone(), (None, *node, Vec::new(), Vec::new())));
        let mut found: BTreeMap<_, _> = ends.collect();
        let (never_acts, ended) = (self.settings.assume.never_acts, &self.settings.left_out.ended_loops);
        let (cycles, sets) = cycles(&self.nodes, &self.edges, never_acts, ended, self.recorder.is_some());
        if let Some(recorder) = &mut self.recorder {
            recorder.sets = sets;
        }
        for cycle in cycles {
            let judged = self.nodes.get(cycle.node).map(|node| node.judged.clone()).unwrap_or_default();
            found.insert((cycle.end, judged), (cycle.assumed, cycle.node, cycle.round, cycle.moves));
        }
        let mut found: Vec<_> = found.into_iter().collect();
        let cost = |nodes: &[Node<'_, '_>], node: usize| nodes.get(node).map_or((0, 0), |node| node.cost);
        found.sort_by_cached_key(|((end, _), (assumed, node, ..))| {
            (assumed.is_some(), cost(&self.nodes, *node), end.clone())
        });
        if found.len() > MAX_ENDS {
            self.cut = Some(Cut::Ends);
            found.truncate(MAX_ENDS);
        }
        let nodes: Vec<usize> = found.iter().map(|(_, (_, node, ..))| *node).collect();
        let runs = self.runs_to(&nodes);
        let ends = found.into_iter().zip(runs).map(|(((end, judged), (assumed, node, round, moves)), run)| {
            let closes = (self.recorder.is_some() && !moves.is_empty()).then(|| self.closing(node, &moves));
            FoundEnd { end, judged, assumed, run: FoundRun { round, closes, ..run } }
        });
        ends.collect()
    }

    /// When a round from a node ends.
    fn closing(&mut self, node: usize, round: &[CycleMove]) -> Instant {
        let mut run = self.follow(self.nodes.get(node).and_then(|node| node.from.clone()));
        for CycleMove { number, jump_to } in round {
            let Some(next) = self.next_moves(&run).into_iter().nth(*number) else { break };
            let jump_to = jump_to.and_then(|to| self.nodes.get(to));
            let jump = jump_to.and_then(|node| node.from.as_ref()?.jump.clone());
            self.take(&mut run, next, jump.as_ref());
        }
        run.walk.run.clock.now()
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
