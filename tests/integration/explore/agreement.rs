//! Findings and runs agree: where lint reports a loop that never ends or a variable that may be unset, some run shows it,
//! and where exploring finds an order that never ends or meets a fault, lint reports something there.

use std::fmt::Write;

use serde_json::Value;

use crate::support::folder::{Folder, copy_of};

/// The rules whose findings a run shows.
const SHOWN: [&str; 4] = ["WF303", "WF403", "WF404", "WF407"];

/// Folders of services.
const ROOTS: [&str; 4] = ["tests/explore", "tests/corpus/ok", "tests/corpus/broken", "examples"];

/// Where they do not agree, and why.
const KNOWN: [(&str, &str); 5] = [
    // Its states are cut off by a limit, before the round that would show the finding.
    ("growing-log", "WF403"),
    // The values of a field for which the loop never ends are no literals of the workflow.
    ("terminate-in-loops", "ends"),
    // The loop never ends if the case is rejected before the first lookup. In a run no time passes between the request
    // and that lookup; lint does not count on that.
    ("rejected-at-once", "WF404"),
    // A misspelled prefix, which lint reports at the lookup (WF301), leaves an approval without an assignee: every order
    // fails there, before the other defects.
    ("broken", "WF303"),
    ("broken", "WF404"),
];

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn findings_and_runs_agree() {
    let mut differences = String::new();
    let mut known = Vec::new();
    for root in ROOTS {
        compare(&copy_of(root), &mut differences, &mut known);
    }
    assert!(differences.is_empty(), "{differences}");
    known.dedup();
    assert_eq!(known.len(), KNOWN.len(), "some agree now: {known:?}");
}

fn compare(folder: &Folder, differences: &mut String, known: &mut Vec<(String, String)>) {
    // `examples/rules` is no service.
    for name in folder.names().into_iter().filter(|name| folder.file(name).is_dir() && name != "rules") {
        for (what, message) in disagreements(folder, &name) {
            if KNOWN.contains(&(name.as_str(), what.as_str())) {
                known.push((name.clone(), what));
            } else {
                let _ = writeln!(differences, "{name}: {what}: {message}");
            }
        }
    }
}

/// Where findings about a service and its runs do not agree: the rule or law, and the message.
pub fn disagreements(folder: &Folder, name: &str) -> Vec<(String, String)> {
    let findings = folder.run(&["--format", "json", "--select", "ALL", name]).json();
    let findings = list(&findings["diagnostics"]);
    let mut disagreements = unshown(folder, findings);
    disagreements.extend(unreported(folder, name, findings));
    disagreements
}

/// The findings that no run shows.
fn unshown(folder: &Folder, findings: &[Value]) -> Vec<(String, String)> {
    let shown = findings.iter().filter(|finding| SHOWN.contains(&text(&finding["code"])));
    let unshown = shown.filter(|finding| {
        let place = format!("{}:{}", text(&finding["file"]), finding["range"]["start"]["line"]);
        folder.run(&["explain", "--run", place.as_str()]).code != 0
    });
    unshown.map(|finding| (text(&finding["code"]).to_owned(), text(&finding["message"]).to_owned())).collect()
}

/// The broken laws at whose places lint is silent.
fn unreported(folder: &Folder, name: &str, findings: &[Value]) -> Vec<(String, String)> {
    let run = folder.run(&["explore", "--format", "json", "--law", "ends", "--law", "no-fault", name]);
    if run.err().contains("nothing to explore") {
        return Vec::new();
    }
    let report = run.json();
    let mut unreported = Vec::new();
    for law in list(&report["laws"]) {
        for broken in list(&law["broken"]) {
            let is_there = |place: &Value| {
                // A finding about the condition of a loop is one about all that is in the loop.
                let one = text(&place["pointer"]).split("/expression").next().unwrap_or_default();
                let other = text(&broken["pointer"]);
                one.starts_with(other) || other.starts_with(one)
            };
            let is_reported = |finding: &Value| is_there(finding) || list(&finding["related"]).iter().any(is_there);
            if !findings.iter().any(is_reported) {
                unreported.push((text(&law["name"]).to_owned(), text(&broken["message"]).to_owned()));
            }
        }
    }
    unreported
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
