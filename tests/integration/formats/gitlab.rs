//! GitLab Code Quality: the fields that GitLab documents, and fingerprints that outlive edits elsewhere.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::folder::{Folder, copy_of};
use crate::support::samples::{ERROR, FINE, INFO, WARNING};

fn issues(folder: &Folder) -> Vec<Value> {
    folder.run(&["--format", "gitlab"]).json().as_array().unwrap().clone()
}

#[test]
fn issue_has_the_documented_fields() {
    for issue in issues(&copy_of("examples/broken")) {
        assert!(issue["description"].as_str().is_some_and(|text| !text.is_empty()), "{issue:#}");
        assert!(issue["check_name"].as_str().is_some_and(|code| code.starts_with("WF")), "{issue:#}");
        assert!(issue["fingerprint"].as_str().is_some_and(|text| text.len() >= 16), "{issue:#}");
        let severities = ["info", "minor", "major", "critical", "blocker"];
        assert!(severities.contains(&issue["severity"].as_str().unwrap()), "{issue:#}");
        let path = issue["location"]["path"].as_str().unwrap();
        assert!(!path.starts_with("./") && !path.starts_with('/'), "{issue:#}");
        assert!(issue["location"]["lines"]["begin"].as_u64().is_some_and(|line| line > 0), "{issue:#}");
    }
}

#[test]
fn severity_follows_from_ours_and_the_group() {
    let secret = r#"{ "activities": [{ "name": "Call", "type": "Provider", "method": "Get-ZPADUser", "providerParameters": [
        { "name": "Password", "value": { "state": "static", "value": "hunter2-Xy9!" } }] }], "variables": [] }"#;
    let folder = Folder::with(&[("a.json", ERROR), ("b.json", WARNING), ("c.json", INFO), ("d.json", secret)]);
    folder.write("wflint.toml", "select = ['ALL']\n[severity]\nWF901 = 'error'\n");
    let severity = |code: &str| {
        let found = issues(&folder).into_iter().find(|issue| issue["check_name"] == code);
        found.unwrap_or_else(|| panic!("no {code}"))["severity"].clone()
    };
    assert_eq!([severity("WF101"), severity("WF414"), severity("WF007")], ["major", "minor", "info"]);
    assert_eq!(severity("WF901"), "critical", "an error of the group security");
}

#[test]
fn clean_run_is_an_empty_array() {
    assert_eq!(issues(&Folder::with(&[("a.json", FINE)])), [Value::Null; 0]);
}

#[test]
fn fingerprints_are_unique_and_outlive_edits_elsewhere() {
    let fingerprints = |text: &str| -> Vec<String> {
        let folder = Folder::with(&[("a.json", text)]);
        issues(&folder).iter().map(|issue| issue["fingerprint"].as_str().unwrap().to_owned()).collect()
    };
    let status = r#"{ "name": "Say", "type": "Status" }"#;
    let workflow =
        |activities: &[&str]| format!("{{ \"activities\": [{}], \"variables\": [] }}", activities.join(", "));
    let twice = fingerprints(&workflow(&[status, status]));
    assert_eq!(twice.iter().collect::<BTreeSet<_>>().len(), 2, "{twice:?}");
    let other = r#"{ "name": "Fine", "type": "Status", "statusTranslations": { "en-US": "Done" } }"#;
    assert_eq!(fingerprints(&workflow(&[other, status, status]).replace(", ", ",\n")), twice);
}
