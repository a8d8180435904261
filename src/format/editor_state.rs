//! The keys that only the editor of the platform reads.

use super::schema_keys::SchemaKeys;
use crate::document::{Document, NodeId};

const KEYS: [&str; 11] = [
    "boundValues",
    "displayWarning",
    "hasNewerVersion",
    "hasValue",
    "hasWarning",
    "isDuplicate",
    "isValid",
    "needsValue",
    "ownBoundVariables",
    "variableUsageList",
    "warningText",
];

/// Whether a member is editor state: one of the keys, in an object that the schema gives this key. Elsewhere, such as in
/// a building block that is not documented, the key may mean something else. A value of another type is kept, and reported
/// by the linter as before.
pub(super) fn is_editor_state(keys: &SchemaKeys, schemas: &[NodeId], document: &Document, member: NodeId) -> bool {
    document.key(member).is_some_and(|key| KEYS.contains(&key) && keys.position(schemas, key).is_some())
        && keys.has_type(&keys.of_member(schemas, document, member), document, member)
}
