//! Opaque activities: something in them cannot be read, so they may read and write any variable.

use crate::collections::{HashMap, HashSet};
use crate::diagnostic::FileId;
use crate::document::{Document, NodeId, NodeKind};
use crate::model::{ADDITIONAL_PARAMETERS, ALL_PARAMETERS, DECLARED_PARAMETERS};
use crate::project::{File, ServiceModel};

/// Keys whose value neither reads nor writes a variable, so that an invalid value hides nothing.
const KEYS_WITHOUT_EFFECT: [&str; 29] = [
    ALL_PARAMETERS,
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
    "ownBoundVariables",
    "package",
    "properties",
    "providerParameterType",
    "remindTemplate",
    "required",
    "statusTranslations",
    "templateName",
    "warningText",
];

/// The objects of the activities with a schema violation that may hide a read or a write.
pub fn opaque_activities(files: &[&File], model: &ServiceModel<'_>) -> HashSet<(FileId, NodeId)> {
    let documents: HashMap<FileId, &Document> =
        files.iter().filter_map(|file| Some((file.id, file.document()?.1))).collect();
    let mut opaque = HashSet::default();
    for (file, violation) in model.listed_violations() {
        let Some(document) = documents.get(&file) else { continue };
        let path: Vec<NodeId> = std::iter::successors(Some(violation.node), |&node| document.parent(node)).collect();
        let activity = path.iter().position(|&node| is_activity(document, node));
        let Some((position, &activity)) = activity.and_then(|at| Some((at, path.get(at)?))) else { continue };
        let inside = path.get(..position).unwrap_or_default();
        let has_effect =
            !inside.iter().any(|&node| document.key(node).is_some_and(|key| KEYS_WITHOUT_EFFECT.contains(&key)));
        if has_effect {
            opaque.insert((file, activity));
        }
    }
    opaque
}

/// Keys of an activity, and of objects in it, whose value reads or writes variables.
const KEYS_WITH_EFFECT: [&str; 20] = [
    "activities",
    ADDITIONAL_PARAMETERS,
    "approvalResult",
    "assignedVariables",
    "assignees",
    "body",
    "boundTo",
    "expression",
    "isBound",
    "left",
    "parameter",
    "parameters",
    DECLARED_PARAMETERS,
    "providerResult",
    "result",
    "right",
    "script",
    "state",
    "status",
    "value",
];

/// The activities with a mistyped variant of such a key. WF007 reports the key; what the activity reads and writes is
/// unknown until it is corrected.
pub fn activities_with_mistyped_keys(model: &ServiceModel<'_>) -> Vec<(FileId, NodeId)> {
    let mut activities = Vec::new();
    for workflow in &model.workflows {
        let document = workflow.document;
        let mistyped = workflow.workflow.unknown_members.iter().filter(|unknown| unknown.near_is_absent);
        for unknown in mistyped.filter(|unknown| unknown.near().is_some_and(|near| KEYS_WITH_EFFECT.contains(&near))) {
            let mut path = std::iter::successors(Some(unknown.object), |&node| document.parent(node));
            activities.extend(path.find(|&node| is_activity(document, node)).map(|activity| (workflow.file, activity)));
        }
    }
    activities
}

fn is_activity(document: &Document, node: NodeId) -> bool {
    let list = document.parent(node).filter(|&parent| document.kind(parent) == NodeKind::Array);
    list.is_some_and(|list| document.key(list) == Some("activities"))
}
