//! `before` of a law: whether one activity has ended whenever another one begins.

use crate::collections::HashSet;
use crate::model::{ActivityId, Workflow};

/// A pair of names, with the activities that have them.
#[derive(Debug)]
pub struct Order<'l> {
    pub first: &'l str,
    /// The activity that must have ended when `first` begins.
    pub second: &'l str,
    of_first: HashSet<ActivityId>,
    of_second: HashSet<ActivityId>,
}

/// The state of an order in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderState {
    /// The second has not begun.
    Waiting,
    /// The second, this activity, has begun; it ends when an activity outside of it begins.
    Running(ActivityId),
    /// The second has ended, so the first may begin.
    Kept,
    /// The first has begun too early: this activity.
    Broken(ActivityId),
}

impl<'l> Order<'l> {
    pub fn new(first: &'l str, second: &'l str, workflow: &Workflow<'_>) -> Self {
        let named = |name: &str| {
            let named = workflow.activities.iter().filter(|activity| activity.name.value() == Some(name));
            named.map(|activity| activity.id).collect()
        };
        Self { first, second, of_first: named(first), of_second: named(second) }
    }

    /// The state after an activity has begun.
    pub fn advance(&self, state: OrderState, begun: ActivityId, workflow: &Workflow<'_>) -> OrderState {
        let has_ended = match state {
            OrderState::Kept | OrderState::Broken(_) => return state,
            OrderState::Waiting => false,
            OrderState::Running(second) => {
                // Activities run one after the other: only those inside of one begin before it has ended.
                workflow.activity(second).is_none_or(|second| begun <= second.id || begun >= second.end)
            }
        };
        if has_ended {
            OrderState::Kept
        } else if self.of_first.contains(&begun) {
            OrderState::Broken(begun)
        } else if self.of_second.contains(&begun) {
            OrderState::Running(begun)
        } else {
            state
        }
    }
}

impl OrderState {
    pub fn write(self, key: &mut Vec<u8>) {
        let (kind, id) = match self {
            Self::Waiting => (0, 0),
            Self::Running(id) => (1, id.0),
            Self::Kept => (2, 0),
            Self::Broken(id) => (3, id.0),
        };
        key.push(kind);
        key.extend(id.to_le_bytes());
    }
}
