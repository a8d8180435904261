//! Long keys and names, which every finding in them would repeat.

use serde_json::Value;

use crate::support::folder::Folder;

const FAULTS: usize = 900;

/// So many assignees that are not objects, in an Approval of this name.
fn approval(name: &str) -> String {
    let assignees = vec![r#"{ "type": "Parameter", "parameter": 5 }"#; FAULTS].join(",");
    format!(
        r#"{{ "activities": [{{ "name": "{name}", "type": "Approval", "assignees": [{assignees}] }}], "variables": [] }}"#
    )
}

/// A document with so many duplicate keys inside ten keys of this length, one in the other.
fn under_keys(length: usize) -> String {
    let keys: String = (0..10).map(|at| format!(r#"{{ "{at}{}": "#, "k".repeat(length))).collect();
    let found = vec![r#"{ "a": 1, "a": 2 }"#; FAULTS].join(",");
    let status = format!(r#"{{ "name": "S", "type": "Status", "x": {keys}[{found}]{} }}"#, "}".repeat(10));
    format!(r#"{{ "activities": [{status}], "variables": [] }}"#)
}

fn report(text: &str, arguments: &[&str]) -> Value {
    let folder = Folder::with(&[("a.json", text)]);
    folder.run(&[&["--format", "json"], arguments].concat()).json()
}

#[test]
fn a_long_name_of_an_activity_is_cut() {
    let name = "n".repeat(100_000);
    let report = report(&approval(&name), &[]);
    let findings = report["diagnostics"].as_array().unwrap();
    assert!(findings.len() >= FAULTS);
    for finding in findings.iter().filter(|finding| !finding["activity"].is_null()) {
        assert_eq!(finding["activity"].as_str().unwrap().chars().count(), 201);
    }
}

#[test]
fn a_suppression_matches_a_long_name() {
    let name = "n".repeat(1_000);
    let entry =
        format!("[[suppress]]\nrule = \"WF004\"\nfile = \"a.json\"\nactivity = \"{name}\"\nreason = \"known\"\n");
    let folder = Folder::with(&[("a.json", &approval(&name)), ("wflint.toml", &entry)]);
    let report = folder.run(&["--format", "json"]).json();
    assert_eq!(report["summary"]["suppressed"], FAULTS);
}

#[test]
fn of_findings_under_long_keys_few_are_listed() {
    let count = |report: &Value| {
        let listed = report["diagnostics"].as_array().unwrap().iter().filter(|finding| finding["code"] == "WF005");
        let omitted = report["summary"]["omitted"].as_array().into_iter().flatten();
        let omitted = omitted.filter(|omitted| omitted["code"] == "WF005");
        (listed.count(), omitted.map(|omitted| omitted["count"].as_u64().unwrap()).sum::<u64>())
    };
    assert_eq!(count(&report(&under_keys(10), &["--select", "WF005"])), (FAULTS, 0));
    let (listed, omitted) = count(&report(&under_keys(350), &["--select", "WF005"]));
    assert_eq!(listed as u64 + omitted, FAULTS as u64);
    assert!((1..200).contains(&listed), "{listed}");
}

#[test]
fn a_variable_of_a_very_long_name_is_not_meant_by_its_id() {
    let text = |name: &str| {
        let status = r#"{ "isBound": true, "boundTo": "Lost", "boundToId": 7 }"#;
        format!(
            r#"{{ "activities": [{{ "name": "S", "type": "Status", "status": {status} }}],
                  "variables": [{{ "name": "{name}", "id": 7, "variableType": "String" }}] }}"#
        )
    };
    let has_fix = |name: &str| {
        let report = report(&text(name), &["--select", "WF101"]);
        assert_eq!(report["diagnostics"].as_array().unwrap().len(), 1);
        !report["diagnostics"][0]["fix"].is_null()
    };
    assert!(has_fix(&"n".repeat(1024)));
    assert!(!has_fix(&"n".repeat(1025)));
}
