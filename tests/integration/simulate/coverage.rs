//! Coverage: what is counted, how it is shown, and what it is held to.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::support::folder::{Folder, copy_of};
use crate::support::report_check::REPORT_SCHEMA;
use crate::support::snapshot::settings;

/// A branch, by the pointer of its activity and its word.
type Branches = BTreeSet<(String, String)>;

fn bound(name: &str) -> Value {
    json!({ "isBound": true, "boundTo": name })
}

fn literal(value: impl Into<Value>) -> Value {
    json!({ "isBound": false, "value": value.into() })
}

fn compare(operand: &str, variable: &str, value: &str) -> Value {
    json!({ "type": "EqualityExpression", "operand": operand, "left": bound(variable), "right": literal(value) })
}

fn assign(name: &str, variable: &str, body: &str) -> Value {
    json!({ "name": name, "type": "Assign", "result": bound(variable), "body": body })
}

fn approval(timeout: Option<Value>) -> Value {
    let mut approval = json!({
        "name": "Approval", "type": "Approval", "approvalType": "parallel", "required": "one", "onTimeout": "reject",
        "assignees": [{ "type": "Parameter", "parameter": literal("boss@example.com") }],
        "activities": [{ "name": "Each", "type": "Event", "event": "OnForeachApprove", "activities": [] }]
    });
    if let Some(timeout) = timeout {
        approval["timeout"] = timeout;
    }
    approval
}

fn workflow(activities: &Value) -> String {
    let variables = ["A", "B", "N"].map(|name| json!({ "name": name, "variableType": "String" }));
    serde_json::to_string_pretty(&json!({ "activities": activities, "variables": variables })).unwrap()
}

/// Runs scenarios, each with these further members, on a workflow; its entry in the report.
fn coverage(activities: &Value, scenarios: &[Value]) -> Value {
    let folder = Folder::with(&[("order.workflow.json", &workflow(activities))]);
    for (number, further) in scenarios.iter().enumerate() {
        let mut scenario = json!({ "workflow": "order.workflow.json" });
        scenario.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
        folder.write(format!("{number}.scenario.json"), scenario.to_string());
    }
    let report = folder.run(&["--simulate", "--format", "json"]).json();
    assert!(REPORT_SCHEMA.is_valid(&report), "{report:#}");
    assert_eq!(report["coverage"].as_array().unwrap().len(), 1);
    report["coverage"][0].clone()
}

fn missing(coverage: &Value) -> Vec<String> {
    let branches = coverage["unreachedBranches"].as_array().unwrap().iter();
    branches
        .map(|entry| format!("{} {}", entry["pointer"].as_str().unwrap(), entry["branch"].as_str().unwrap()))
        .collect()
}

#[test]
fn conditions_have_two_branches() {
    let activities =
        json!([{ "name": "If", "type": "If", "expression": compare("equal", "A", "x"), "activities": [] }]);
    assert_eq!(missing(&coverage(&activities, &[json!({})])), ["/activities/0 true"]);
    let scenario = json!({ "variables": { "A": "x" } });
    let found = coverage(&activities, &[json!({}), scenario]);
    assert_eq!((missing(&found).len(), &found["branches"], &found["branchesReached"]), (0, &json!(2), &json!(2)));
}

/// A loop that runs as long as `A` is not `x`, in whose first round `A` becomes `y`, then `x` in the second.
fn two_rounds() -> Value {
    json!([{
        "name": "While", "type": "While", "expression": compare("notEqual", "A", "x"), "activities": [
            { "name": "If y", "type": "If", "expression": compare("equal", "A", "y"), "activities": [
                assign("Last", "B", "x")
            ] },
            assign("Next", "A", "{B}"),
            { "name": "If end", "type": "If", "expression": compare("equal", "N", "end"), "activities": [
                { "name": "End", "type": "Terminate" }
            ] }
        ]
    }])
}

