//! How orders of small services end. Each folder of `tests/explore` has a service, and in `expected.txt` what
//! follows from docs/explore.md, one fact a line:
//!
//! ```text
//! # comment
//! end: outcome | activity | last status | assumed
//! unreached: pointer
//! unreached: pointer branch
//! incomplete
//! law: name | holds, broken or unknown
//! exit: code
//! ```
//!
//! `-` stands for no activity and no status; ` | assumed` is left out where nothing is.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::exploration::formats::SCHEMA;
use crate::support::folder::{Folder, copy_of};
use crate::support::run::Output;

#[test]
fn names_of_scenarios_hide_masked_values() {
    let workflow = r#"{
      "activities": [
        { "name": "Say", "type": "Assign", "result": { "isBound": true, "boundTo": "B" }, "body": "x {A}",
          "assignedVariables": [{ "isBound": true, "boundTo": "A" }] },
        { "name": "Publish", "type": "Status", "status": { "isBound": true, "boundTo": "B" } }
      ],
      "variables": [{ "name": "A", "value": "Sekret99x", "shouldHide": true, "hideAll": true }, { "name": "B" }]
    }"#;
    let folder = Folder::with(&[("order.workflow.json", workflow)]);
    let output = folder.run(&["explore", "--format", "json", "--write", "found"]).expect_code(0);
    let end = &output.json()["services"][0]["ends"][0];
    assert_eq!(end["scenario"]["name"], "completed: x *********", "{end}");
    let names = folder.names_in("found");
    assert!(names.iter().all(|name| !name.to_lowercase().contains("sekret")) && !names.is_empty(), "{names:?}");
    let written = folder.read(format!("found/{}", names[0]));
    assert!(written.contains("\nname: \"completed: x *********\"\n"), "{written}");
}

