//! Paths of a scenario that moves to another folder.

use std::path::Path;

use serde_json::Value;

use crate::paths::{clean, relative_name};

/// The keys with paths. A file that is submitted need not exist.
const PATHS: [&str; 3] = ["workflow", "form", "directory"];

/// A scenario whose paths are relative to one folder, with paths relative to another. Both are absolute.
pub(super) fn rebased(scenario: &Value, from: &Path, to: &Path) -> Value {
    let mut scenario = scenario.clone();
    for key in PATHS {
        // A directory may also be an array of entries.
        if let Some(Value::String(path)) = scenario.get_mut(key) {
            *path = relative_name(&clean(&from.join(path.as_str())), to);
        }
    }
    scenario
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_are_relative_to_the_new_folder() {
        let scenario = json!({
            "workflow": "order.workflow.json", "form": "../forms/order.form.json", "directory": "people.ldif",
            "submit": { "form": "a.json", "Document": { "file": "contract.pdf" } },
        });
        let moved = rebased(&scenario, Path::new("/home/me/sign"), Path::new("/home/me/tests/explored"));
        assert_eq!(
            moved,
            json!({
                "workflow": "../../sign/order.workflow.json", "form": "../../forms/order.form.json",
                "directory": "../../sign/people.ldif",
                "submit": { "form": "a.json", "Document": { "file": "contract.pdf" } },
            })
        );
        let inline = json!({ "workflow": "a.json", "directory": [{ "dn": "CN=A" }] });
        assert_eq!(rebased(&inline, Path::new("/a"), Path::new("/a")), inline);
    }
}
