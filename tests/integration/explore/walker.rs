//! Plays the graph of a service by the rules of a reader who chooses: moves without a choice are followed, and an order
//! that comes back to a state of its path has ended if some cycle has all states since.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use wflint::explore::{GraphMove, StateGraph, without_ids};
use wflint::simulate::{RunEvent, RunEventKind};

/// The texts that events publish, one after the other; equal ones in a row count once, as rounds may be skipped.
pub fn published<'e>(events: impl IntoIterator<Item = &'e RunEvent>) -> Vec<String> {
    let texts = events.into_iter().filter(|event| event.kind == RunEventKind::Published);
    let mut all: Vec<String> = texts.map(|event| without_ids(event.value.as_deref().unwrap_or_default())).collect();
    all.dedup();
    all
}

/// A state, with how many of the wanted texts are published.
type At = (usize, usize);

pub struct Walker<'g> {
    graph: &'g StateGraph,
    /// The texts that the walk is to publish; without them, those of any walk will do.
    wanted: Option<&'g [String]>,
}

impl<'g> Walker<'g> {
    pub const fn new(graph: &'g StateGraph, wanted: Option<&'g [String]>) -> Self {
        Self { graph, wanted }
    }

    /// The ends that walks reach with the wanted texts.
    pub fn ends(&self) -> BTreeSet<usize> {
        let mut ends = BTreeSet::new();
        let Some(before) = self.publish(0, &self.graph.start) else { return ends };
        let is_done = |published: usize| self.wanted.is_none_or(|wanted| published == wanted.len());
        ends.extend(self.graph.start.end.filter(|_| is_done(before)));
        let Some(first) = self.graph.start.to else { return ends };
        let reached = self.reach((first, before), |_| true);
        for (state, published) in reached.keys().copied() {
            for next in &self.graph.states[state].moves {
                let after = self.publish(published, next);
                ends.extend(next.end.filter(|_| after.is_some_and(is_done)));
            }
            ends.extend(self.closed((state, published), &is_done));
        }
        ends
    }

    /// The ends of the cycles that are played from a state back to it.
    fn closed(&self, from: At, is_done: &impl Fn(usize) -> bool) -> Vec<usize> {
        let mut ends = Vec::new();
        for cycle in self.graph.cycles.iter().filter(|cycle| cycle.states.contains(&from.0)) {
            let inside: BTreeSet<usize> = cycle.states.iter().copied().collect();
            let reached = self.reach(from, |state| inside.contains(&state));
            for at in reached.keys() {
                for next in self.graph.states[at.0].moves.iter().filter(|next| next.to == Some(from.0)) {
                    if self.publish(at.1, next).is_some_and(is_done) {
                        let states = path(&reached, *at);
                        ends.extend(self.outcome(&states));
                    }
                }
            }
        }
        ends
    }

    /// The ends that an order may be in that comes back to one of these states: those of the smallest cycles that have
    /// them all.
    fn outcome(&self, states: &BTreeSet<usize>) -> Vec<usize> {
        let has_all = |cycle: &&wflint::explore::GraphCycle| states.iter().all(|state| cycle.states.contains(state));
        let fitting: Vec<_> = self.graph.cycles.iter().filter(has_all).collect();
        let Some(smallest) = fitting.iter().map(|cycle| cycle.states.len()).min() else { return Vec::new() };
        fitting.iter().filter(|cycle| cycle.states.len() == smallest).map(|cycle| cycle.end).collect()
    }

    /// What is reached from a state through such states, each with the one before.
    fn reach(&self, from: At, through: impl Fn(usize) -> bool) -> BTreeMap<At, Option<At>> {
        let mut reached = BTreeMap::from([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            for next in &self.graph.states[at.0].moves {
                let Some(to) = next.to.filter(|to| through(*to)) else { continue };
                let Some(published) = self.publish(at.1, next) else { continue };
                if let Entry::Vacant(new) = reached.entry((to, published)) {
                    new.insert(Some(at));
                    queue.push_back((to, published));
                }
            }
        }
        reached
    }

    /// The number of wanted texts that are published after a move; `None` if it publishes another.
    fn publish(&self, mut published: usize, made: &GraphMove) -> Option<usize> {
        let Some(wanted) = self.wanted else { return Some(0) };
        for (_, index) in &made.events {
            let event = &self.graph.events[*index];
            if event.kind != RunEventKind::Published {
                continue;
            }
            let text = without_ids(event.value.as_deref().unwrap_or_default());
            let is_last = published.checked_sub(1).and_then(|last| wanted.get(last)) == Some(&text);
            if wanted.get(published) == Some(&text) {
                published += 1;
            } else if !is_last {
                return None;
            }
        }
        Some(published)
    }
}

/// The states on the way to one.
fn path(reached: &BTreeMap<At, Option<At>>, to: At) -> BTreeSet<usize> {
    let way = std::iter::successors(Some(to), |at| reached.get(at).copied().flatten());
    way.map(|(state, _)| state).collect()
}
