//! One change of a workflow.

use super::edit::Edit;
use crate::config::Mutation;
use crate::document::{Document, NodeId};
use crate::model::{Activity, ActivityId, Workflow};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub mutation: Mutation,
    /// The activity that is changed.
    pub activity: ActivityId,
    /// The neighbor with which it is swapped.
    pub other: Option<ActivityId>,
    /// What is changed.
    pub node: NodeId,
    /// The change as a clause, such as "`Publish` is dropped".
    pub clause: String,
    pub edits: Vec<Edit>,
}

impl Change {
    pub fn new(mutation: Mutation, activity: &Activity<'_>, node: NodeId, clause: String, edits: Vec<Edit>) -> Self {
        Self { mutation, activity: activity.id, other: None, node, clause, edits }
    }
}

/// A workflow whose changes are listed.
#[derive(Debug, Clone, Copy)]
pub struct Site<'d> {
    pub document: &'d Document,
    pub workflow: &'d Workflow<'d>,
}
