//! What the abstract interpreter has to know of activities besides their effects.

use smallvec::SmallVec;

use super::decisions::{ApprovalEvent, Decisions, may_reject_undecided};
use crate::model::{Activity, ActivityId, ActivityKind, Workflow};

/// The activities of a workflow, without what no path depends on.
#[derive(Debug, Default, Hash)]
pub struct Structure(Vec<Shape>);

#[derive(Debug, Hash)]
pub struct Shape {
    pub id: ActivityId,
    pub kind: ShapeKind,
    children: SmallVec<[ActivityId; 4]>,
    pub has_unread_children: bool,
    /// The first activity after it that is not inside it.
    end: ActivityId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShapeKind {
    While,
    If,
    Provider {
        stops_on_error: bool,
    },
    Approval {
        decisions: Option<Decisions>,
        /// Whether a rejection may run its event before it is decided.
        may_reject_undecided: bool,
    },
    Terminate,
    /// Of a type that the configuration declares.
    Declared,
    /// Of any other type; when it runs, inside an Approval.
    Other(ApprovalEvent),
}

impl Structure {
    pub fn new(workflow: &Workflow<'_>) -> Self {
        Self(workflow.activities.iter().map(|activity| Shape::new(workflow, activity)).collect())
    }

    pub fn get(&self, id: ActivityId) -> Option<&Shape> {
        self.0.get(id.0 as usize)
    }

    pub fn is_loop(&self, id: ActivityId) -> bool {
        self.get(id).is_some_and(|shape| shape.kind == ShapeKind::While)
    }

    pub fn children(&self, shape: &Shape) -> impl Iterator<Item = &Shape> {
        shape.children.iter().filter_map(|&child| self.get(child))
    }

    /// The descendants of an activity in the order of the text.
    pub fn inside(&self, shape: &Shape) -> impl Iterator<Item = &Shape> {
        (shape.id.0 + 1..shape.end.0).filter_map(|index| self.get(ActivityId(index)))
    }
}

impl Shape {
    fn new(workflow: &Workflow<'_>, activity: &Activity<'_>) -> Self {
        let kind = match &activity.kind {
            ActivityKind::While { .. } => ShapeKind::While,
            ActivityKind::If { .. } => ShapeKind::If,
            ActivityKind::Provider(provider) => ShapeKind::Provider { stops_on_error: provider.stops_on_error() },
            ActivityKind::Approval(_) => ShapeKind::Approval {
                decisions: Decisions::of(workflow, activity),
                may_reject_undecided: may_reject_undecided(workflow, activity),
            },
            ActivityKind::Terminate => ShapeKind::Terminate,
            ActivityKind::Declared { .. } => ShapeKind::Declared,
            _ => ShapeKind::Other(ApprovalEvent::of(activity)),
        };
        Self {
            id: activity.id,
            kind,
            children: activity.children().into(),
            has_unread_children: activity.children.is_unknown(),
            end: activity.end,
        }
    }

    /// When it runs, inside an Approval.
    pub const fn event(&self) -> ApprovalEvent {
        match self.kind {
            ShapeKind::Other(event) => event,
            _ => ApprovalEvent::Unknown,
        }
    }

    pub const fn contains(&self, id: ActivityId) -> bool {
        self.id.0 < id.0 && id.0 < self.end.0
    }
}
