//! Workflow documents.

use super::activity::{self, Activity, ActivityId, ActivityKind};
use super::binding::Expression;
use super::reader::{Lowering, Member, Reader, UnknownMember};
use super::variable::Variable;
use crate::document::{Document, NodeId, NodeKind};

#[derive(Debug)]
pub struct Workflow<'d> {
    /// All activities in the order of the text, a parent before its children.
    pub activities: Vec<Activity<'d>>,
    /// `activities` of the document, in order.
    pub roots: Member<Vec<ActivityId>>,
    pub variables: Member<Vec<Variable<'d>>>,
    /// Keys that the schema does not describe.
    pub unknown_members: Vec<UnknownMember>,
}

impl<'d> Workflow<'d> {
    /// Recurses with the nesting of activities, which the depth limit of the document bounds.
    pub fn lower(lowering: Lowering<'d, '_>) -> Self {
        let mut reader = Reader::new(lowering);
        let mut activities = Vec::new();
        let root = lowering.document.root();
        let roots = read_children(&mut reader, &mut activities, root, None);
        let variables = Variable::list(&mut reader, root);
        // A service may have very many small documents.
        activities.shrink_to_fit();
        Self { activities, roots, variables, unknown_members: reader.unknown }
    }

    pub fn activity(&self, id: ActivityId) -> Option<&Activity<'d>> {
        self.activities.get(id.0 as usize)
    }

    /// The parents of an activity, from the innermost outwards.
    pub fn ancestors(&self, activity: &Activity<'d>) -> impl Iterator<Item = &Activity<'d>> {
        let mut next = activity.parent;
        std::iter::from_fn(move || {
            let activity = self.activity(next?)?;
            next = activity.parent;
            Some(activity)
        })
    }

    /// The descendants of an activity in the order of the text.
    pub fn inside(&self, activity: &Activity<'d>) -> impl Iterator<Item = &Activity<'d>> {
        // Preorder: the descendants directly follow the activity.
        (activity.id.0 + 1..activity.end.0).filter_map(|index| self.activity(ActivityId(index)))
    }

    /// By activity, whether runs leave it out: it is inside one of an unknown type, or inside an Event of a declared type.
    pub fn left_out(&self) -> Vec<bool> {
        let mut left_out: Vec<bool> = Vec::with_capacity(self.activities.len());
        for activity in &self.activities {
            // A parent comes before its children.
            let parent = activity.parent.and_then(|id| self.activity(id));
            let is_left_out = parent.is_some_and(|parent| {
                let is_event = matches!(activity.kind, ActivityKind::Event { .. });
                left_out.get(parent.id.0 as usize) == Some(&true)
                    || matches!(parent.kind, ActivityKind::Unknown { .. })
                    || is_event && matches!(parent.kind, ActivityKind::Declared { .. })
            });
            left_out.push(is_left_out);
        }
        left_out
    }

    /// Every While and If with its condition.
    pub fn conditions(&self) -> impl Iterator<Item = (&Activity<'d>, &Expression<'d>)> {
        self.activities.iter().filter_map(|activity| Some((activity, activity.expression()?)))
    }

    /// Every While.
    pub fn loops(&self) -> impl Iterator<Item = &Activity<'d>> {
        self.activities.iter().filter(|activity| matches!(activity.kind, ActivityKind::While { .. }))
    }
}

fn read_children<'d>(
    reader: &mut Reader<'d, '_>,
    activities: &mut Vec<Activity<'d>>,
    object: NodeId,
    parent: Option<ActivityId>,
) -> Member<Vec<ActivityId>> {
    reader.list(object, "activities", |reader, node| {
        let id = ActivityId(u32::try_from(activities.len()).unwrap_or(u32::MAX));
        let activity = activity::read(reader, node, id, parent);
        activities.push(activity);
        let children = read_children(reader, activities, node, Some(id));
        let end = ActivityId(u32::try_from(activities.len()).unwrap_or(u32::MAX));
        if let Some(activity) = activities.get_mut(id.0 as usize) {
            activity.children = children.map(|_, children| children.into_boxed_slice());
            activity.end = end;
        }
        id
    })
}

/// The nearest activity or form field around a node, itself included.
pub fn enclosing_element(document: &Document, node: NodeId) -> Option<NodeId> {
    std::iter::successors(Some(node), |&node| document.parent(node)).find(|&node| {
        let list = document.parent(node).filter(|&parent| document.kind(parent) == NodeKind::Array);
        list.and_then(|list| document.key(list)).is_some_and(|key| matches!(key, "activities" | "fields"))
    })
}
