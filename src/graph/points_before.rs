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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::program::tests::with_program;

    /// The activities from which one can be reached.
    fn before(activities: &str, activity: u32) -> Vec<u32> {
        with_program(activities, usize::MAX, |program, _| {
            let before = PointsBefore::new(program.control, [ActivityId(activity)]);
            let is_before =
                |id: &u32| program.control.point(ActivityId(*id)).is_some_and(|point| before.contains(point));
            (0..10).filter(is_before).collect()
        })
    }

    #[test]
    fn a_loop_leads_back_to_the_activities_before() {
        let status = r#"{ "name": "Say", "type": "Status" }"#;
        assert_eq!(before(&[status; 3].join(","), 1), [0, 1]);
        let body = [status; 3].join(",");
        let repeated = format!(r#"{status}, {{ "name": "Loop", "type": "While", "activities": [{body}] }}, {status}"#);
        assert_eq!(before(&repeated, 3), [0, 1, 2, 3, 4]);
    }
}
