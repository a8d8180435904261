//! The linter and the simulator agree: every fault that a run of a document meets is one that the
//! linter reports. The scenarios are generated from the documents: everyone does everything that
//! they can, or nothing at all.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use crate::support::folder::{Folder, copy_of};
use crate::support::generated::write_scenarios;
use serde_json::Value;

/// The faults of runs, and the rules that claim to prevent them.
const FAULTS: [(&str, &[&str]); 4] = [
    (" is read but has no value", &["WF101", "WF302", "WF303", "WF304"]),
    ("placeholder left unchanged", &["WF306"]),
    ("so its value is lost", &["WF101", "WF301", "WF807"]),
    ("missing required parameter", &["WF201", "WF302", "WF303", "WF304", "WF101"]),
];

#[test]
fn every_fault_of_a_run_is_reported_by_the_linter() {
    let mut wrong = String::new();
    let mut runs = 0;
    for folder in ["examples", "tests/corpus/ok", "tests/corpus/broken"] {
        let copy = copy_of(folder);
        let found = findings(&copy);
        let workflows = write_scenarios(&copy);
        assert!(!workflows.is_empty(), "{folder} has workflows");
        let output = copy.run(&["--simulate", "--format", "json", "generated"]);
        let report = output.json();
        for run in report["scenarios"].as_array().unwrap() {
            runs += 1;
            let service = run["name"].as_str().unwrap();
            for fault in faults(run) {
                let (_, rules) = FAULTS.iter().find(|(text, _)| fault.contains(text)).unwrap();
                let is_reported =
                    found.iter().any(|(folder, code)| folder == service && rules.contains(&code.as_str()));
                let has_error = found.iter().any(|(folder, code)| folder == service && code == "error");
                if !is_reported && !has_error {
                    let _ = writeln!(wrong, "{folder}/{service}: {fault}");
                }
            }
        }
    }
    assert!(runs > 60, "the scenarios have run: {runs}");
    assert!(wrong.is_empty(), "{wrong}");
}

/// The faults of a run, without repetition.
fn faults(run: &Value) -> BTreeSet<String> {
    let events = run["trace"].as_array().unwrap().iter().map(|entry| entry["event"].as_str().unwrap());
    let failure = run["failure"]["message"].as_str();
    let texts = events.chain(failure).filter(|text| FAULTS.iter().any(|(fault, _)| text.contains(fault)));
    texts.map(str::to_owned).collect()
}

/// Folder and code, and folder and severity, of every finding.
fn findings(folder: &Folder) -> BTreeSet<(String, String)> {
    let report = folder.run(&["--format", "json", "--select", "ALL"]).json();
    let found = report["diagnostics"].as_array().unwrap().iter();
    found
        .flat_map(|finding| {
            let folder = Path::new(finding["file"].as_str().unwrap()).parent().unwrap().display().to_string();
            ["code", "severity"].map(|word| (folder.clone(), finding[word].as_str().unwrap().to_owned()))
        })
        .collect()
}