#[test]
fn loops_have_branches_by_their_rounds() {
    let of_loop = |further: Value| {
        let words = missing(&coverage(&two_rounds(), &[further]));
        words.into_iter().filter(|word| word.starts_with("/activities/0 ")).collect::<Vec<_>>()
    };
    let without = |taken: &str| {
        let words = ["never", "once", "several"].into_iter().filter(|word| *word != taken);
        words.map(|word| format!("/activities/0 {word}")).collect::<Vec<_>>()
    };
    assert_eq!(of_loop(json!({ "variables": { "A": "x" } })), without("never"));
    assert_eq!(of_loop(json!({ "variables": { "B": "x" } })), without("once"));
    assert_eq!(of_loop(json!({ "variables": { "B": "y" } })), without("several"));
    // The order ends in the first round.
    assert_eq!(of_loop(json!({ "variables": { "B": "y", "N": "end" } })), without("once"));
    // The order ends in the second round, or by a limit in one.
    let limited = json!({ "variables": { "B": "z" }, "limits": { "steps": 3 }, "expect": { "outcome": "stuck" } });
    assert_eq!(of_loop(limited), without("once"));
    let limited = json!({ "variables": { "B": "z" }, "limits": { "steps": 10000 }, "expect": { "outcome": "stuck" } });
    assert_eq!(of_loop(limited), without("several"), "rounds that are not played count");
    // The condition is not evaluated.
    let unbegun = json!({ "limits": { "steps": 1 }, "expect": { "outcome": "stuck" } });
    assert_eq!(of_loop(unbegun).len(), 3);
}

#[test]
fn approvals_time_out_only_with_a_timeout() {
    let timeouts = [
        (None, false),
        (Some(literal(0)), false),
        (Some(literal("0")), false),
        (Some(literal(" 0.0 ")), false),
        (Some(literal(Value::Null)), false),
        (Some(literal("")), false),
        (Some(json!({ "state": "notSet", "value": 5 })), false),
        (Some(json!({ "state": "static", "value": 0 })), false),
        (Some(json!({ "state": "static", "value": 60 })), true),
        (Some(literal(60)), true),
        (Some(bound("N")), true),
    ];
    for (timeout, counts) in timeouts {
        let found = coverage(&json!([approval(timeout.clone())]), &[json!({ "expect": { "outcome": "stuck" } })]);
        assert_eq!(found["branches"], if counts { 3 } else { 2 }, "{timeout:?}");
        assert_eq!(found["activities"], 2, "an Event is an activity");
    }
}

#[test]
fn decisions_of_approvals_are_branches() {
    let activities = json!([approval(Some(literal(60)))]);
    let by = |action: &str| json!({ "approvals": { "Approval": { "boss@example.com": { "after": "1s", "action": action } } } });
    let words = |scenario| missing(&coverage(&activities, &[scenario]));
    assert_eq!(words(by("approve")), ["/activities/0 rejected", "/activities/0 timed-out"]);
    assert_eq!(words(by("reject")), ["/activities/0 approved", "/activities/0 timed-out"]);
    assert_eq!(words(json!({})), ["/activities/0 approved", "/activities/0 rejected"]);
    let waits = coverage(&json!([approval(None)]), &[json!({})]);
    assert_eq!((missing(&waits).len(), &waits["reached"]), (2, &json!(1)), "it never ends, and no Event begins");
}

#[test]
fn calls_succeed_or_fail_whatever_comes_of_it() {
    let call =
        |stops: bool| json!([{ "name": "Call", "type": "Provider", "method": "New-Thing", "stopOnError": stops }]);
    let fails = json!({ "providers": { "New-Thing": [{ "error": "no" }] } });
    let succeeds = json!({ "providers": { "New-Thing": [{ "outputs": {} }] } });
    for stops in [true, false] {
        assert_eq!(missing(&coverage(&call(stops), std::slice::from_ref(&fails))), ["/activities/0 succeeded"]);
        assert_eq!(missing(&coverage(&call(stops), std::slice::from_ref(&succeeds))), ["/activities/0 failed"]);
        // A method that is not simulated.
        assert_eq!(missing(&coverage(&call(stops), &[json!({})])), ["/activities/0 succeeded"]);
        assert_eq!(missing(&coverage(&call(stops), &[fails.clone(), succeeds.clone()])).len(), 0);
    }
}

