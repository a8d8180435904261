//! From where some activities can be reached.

use fixedbitset::FixedBitSet;
use petgraph::Direction;
use petgraph::graph::NodeIndex;

use super::control::ControlFlow;
use crate::model::ActivityId;

/// The points from which edges lead to one of some activities, and those of the activities.
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
