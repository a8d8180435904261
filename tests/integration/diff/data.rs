//! Documents that are compared.

use std::path::Path;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

use crate::support::folder::Folder;
use crate::support::run::Output;

/// The schema of JSON reports.
static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema = serde_json::from_str(include_str!("../../../schemas/diff.schema.json")).unwrap();
    jsonschema::options().build(&schema).unwrap()
});

/// The documents of the examples and of the corpus of fine services.
pub static DOCUMENTS: LazyLock<Vec<(String, Value)>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["examples", "tests/corpus/ok"] {
        for entry in ignore::WalkBuilder::new(root.join(folder)).sort_by_file_name(Ord::cmp).build() {
            let path = entry.unwrap().into_path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let Ok(value) = serde_json::from_slice::<Value>(&std::fs::read(&path).unwrap()) else { continue };
                if ["activities", "fields", "Parties"].iter().any(|key| value.get(key).is_some()) {
                    found.push((path.strip_prefix(root).unwrap().to_string_lossy().into_owned(), value));
                }
            }
        }
    }
    assert!(found.len() > 30, "{}", found.len());
    found
});

pub fn report(output: &Output) -> Value {
    let report = output.json();
    if let Some(error) = SCHEMA.iter_errors(&report).next() {
        panic!("{error} at {}: {report}", error.instance_path());
    }
    report
}

/// The changes between two texts of a document.
pub fn changes_of_texts(old: &str, new: &str) -> Vec<Value> {
    let folder = Folder::with(&[("old.json", old), ("new.json", new)]);
    let output = folder.run(&["diff", "old.json", "new.json", "--format", "json"]);
    let report = report(&output);
    let changes =
        report["services"].as_array().unwrap().iter().flat_map(|service| service["changes"].as_array().unwrap());
    let changes: Vec<Value> = changes.cloned().collect();
    output.expect_code(u8::from(!changes.is_empty()));
    changes
}

pub fn changes(old: &Value, new: &Value) -> Vec<Value> {
    changes_of_texts(&old.to_string(), &new.to_string())
}

/// Each as `change what name member: before → after`.
pub fn lines(changes: &[Value]) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let line = |change: &Value| {
        let [change, what, name, member, before, after] =
            ["change", "what", "name", "member", "before", "after"].map(|key| text(&change[key]));
        format!("{change} {what} {name} {member}: {before} → {after}")
    };
    changes.iter().map(line).collect()
}

/// A workflow of these activities and variables.
pub fn workflow(activities: &Value, variables: &Value) -> Value {
    serde_json::json!({ "activities": activities, "variables": variables })
}
