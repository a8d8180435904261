//! Repeats runs of the search.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::explorer::Explorer;
use super::found::{FoundRun, Step};
use super::jump::{next_deadline, skip};
use super::key::readable_cases;
use super::moves::{Move, Scope, moves};
use super::nodes::{Arrival, Jump};
use super::search_run::{Reached, SearchRun};

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
        FoundRun { path: self.path, round: Vec::new(), walk: self.walk, stop }
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
        let future = self.future_reads.of(&run.walk.run.frames);
        let cases = readable_cases(&run.walk.run, &future.live);
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
        walk.take_segment(&self.settings.watch, &mut self.segment);
        let future = self.future_reads.of(&walk.run.frames);
        let deadline = next_deadline(&walk.run, &readable_cases(&walk.run, &future.live));
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
