//! Workflow documents.

use std::collections::BTreeSet;

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

    /// As [`Self::lower`], of a document that differs from that of another version in these scalars alone, none of which is
    /// a type. Each activity around one of them is read again, and so are the variables if they contain one.
    pub fn lower_again(lowering: Lowering<'d, '_>, base: &Self, changed: &[NodeId]) -> Self {
        let document = lowering.document;
        let mut reader = Reader::new(lowering);
        let mut activities = base.activities.clone();
        let around: BTreeSet<ActivityId> =
            changed.iter().filter_map(|&value| Some(base.innermost_around(document, value)?.id)).collect();
        for id in around {
            let Some(activity) = activities.get_mut(id.0 as usize) else { continue };
            let (children, end) = (std::mem::take(&mut activity.children), activity.end);
            let read = activity::read(&mut reader, activity.node, id, activity.parent);
            *activity = Activity { children, end, ..read };
        }
        let is_around = |list: NodeId| changed.iter().any(|&value| document.contains(list, value));
        let variables = match base.variables.node() {
            Some(list) if is_around(list) => Variable::list(&mut reader, document.root()),
            _ => base.variables.clone(),
        };
        // Keys are as before, so the unknown ones are, too.
        Self { activities, roots: base.roots.clone(), variables, unknown_members: base.unknown_members.clone() }
    }

    /// The innermost activity around a value of a document that has the same nodes as that of the workflow.
    pub fn innermost_around(&self, document: &Document, value: NodeId) -> Option<&Activity<'d>> {
        let start = document.span(value).start;
        let before = self.activities.partition_point(|activity| document.span(activity.node).start <= start);
        let last = self.activities.get(before.checked_sub(1)?)?;
        std::iter::once(last).chain(self.ancestors(last)).find(|activity| document.contains(activity.node, value))
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
                ], "ownBoundVariables": ["Status", 1] },
                { "name": "Ask", "name": "Approve", "type": "Approval", "approvalType": "all", "activities": "none" },
                "not an activity"
            ], "hasNewerVersion": true },
            { "name": "Other", "type": "Own", "target": { "isBound": true, "boundTo": "Status" }, "text": "{Status}" }
        ],
        "variables": [{ "name": "Status", "id": 1, "value": "", "variableTyp": "String" }],
        "displayName": "Order"
    }"#;

    /// Changes values of a document. Its model is the same whether it borrows from that of the base version or not. Returns
    /// whether any of the models lacks suggestions.
    fn compare(base: &Document, changes: &[(NodeId, &str)]) -> bool {
        let mut text = base.slice(base.span(base.root())).to_owned();
        for &(value, new) in changes.iter().rev() {
            text.replace_range(base.span(value).range(), new);
        }
        let document = Document::parse(text.as_str(), Limits::default()).unwrap();
        let (types, suggesters) = (&Types::default(), [(); 3].map(|()| Suggester::default()));
        let [of_base, of_again, of_whole] = &suggesters;
        let base = Workflow::lower(Lowering { document: base, types, suggester: of_base });
        let changed: Vec<NodeId> = changes.iter().map(|&(value, _)| value).collect();
        let again =
            Workflow::lower_again(Lowering { document: &document, types, suggester: of_again }, &base, &changed);
        let whole = Workflow::lower(Lowering { document: &document, types, suggester: of_whole });
        assert_eq!(again.activities, whole.activities, "{text}");
        assert_eq!((again.roots, again.variables), (whole.roots, whole.variables), "{text}");
        assert_eq!(again.unknown_members, whole.unknown_members, "{text}");
        suggesters.iter().any(Suggester::is_exhausted)
    }

    /// The scalars of a document whose key is not that of a type, in the order of the text.
    fn scalars(document: &Document) -> Vec<NodeId> {
        let all = (0..document.len()).filter_map(|index| document.id_at(index));
        let is_wanted = |&value: &NodeId| !document.kind(value).is_container() && document.key(value) != Some("type");
        let mut scalars: Vec<NodeId> = all.filter(is_wanted).collect();
        scalars.sort_by_key(|&value| document.span(value).start);
        scalars
    }

    #[test]
    fn activities_without_a_change_are_those_of_the_base_version() {
        let base = Document::parse(WORKFLOW, Limits::default()).unwrap();
        let scalars = scalars(&base);
        assert!(scalars.len() > 30);
        for new in [r#""id""#, r#""""#, "true", "7", "null"] {
            for (index, &value) in scalars.iter().enumerate() {
                compare(&base, &[(value, new)]);
                let further = scalars.iter().skip(index + 1).step_by(3).map(|&other| (other, r#""Other""#));
                compare(&base, &std::iter::once((value, new)).chain(further).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn mistyped_keys_are_compared_once_however_many_values_have_changed() {
        let variable = |id: usize| format!(r#"{{ "name": "V{id}", "value": "", "isInputParametr": true }}"#);
        let variables: Vec<String> = (0..1_000).map(variable).collect();
        let text = format!(r#"{{ "activities": [], "variables": [{}] }}"#, variables.join(", "));
        let base = Document::parse(text, Limits::default()).unwrap();
        let values = scalars(&base).into_iter().filter(|&value| base.key(value) == Some("value"));
        let changes: Vec<(NodeId, &str)> = values.map(|value| (value, r#""new""#)).take(30).collect();
        assert!(!compare(&base, &changes));
    }
}
