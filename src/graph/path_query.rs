//! Queries about the feasible paths of a workflow.
//!
//! A search along the edges of the control-flow graph also takes paths on which two conditions exclude each other. A
//! query instead lets the abstract interpreter explore the workflow again, with facts of the query in each state: the
//! product of both domains, so that facts of paths with different outcomes of conditions stay apart. Where states are
//! merged, so are their facts. This is the only engine that follows values along paths: taint, dead stores and the
//! scripts of signing cases are queries.

use fixedbitset::FixedBitSet;
use petgraph::Direction;
use petgraph::graph::NodeIndex;

use super::control::ControlFlow;
use crate::common::collections::SharedList;
use crate::model::ActivityId;

/// What a query follows along each path.
pub trait PathQuery {
    /// Adds the facts that hold when the workflow starts.
    fn start(&mut self, _facts: &mut QueryFacts) {}

    /// An activity runs: it reads, then writes. `failed` is a provider activity that fails without ending the workflow.
    fn run(&mut self, activity: ActivityId, failed: bool, facts: &mut QueryFacts);

    /// The condition of a While or an If was true or false, after [`Self::run`].
    fn branch(&mut self, _activity: ActivityId, _holds: bool, _facts: &mut QueryFacts) {}

    /// The workflow ends, but not by a Terminate or a failure.
    fn exit(&mut self, _facts: &QueryFacts) {}

    /// Whether it looks at an activity when that runs; otherwise [`Self::run`] does nothing.
    fn concerns(&self, _activity: ActivityId) -> bool {
        true
    }

    /// Whether nothing more can be found out on a path that reaches a point.
    fn is_over(&self, _point: NodeIndex, _facts: &QueryFacts) -> bool {
        false
    }

    /// Whether nothing more can be found out.
    fn is_done(&self) -> bool;
}

/// A set of facts, which the query numbers. Each has an origin, which only explains it: sets with equal facts are equal.
#[derive(Debug, Clone, Default)]
pub struct QueryFacts(SharedList<Fact>);

#[derive(Debug, Clone, Copy)]
struct Fact {
    id: u32,
    origin: u32,
}

impl QueryFacts {
    /// The origin of a fact; `None` if it does not hold.
    pub fn get(&self, id: u32) -> Option<u32> {
        let index = self.search(id).ok()?;
        self.0.get(index).map(|fact| fact.origin)
    }

    /// Adds a fact, or replaces its origin.
    pub fn set(&mut self, id: u32, origin: u32) {
        match self.search(id) {
            Ok(index) => {
                if let Some(fact) = self.0.get_mut(index) {
                    fact.origin = origin;
                }
            }
            Err(index) => self.0.insert(index, Fact { id, origin }),
        }
    }

    /// Keeps the facts for which a condition is true.
    pub fn retain(&mut self, is_kept: impl Fn(u32) -> bool) {
        self.0.retain(|fact| is_kept(fact.id));
    }

    /// In ascending order.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|fact| fact.id)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the facts of another path.
    pub(super) fn join(&mut self, other: &Self) {
        for fact in other.0.iter() {
            if let Err(index) = self.search(fact.id) {
                self.0.insert(index, *fact);
            }
        }
    }

    fn search(&self, id: u32) -> Result<usize, usize> {
        self.0.binary_search_by_key(&id, |fact| fact.id)
    }
}

impl PartialEq for QueryFacts {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.ids().eq(other.ids())
    }
}

/// From where some activities can be reached: the points from which edges lead to one of them, and those of the activities.
#[derive(Debug)]
pub struct PointsBefore(FixedBitSet);

impl PointsBefore {
    pub fn new(control: &ControlFlow, activities: impl IntoIterator<Item = ActivityId>) -> Self {
        let mut before = FixedBitSet::with_capacity(control.graph.node_count());
        let mut worklist: Vec<NodeIndex> = activities.into_iter().filter_map(|id| control.point(id)).collect();
        while let Some(point) = worklist.pop() {
            if !before.put(point.index()) {
                worklist.extend(control.graph.neighbors_directed(point, Direction::Incoming));
            }
        }
        Self(before)
    }

    pub fn contains(&self, point: NodeIndex) -> bool {
        self.0.contains(point.index())
    }
}
