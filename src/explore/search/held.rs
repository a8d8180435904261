//! The bytes that a search holds, counted from the number and length of what it keeps. They are the same on every
//! machine, and more or less what it allocates.

use super::choice::Choice;
use super::nodes::{Clock, Edge, Node, Open};
use super::walk::Walk;
use crate::made_up::AskedDirectory;
use crate::model::ActivityId;
use crate::simulate::{ApprovalAnswer, ApprovalFrame, Due, Frame, Timer, Values};

/// Bytes that a search of one service may hold, however few states it may visit.
const MIN_HELD: usize = 64 << 20;
/// And more for each state that it may visit.
const HELD_BY_STATE: usize = 3072;

/// What a list may take beyond its length, and what a map takes, as a factor.
const SPARE: usize = 2;
/// A string or a box with its counts, without its content.
const ALLOCATION: usize = 32;
/// What analyses of the graph keep for a state and its edges.
const GRAPH: usize = 128;
/// An entry of a directory that is made up.
const ENTRY: usize = 256;
/// The end of a run in reports, without the choices that lead to it.
const END: usize = 4096;
/// A choice on the path to an end: in the path, and in the scenario.
const STEP: usize = 64;

/// The bytes that a search holds.
pub struct Held {
    bytes: usize,
    max: usize,
    /// Those of the values that all runs begin with, and share.
    shared: usize,
}

impl Held {
    /// Of a search that may visit so many states; its runs begin with `values`.
    pub fn new(max_states: usize, values: &Values) -> Self {
        let max = MIN_HELD.saturating_add(max_states.saturating_mul(HELD_BY_STATE));
        Self { bytes: 0, max, shared: values.bytes() }
    }

    pub const fn add(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
    }

    pub const fn remove(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    /// Whether the search may hold so many bytes more.
    pub const fn allows(&self, more: usize) -> bool {
        self.bytes.saturating_add(more) <= self.max
    }

    /// The bytes of a run that is to be continued.
    pub fn walk(&self, walk: &Walk<'_, '_>) -> usize {
        let run = &walk.run;
        let waiting =
            run.waiting.iter().map(|people| 2 * ALLOCATION + people.len() * (size_of::<usize>() * 4 + ALLOCATION));
        let directory = run.search.as_ref().and_then(|search| search.directory.as_ref());
        let directory = directory.and_then(|made_up| made_up.as_any().downcast_ref::<AskedDirectory>());
        let open_fields = run.search.as_ref().map_or(0, |search| size_of_val(search.open_fields.as_slice()));
        let visits = walk.visits.iter().count();
        size_of::<Walk<'_, '_>>()
            + run.frames.iter().map(of_frame).sum::<usize>()
            + size_of_val(run.calls.as_slice())
            + run.values.bytes().saturating_sub(self.shared)
            + run.values.slots() * size_of::<usize>() * 2
            + waiting.sum::<usize>()
            + run.cases.bytes()
            + run.clock.planned().count() * size_of::<(Due, Timer)>()
            + run.approval_runs.len() * size_of::<(ActivityId, usize)>() * SPARE
            + directory.map_or(0, |directory| directory.entries_len() * ENTRY)
            + open_fields
            + walk.ignored.len() * (size_of::<ActivityId>() + ALLOCATION)
            + size_of_val(walk.timed_out.as_slice())
            + visits * ALLOCATION
            + walk.monitors.bytes()
    }

    /// The bytes of a state that is to be expanded.
    pub fn open(&self, open: &Open<'_, '_>) -> usize {
        self.walk(&open.walk) + size_of_val(open.cases.as_slice())
    }

    /// The bytes of an end, so many decisions after the start.
    pub fn end(&self, walk: &Walk<'_, '_>, depth: usize) -> usize {
        // A run to it, and one that it shares with another end.
        END + 2 * self.walk(walk) + depth * STEP
    }
}

/// The bytes of an edge, and of its choice.
pub const fn of_edge() -> usize {
    SPARE * size_of::<Edge>() + size_of::<Choice>() + GRAPH
}

/// The bytes of a state or end, for as long as the search takes. `has_own_status`: the state before it has
/// another status.
pub fn of_node(node: &Node<'_, '_>, has_own_status: bool) -> usize {
    let status = node.place.status.as_deref().filter(|_| has_own_status).map_or(0, |status| ALLOCATION + status.len());
    let end = node.end.as_ref().and_then(|end| end.status.as_deref()).map_or(0, |status| 2 * status.len());
    let clock = node.clock.as_deref().map_or(0, |clock| {
        let approvals = clock.approvals.len() * size_of::<(ActivityId, usize)>() * SPARE;
        size_of::<Clock>() + size_of_val(clock.calls.as_slice()) + approvals
    });
    SPARE * (size_of::<Node<'_, '_>>() + ALLOCATION) + GRAPH + status + end + clock
}

fn of_frame(frame: &Frame<'_>) -> usize {
    let own = match frame {
        Frame::Approval(frame) => size_of::<ApprovalFrame<'_>>() + frame.answers.len() * size_of::<ApprovalAnswer>(),
        _ => 0,
    };
    size_of::<Frame<'_>>() + own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::VariableTable;

    #[test]
    fn search_may_hold_more_if_it_may_visit_more_states() {
        let values = Values::new(&VariableTable::default());
        for states in [0, 1, 2000] {
            let mut held = Held::new(states, &values);
            held.add(MIN_HELD);
            assert!(held.allows(states * HELD_BY_STATE) && !held.allows(states * HELD_BY_STATE + 1));
            held.add(states * HELD_BY_STATE + 10);
            assert!(!held.allows(0));
            held.remove(10);
            assert!(held.allows(0));
        }
        let held = Held::new(usize::MAX, &values);
        assert!(held.allows(usize::MAX));
    }
}
