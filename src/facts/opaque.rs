//! Opaque activities: something in them cannot be read, so they may read any variable, or read and write any.

use crate::common::collections::HashMap;
use crate::document::{Document, NodeId, NodeKind};
use crate::graph::{Hidden, OpaqueActivities};
use crate::model::{ADDITIONAL_PARAMETERS, ALL_PARAMETERS, DECLARED_PARAMETERS};
use crate::project::{File, ServiceModel};
use crate::schema::Violation;
use crate::text::diagnostic::FileId;

/// Keys whose value neither reads nor writes a variable, so that an invalid value hides nothing.
const KEYS_WITHOUT_EFFECT: [&str; 32] = [
    ALL_PARAMETERS,
    "approvalType",
    "boundToId",
    "boundValues",
    "connectedFormName",
    "description",
    "displayWarning",
    "event",
    "hasNewerVersion",
    "hasValue",
    "hasWarning",
    "id",
    "inputDisabled",
    "isAdditional",
    "isBoundToSystemVariable",
    "isDuplicate",
    "isValid",
    "methodId",
    "module",
    "needsValue",
    "onTimeout",
    "operand",
    "ownBoundVariables",
    "package",
    "properties",
    "providerParameterType",
    "remindTemplate",
    "required",
    "statusTranslations",
    "stopOnError",
    "templateName",
    "warningText",
];

/// Keys of an activity by which it writes variables, or whose value decides which.
const KEYS_THAT_WRITE: [&str; 8] = [
    "activities", ADDITIONAL_PARAMETERS, "approvalResult", "method", DECLARED_PARAMETERS, "providerResult", "result",
    "type",
];

/// The objects of the activities with something that cannot be read.
pub fn opaque_activities(files: &[&File], model: &ServiceModel<'_>) -> OpaqueActivities {
    let mut opaque = OpaqueActivities::default();
    add_with_violations(files, model, &mut opaque);
    add_with_mistyped_keys(model, &mut opaque);
    opaque
}

/// Adds those with a schema violation that may hide a read or a write.
fn add_with_violations(files: &[&File], model: &ServiceModel<'_>, opaque: &mut OpaqueActivities) {
    let documents: HashMap<FileId, &Document> =
        files.iter().filter_map(|file| Some((file.id, file.document()?.1))).collect();
    for (file, violation) in model.listed_violations() {
        let Some(document) = documents.get(&file) else { continue };
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(violation.node), |&node| document.parent(node)).collect();
        let Some(position) = path.iter().position(|&node| is_activity(document, node)) else { continue };
        let Some(&activity) = path.get(position) else { continue };
        path.truncate(position);
        path.reverse();
        if let Some(hidden) = hidden(document, violation, &path) {
            add(opaque, (file, activity), hidden);
        }
    }
}

/// What a violation hides in an activity; `path` leads from below the activity to the value.
fn hidden(document: &Document, violation: &Violation, path: &[NodeId]) -> Option<Hidden> {
    let keys: Vec<&str> = path.iter().filter_map(|&node| document.key(node)).collect();
    let (first, last) = (keys.first().copied(), keys.last().copied());
    let names_activity = if path.is_empty() { violation.missing == ["name"] } else { keys == ["name"] };
    if names_activity || keys.iter().any(|key| KEYS_WITHOUT_EFFECT.contains(key)) {
        return None;
    }
    let hidden = hidden_by(first);
    // A binding of which only the state is unclear has the name of the variable.
    let is_state = matches!(last, Some("isBound" | "state")) || violation.missing == ["state", "isBound"];
    let binding = if violation.missing.is_empty() { document.parent(violation.node) } else { Some(violation.node) };
    let name = binding.filter(|_| is_state).and_then(|binding| document.member(binding, "boundTo"));
    if hidden == Hidden::Reads && name.and_then(|name| document.string(name)).is_some_and(|name| !name.is_empty()) {
        return None;
    }
    Some(hidden)
}

/// What the value of a key of an activity can hide; everything if the key is not known.
fn hidden_by(key: Option<&str>) -> Hidden {
    if key.is_none_or(|key| KEYS_THAT_WRITE.contains(&key)) { Hidden::ReadsAndWrites } else { Hidden::Reads }
}

fn add(activities: &mut OpaqueActivities, activity: (FileId, NodeId), hidden: Hidden) {
    activities.entry(activity).and_modify(|known| *known = hidden.max(*known)).or_insert(hidden);
}

/// Keys of an activity, and of objects in it, whose value reads or writes variables.
const KEYS_WITH_EFFECT: [&str; 19] = [
    "activities", ADDITIONAL_PARAMETERS, "approvalResult", "assignees", "body", "boundTo", "expression", "isBound",
    "left", "parameter", "parameters", DECLARED_PARAMETERS, "providerResult", "result", "right", "script", "state",
    "status", "value",
];

/// Adds the activities with a mistyped variant of such a key. WF007 reports the key; what the activity reads, or reads and
/// writes, by the key is unknown until it is corrected.
fn add_with_mistyped_keys(model: &ServiceModel<'_>, opaque: &mut OpaqueActivities) {
    for workflow in &model.workflows {
        let document = workflow.document;
        let mistyped = workflow.workflow.unknown_members.iter().filter(|unknown| unknown.near_is_absent);
        for unknown in mistyped {
            let Some(near) = unknown.near.filter(|near| KEYS_WITH_EFFECT.contains(near)) else { continue };
            let mut path = std::iter::successors(Some(unknown.object), |&node| document.parent(node));
            let mut first = Some(near);
            let activity = path.find(|&node| {
                let is_activity = is_activity(document, node);
                if !is_activity {
                    first = document.key(node).or(first);
                }
                is_activity
            });
            let Some(activity) = activity else { continue };
            add(opaque, (workflow.file, activity), hidden_by(first));
        }
    }
}

fn is_activity(document: &Document, node: NodeId) -> bool {
    let list = document.parent(node).filter(|&parent| document.kind(parent) == NodeKind::Array);
    list.is_some_and(|list| document.key(list) == Some("activities"))
}
