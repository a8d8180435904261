//! Finds the activity of `--activity`, which is drawn with everything inside it.

use crate::document::Document;
use crate::model::{Activity, ActivityId, Workflow};

/// Why a part cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartError {
    Unknown,
    /// The pointers of all activities with this name.
    Several(Vec<String>),
}

/// Finds an activity by its exact name, or by its JSON Pointer.
///
/// # Errors
/// None has this name or pointer, or several have the name.
pub fn find_part(workflow: &Workflow<'_>, document: &Document, wanted: &str) -> Result<ActivityId, PartError> {
    let is_named = |activity: &&Activity<'_>| activity.name.value() == Some(wanted);
    let named: Vec<&Activity<'_>> = workflow.activities.iter().filter(is_named).collect();
    match named.as_slice() {
        [] => {
            let node = document.resolve(wanted).ok_or(PartError::Unknown)?;
            let activity = workflow.activities.iter().find(|activity| activity.node == node);
            activity.map(|activity| activity.id).ok_or(PartError::Unknown)
        }
        [activity] => Ok(activity.id),
        several => Err(PartError::Several(several.iter().map(|activity| document.pointer(activity.node)).collect())),
    }
}
