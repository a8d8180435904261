//! Which scripts fail on all sample values, and which on some: `tests/scripts/failures.toml`.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::folder::Folder;
use crate::support::run::run_cli;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    script: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    title: String,
    /// That of WF806, or `silent`.
    severity: String,
    code: String,
}

/// A workflow of all scripts.
fn order(scripts: &[Entry]) -> String {
    let bound = |name: &&str| json!({ "name": name, "value": { "isBound": true, "boundTo": name } });
    let activity = |entry: &Entry| {
        let used = ["Data", "Code"].into_iter().filter(|name| entry.code.contains(name));
        let parameters: Vec<Value> = used.map(|name| bound(&name)).collect();
        json!({ "name": entry.title, "type": "Code", "parameters": parameters, "script": entry.code })
    };
    let activities: Vec<Value> = scripts.iter().map(activity).collect();
    let variable =
        |(name, id): (&str, u32)| json!({ "name": name, "id": id, "variableType": "Text", "isInputParameter": true });
    let variables: Vec<Value> = ["Data", "Code", "Json"].into_iter().zip(1..).map(variable).collect();
    json!({ "activities": activities, "variables": variables }).to_string()
}

#[test]
fn warning_is_for_what_fails_on_all_values() {
    let Table { script: scripts } = toml::from_str(include_str!("../../scripts/failures.toml")).unwrap();
    let folder = Folder::with(&[("order.workflow.json", &order(&scripts))]);
    let report = run_cli(&["--format", "json", "--select", "WF806"], folder.path(), b"").json();
    let findings = report["diagnostics"].as_array().unwrap();
    let severity = |index: usize| {
        let pointer = format!("/activities/{index}/script");
        let found = findings.iter().find(|finding| finding["pointer"] == pointer.as_str());
        found.map_or("silent", |finding| finding["severity"].as_str().unwrap())
    };
    let all = scripts.iter().enumerate();
    let wrong = all.filter(|(index, entry)| severity(*index) != entry.severity);
    let wrong: Vec<String> = wrong.map(|(index, entry)| format!("{}: {}", entry.title, severity(index))).collect();
    assert_eq!(wrong, [""; 0]);
}
