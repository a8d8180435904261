//! Activities in which something cannot be read, so that they may read and write anything.

use crate::collections::HashSet;
use crate::diagnostic::FileId;
use crate::document::{Document, NodeId, NodeKind};
use crate::model::{ADDITIONAL_PARAMETERS, ALL_PARAMETERS, DECLARED_PARAMETERS};
use crate::project::{File, ServiceModel};
use crate::schema::Violation;

/// Members whose value hides neither a read nor a write when it cannot be read.
const HARMLESS: [&str; 29] = [
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

/// The objects of the activities in which something cannot be read that may hide a read or write.
pub fn opaque_activities(files: &[&File], violations: &[(FileId, Violation)]) -> HashSet<(FileId, NodeId)> {
    let mut opaque = HashSet::default();
    for (file, violation) in violations {
        let Some((_, document)) = files.iter().find(|known| known.id == *file).and_then(|file| file.document()) else {
            continue;
        };
        let path: Vec<NodeId> = std::iter::successors(Some(violation.node), |&node| document.parent(node)).collect();
        let activity = path.iter().position(|&node| is_activity(document, node));
        let Some((position, &activity)) = activity.and_then(|at| Some((at, path.get(at)?))) else { continue };
        let inside = path.get(..position).unwrap_or_default();
        let is_harmless = inside.iter().any(|&node| document.key(node).is_some_and(|key| HARMLESS.contains(&key)));
        if !is_harmless {
            opaque.insert((*file, activity));
        }
    }
    opaque
}

/// Members of an activity, and of what is in it, by which it reads and writes.
const FLOW: [&str; 20] = [
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

/// The activities in which the name of such a member is mistyped, so that their reads and writes are unknown: the key
/// is reported once (WF007).
pub fn mistyped_activities(model: &ServiceModel<'_>) -> Vec<(FileId, NodeId)> {
    let mut mistyped = Vec::new();
    for workflow in &model.workflows {
        let document = workflow.document;
        let unknown = workflow.workflow.unknown_members.iter().filter(|unknown| unknown.near_is_absent);
        for member in unknown.filter(|member| member.near.is_some_and(|near| FLOW.contains(&near))) {
            let mut path = std::iter::successors(Some(member.object), |&node| document.parent(node));
            mistyped.extend(path.find(|&node| is_activity(document, node)).map(|activity| (workflow.file, activity)));
        }
    }
    mistyped
}

fn is_activity(document: &Document, node: NodeId) -> bool {
    let list = document.parent(node).filter(|&parent| document.kind(parent) == NodeKind::Array);
    list.is_some_and(|list| document.key(list) == Some("activities"))
}
