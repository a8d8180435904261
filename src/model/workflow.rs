//! Workflow documents.

use super::activity::{self, Activity, ActivityId, ActivityKind};
use super::expression::Expression;
use super::lowering::Lowering;
use super::members::key;
use super::reader::{Member, Reader, UnknownMember};
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

    /// As [`Self::lower`], of a document that differs from another version in these scalars alone, none of which is a type.
    pub fn lower_again(lowering: Lowering<'d, '_>, before: &Self, changed: &[NodeId]) -> Self {
        let mut reader = Reader::new(lowering);
        let (mut activities, mut variables) = (before.activities.clone(), before.variables.clone());
        for &value in changed {
            let around = before.innermost_around(lowering.document, value);
            match around.and_then(|id| activities.get_mut(id.0 as usize)) {
                Some(activity) => {
                    let (children, end) = (std::mem::take(&mut activity.children), activity.end);
                    let read = activity::read(&mut reader, activity.node, activity.id, activity.parent);
                    *activity = Activity { children, end, ..read };
                }
                None => variables = Variable::list(&mut reader, lowering.document.root()),
            }
        }
        // Keys are as before, so the unknown ones are, too.
        Self { activities, roots: before.roots.clone(), variables, unknown_members: before.unknown_members.clone() }
    }

    /// The innermost activity around a value of the document, which has the nodes of the workflow.
    fn innermost_around(&self, document: &Document, value: NodeId) -> Option<ActivityId> {
        let value = document.span(value);
        let start = |activity: &Activity<'d>| document.span(activity.node).start;
        let before = self.activities.partition_point(|activity| start(activity) <= value.start);
        let last = self.activities.get(before.checked_sub(1)?)?;
        let contains = |activity: &&Activity<'d>| value.end <= document.span(activity.node).end;
        std::iter::once(last).chain(self.ancestors(last)).find(contains).map(|activity| activity.id)
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

    /// Every While and If with its condition.
    pub fn conditions(&self) -> impl Iterator<Item = (&Activity<'d>, &Expression<'d>)> {
        self.activities.iter().filter_map(|activity| Some((activity, activity.expression()?)))
    }

    /// Every While.
    pub fn loops(&self) -> impl Iterator<Item = &Activity<'d>> {
        self.activities.iter().filter(|activity| matches!(activity.kind, ActivityKind::While { .. }))
    }
}

/// From this number of activities in a list, memory for all of them is reserved at once.
const MANY: usize = 1 << 10;

fn read_children<'d>(
    reader: &mut Reader<'d, '_>,
    activities: &mut Vec<Activity<'d>>,
    object: NodeId,
    parent: Option<ActivityId>,
) -> Member<Vec<ActivityId>> {
    // Avoids growing a long list by copying it.
    let document = reader.lowering.document;
    let list = document.member(object, "activities").filter(|&list| document.kind(list) == NodeKind::Array);
    let siblings = list.map_or(0, |list| document.children(list).len());
    if siblings >= MANY.max(activities.len()) {
        activities.reserve_exact(siblings);
    }
    reader.list(object, key!("activities"), |reader, node| {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Types;
    use crate::document::Limits;
    use crate::suggest::Suggester;

    const WORKFLOW: &str = r#"{
        "activities": [
            { "name": "Wait", "type": "While", "expression": {
                "left": { "state": "bound", "boundTo": "Status" }, "operand": "notEqual",
                "right": { "state": "static", "value": "done" }
            }, "activities": [
                { "name": "Look", "type": "Provider", "method": "Get", "stopoOnError": false, "providerParameters": [
                    { "name": "Id", "value": { "isBound": false, "value": "5", "valu": "6" } }
                ], "allProviderParameters": [
                    { "name": "Id", "value": { "isBound": false, "value": "5", "valu": "6" } }
                ] },
                { "name": "Ask", "name": "Approve", "type": "Approval", "approvalType": "all", "activities": "none" },
                "not an activity"
            ], "hasNewerVersion": true },
            { "name": "Other", "type": "Own", "target": { "isBound": true, "boundTo": "Status" }, "text": "{Status}" }
        ],
        "variables": [{ "name": "Status", "id": 1, "value": "", "variableTyp": "String" }],
        "displayName": "Order"
    }"#;

    #[test]
    fn only_the_activity_around_a_changed_value_is_lowered_again() {
        let (types, suggester) = (&Types::default(), &Suggester::default());
        let before = Document::parse(WORKFLOW, Limits::default()).unwrap();
        let scalars = (0..before.len()).filter_map(|index| before.id_at(index));
        let scalars = scalars.filter(|&value| !before.kind(value).is_container() && before.key(value) != Some("type"));
        let mut changed = 0;
        for value in scalars {
            for new in [r#""id""#, r#""""#, "true", "7", "null"] {
                let mut text = WORKFLOW.to_owned();
                text.replace_range(before.span(value).range(), new);
                let document = Document::parse(text.as_str(), Limits::default()).unwrap();
                let lowering = Lowering { document: &document, types, suggester };
                let before = Workflow::lower(Lowering { document: &before, ..lowering });
                let again = Workflow::lower_again(lowering, &before, &[value]);
                let whole = Workflow::lower(lowering);
                let place = format!("{} {new}", document.pointer(value));
                assert_eq!(again.activities, whole.activities, "{place}");
                assert_eq!((again.roots, again.variables), (whole.roots, whole.variables), "{place}");
                assert_eq!(again.unknown_members, whole.unknown_members, "{place}");
                changed += 1;
            }
        }
        assert!(changed > 150, "{changed}");
    }
}