#[test]
fn workflows_without_scenarios_and_failed_scenarios_count() {
    let folder = copy_of("examples/sign-upload");
    folder.write("other/order.workflow.json", workflow(&two_rounds()));
    folder.write("other/order.form.json", r#"{"fields": [], "variables": []}"#);
    folder.write("other/data.json", r#"{"activities": 5}"#);
    for scenario in folder.names().into_iter().filter(|name| name.ends_with(".yaml") && name != "signed.scenario.yaml")
    {
        std::fs::remove_file(folder.file(scenario)).unwrap();
    }
    let scenario = folder.read("signed.scenario.yaml");
    folder.write("signed.scenario.yaml", scenario.replace("outcome: completed", "outcome: failed"));
    let report = folder.run(&["--simulate", "--format", "json"]).expect_code(1).json();
    let coverage = report["coverage"].as_array().unwrap();
    let numbers: Vec<Value> = coverage
        .iter()
        .map(|entry| {
            ["file", "activities", "reached", "branches", "branchesReached"].map(|key| entry[key].clone()).into()
        })
        .collect();
    assert_eq!(
        numbers,
        [json!(["order.workflow.json", 13, 11, 13, 7]), json!(["other/order.workflow.json", 6, 0, 7, 0])]
    );
    // A file alone: its workflow counts, and no other.
    let alone = folder.run(&["--simulate", "signed.scenario.yaml", "--format", "json"]).json();
    assert_eq!(alone["coverage"], json!([coverage[0]]));
    // One that only an invalid scenario names.
    folder.write("other/bad.scenario.yaml", "workflow: order.workflow.json\nvariables: { Nope: 1 }\n");
    let named = folder.run(&["--simulate", "other/bad.scenario.yaml", "signed.scenario.yaml", "--format", "json"]);
    assert_eq!(named.expect_code(2).json()["coverage"], report["coverage"]);
}

#[test]
fn summary_lists_ten_names() {
    let folder = copy_of("examples/broken");
    folder.write("order.scenario.yaml", "workflow: order.workflow.json\nexpect: { outcome: failed }\n");
    let shown = folder.run(&["--simulate"]);
    let summary = shown.out().rsplit("\n\n").next().unwrap();
    settings().bind(|| insta::assert_snapshot!("simulate_coverage", summary));
    assert_eq!(folder.run(&["--simulate", "--quiet"]).out().lines().filter(|line| line.contains("overed")).count(), 0);
}

#[test]
fn limit_is_compared_before_rounding() {
    let folder = copy_of("examples/sign-upload");
    let run = |limit: &str, code| {
        folder.run(&["--simulate", "--quiet", "signed.scenario.yaml", "--fail-under", limit]).expect_code(code)
    };
    // 18 of 26: 69.23076923…
    assert_eq!(run("69.23", 0).err(), "");
    assert_eq!(run("69.23076", 0).err(), "");
    assert_eq!(run("0", 0).err(), "");
    let expected = "wflint: coverage 69.23% is under 69.231%: 18 of 26 activities and branches are covered\n";
    assert_eq!(run("69.231", 1).err(), expected);
    for wrong in ["-1", "100.1", "80%", "nan", ""] {
        assert_eq!(folder.run(&["--simulate", &format!("--fail-under={wrong}")]).code, 2, "{wrong}");
    }
    let empty = Folder::with(&[
        ("order.workflow.json", r#"{"activities": [], "variables": []}"#),
        ("a.scenario.yaml", "workflow: order.workflow.json\n"),
    ]);
    empty.run(&["--simulate", "--fail-under", "100"]).expect_code(0);
}

#[test]
fn options_need_scenarios() {
    let folder = copy_of("examples/sign-upload");
    for options in [&["--coverage-output", "a.xml"][..], &["--fail-under", "1"], &["--suggest"]] {
        assert!(folder.run(options).expect_code(2).err().contains("--simulate"), "{options:?}");
        assert!(folder.run(&[&["check"], options].concat()).expect_code(2).err().contains("unexpected argument"));
    }
    assert!(folder.run(&["simulate", "--write", "new"]).expect_code(2).err().contains("--suggest"));
    let other = folder.run(&["simulate", "--coverage-output", "a.txt"]).expect_code(2);
    assert!(other.err().contains("`.lcov`, `.info` (LCOV), `.xml` (Cobertura) or `.html`"), "{}", other.err());
}

#[test]
fn unreadable_workflow_is_named_when_coverage_is_asked_for() {
    let folder = copy_of("examples/sign-upload");
    folder.write("other.workflow.json", r#"{"activities": ["#);
    assert_eq!(folder.run(&["--simulate", "--quiet"]).expect_code(0).err(), "");
    let warned = folder.run(&["--simulate", "--quiet", "--coverage-output", "c.info"]).expect_code(0);
    let expected = "a workflow may be missing in the coverage: invalid JSON in other.workflow.json, \
                    run `wflint other.workflow.json` for the location\n";
    assert_eq!(warned.err(), format!("wflint: warning: {expected}"));
    // What cannot be counted may be under the limit.
    let failed = folder.run(&["--simulate", "--quiet", "--fail-under", "50"]).expect_code(2);
    assert_eq!(failed.err(), format!("wflint: {expected}"));
}

/// The branches that the runs of a service took, from their traces alone.
fn traced(report: &Value, service: &str, document: &Value) -> Branches {
    let mut taken = Branches::new();
    let kind = |pointer: &str| document.pointer(&format!("{pointer}/type")).and_then(Value::as_str).unwrap_or_default();
    let is_of_service = |run: &&Value| run["file"].as_str().unwrap().starts_with(&format!("{service}/"));
    for run in report["scenarios"].as_array().unwrap().iter().filter(is_of_service) {
        let mut rounds: BTreeMap<String, usize> = BTreeMap::new();
        let of_rounds = |rounds: usize| ["never", "once", "several"][rounds.min(2)].to_owned();
        for call in run["calls"].as_array().unwrap() {
            let word = if call["ok"] == true { "succeeded" } else { "failed" };
            taken.insert((call["pointer"].as_str().unwrap().to_owned(), word.to_owned()));
        }
        for entry in run["trace"].as_array().unwrap() {
            let (Some(pointer), Some(event)) = (entry["pointer"].as_str(), entry["event"].as_str()) else { continue };
            match kind(pointer) {
                "If" if event.contains(" is true: ") => _ = taken.insert((pointer.to_owned(), "true".to_owned())),
                "If" if event.contains(" is false: ") => _ = taken.insert((pointer.to_owned(), "false".to_owned())),
                "While" if event.contains(" is true: ") => *rounds.entry(pointer.to_owned()).or_default() += 1,
                "While" if event.contains(" is false: ") => {
                    let rounds = rounds.remove(pointer).unwrap_or_default();
                    taken.insert((pointer.to_owned(), of_rounds(rounds)));
                }
                "Approval" if event.starts_with("no decision within ") => {
                    taken.insert((pointer.to_owned(), "timed-out".to_owned()));
                }
                "Approval" => {
                    let decision = event.strip_prefix("decision: ");
                    taken.extend(decision.map(|word| (pointer.to_owned(), word.to_owned())));
                }
                _ => {}
            }
        }
        taken.extend(rounds.into_iter().map(|(pointer, rounds)| (pointer, of_rounds(rounds))));
    }
    taken
}

#[test]
fn branches_are_those_of_the_traces() {
    let folder = copy_of("examples");
    let report = folder.run(&["--simulate", "--format", "json"]).expect_code(0).json();
    for found in report["coverage"].as_array().unwrap() {
        let file = found["file"].as_str().unwrap();
        let service = file.rsplit_once('/').unwrap().0;
        let document: Value = serde_json::from_str(&folder.read(file)).unwrap();
        let taken = traced(&report, service, &document);
        assert_eq!(found["branchesReached"], taken.len(), "{file}: {taken:?}");
        for entry in found["unreachedBranches"].as_array().unwrap() {
            let branch = (entry["pointer"].as_str().unwrap().to_owned(), entry["branch"].as_str().unwrap().to_owned());
            assert!(!taken.contains(&branch), "{file}: {branch:?}");
        }
    }
}