#[test]
fn orders_end_as_expected() {
    let folder = copy_of("tests/explore");
    let names = folder.names();
    assert!(names.len() > 40, "services are missing: {names:?}");
    let mut differences = String::new();
    for name in names {
        let expected = expected(&folder.read(format!("{name}/expected.txt")));
        let written = format!("{name}/written");
        let output = folder.run(&["explore", "--format", "json", name.as_str(), "--write", written.as_str()]);
        let found = facts(&output);
        if found != expected {
            let _ = writeln!(differences, "{name}:");
            for fact in expected.iter().filter(|fact| !found.contains(fact)) {
                let _ = writeln!(differences, "  missing     {fact}");
            }
            for fact in found.iter().filter(|fact| !expected.contains(fact)) {
                let _ = writeln!(differences, "  unexpected  {fact}");
            }
            if !output.stderr.is_empty() {
                let _ = writeln!(differences, "  {}", output.err());
            }
        }
        for difference in replayed(&folder, &name, &output.json()) {
            let _ = writeln!(differences, "{name}: {difference}");
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn order_that_waits_before_an_endless_loop_is_told_from_the_loop() {
    let workflow = r#"{
      "activities": [
        { "name": "Ask", "type": "Approval", "assignees": [
            { "type": "Parameter", "parameter": { "isBound": false, "value": "boss@example.com" } }] },
        { "name": "Loop", "type": "While",
          "expression": { "type": "EqualityExpression", "operand": "equal",
            "left": { "isBound": true, "boundTo": "A" }, "right": { "isBound": false, "value": "x" } },
          "activities": [{ "name": "Publish", "type": "Status", "status": { "isBound": false, "value": "b" } }] }
      ],
      "variables": [{ "name": "A", "id": 1, "value": "x" }]
    }"#;
    let folder = Folder::with(&[("order.workflow.json", workflow)]);
    let output = folder.run(&["explore", "--law", "ends", "--quiet"]).expect_code(1);
    for message in ["order never ends from `Ask` on, whatever anybody does", "`Loop` never ends, whatever anybody does"]
    {
        assert!(output.out().contains(message), "{}", output.out());
    }
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn number_of_threads_changes_nothing() {
    let folder = copy_of("tests/explore");
    let [one, two] = ["1", "2"].map(|jobs| folder.run(&["explore", "--format", "json", "--jobs", jobs]));
    assert_eq!((one.code, one.err()), (two.code, two.err()));
    assert!(one.stdout == two.stdout, "reports differ");
}

/// The lines of `expected.txt`, sorted.
fn expected(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut facts: Vec<String> = lines.map(str::to_owned).collect();
    facts.sort();
    facts
}

/// What a report says, in the words of `expected.txt`, sorted.
fn facts(output: &Output) -> Vec<String> {
    let report = output.json();
    if let Some(error) = SCHEMA.iter_errors(&report).next() {
        panic!("{error} at {}", error.instance_path());
    }
    let mut facts = vec![format!("exit: {}", output.code)];
    for service in list(&report["services"]) {
        facts.extend(list(&service["ends"]).iter().map(end));
        let reached = &service["reached"];
        facts.extend(list(&reached["unreached"]).iter().map(|place| format!("unreached: {}", text(place))));
        let branches = list(&reached["unreachedBranches"]).iter();
        facts.extend(branches.map(|it| format!("unreached: {} {}", text(&it["pointer"]), text(&it["branch"]))));
        if service["complete"] == false {
            facts.push("incomplete".to_owned());
        }
    }
    for law in list(&report["laws"]) {
        let holds = match law["holds"].as_bool() {
            Some(true) => "holds",
            Some(false) => "broken",
            None => "unknown",
        };
        facts.push(format!("law: {} | {holds}", text(&law["name"])));
    }
    facts.sort();
    facts
}

fn end(end: &Value) -> String {
    let [outcome, activity, status] = ["outcome", "activity", "status"].map(|key| text(&end[key]));
    let assumed = if end["assumed"] == true { " | assumed" } else { "" };
    format!("end: {outcome} | {activity} | {status}{assumed}").trim_end().to_owned()
}

/// What is wrong with the scenarios of a service: those that were written, and those of the report.
fn replayed(folder: &Folder, name: &str, report: &Value) -> Vec<String> {
    let ends: Vec<&Value> = list(&report["services"]).iter().flat_map(|service| list(&service["ends"])).collect();
    for (number, end) in ends.iter().enumerate() {
        folder.write(format!("{name}/{number}.scenario.json"), end["scenario"].to_string());
    }
    if ends.is_empty() {
        return Vec::new();
    }
    // JSON would list each call of orders that never end.
    let output = folder.run(&["simulate", "--format", "junit", name]);
    let passed = format!(r#"tests="{}" skipped="0" failures="0" errors="0""#, 2 * ends.len());
    if output.out().contains(&passed) && output.code == 0 {
        return Vec::new();
    }
    vec![format!("not each of {} ends replays twice: {}{}", ends.len(), output.out(), output.err())]
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("-")
}

/// Approvals in a row, with timeouts, whose results nothing reads.
fn timeouts(number: usize) -> Folder {
    let approvals: Vec<Value> = (0..number)
        .map(|at| {
            json!({
                "name": format!("Ask {at}"), "type": "Approval", "timeout": { "isBound": false, "value": 3600 },
                "assignees": [{ "type": "Parameter", "parameter": { "isBound": false, "value": "boss@example.com" } }],
                "activities": [{ "name": "No", "type": "Event", "event": "OnForeachReject", "activities": [] }],
            })
        })
        .collect();
    let order = json!({ "activities": approvals, "variables": [] }).to_string();
    Folder::with(&[("order.workflow.json", order.as_str())])
}

#[test]
fn timeouts_that_nothing_depends_on_add_no_states() {
    for number in [5, 20] {
        let output = timeouts(number).run(&["explore", "--format", "json"]);
        let report: Value = serde_json::from_str(output.out()).unwrap();
        assert_eq!(report["services"][0]["states"], number);
        assert_eq!(report["services"][0]["complete"], true);
    }
}

#[test]
fn who_let_an_approval_time_out_counts_for_laws_about_people() {
    let folder = timeouts(3);
    folder.write(
        "wflint.toml",
        "[[law]]\nname = \"refused\"\nwhen = { people = \"act\", approvals = { \"Ask 2\" = \"approved\" } }\n\
         expect = { approvals = { \"Ask 0\" = \"approved\" } }\n",
    );
    // Everybody acts, and the first approval is rejected.
    let output = folder.run(&["explore", "--law", "refused", "--format", "concise"]);
    assert_eq!(output.code, 1, "{}{}", output.out(), output.err());
}
