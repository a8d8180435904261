//! `--suggest`: scenarios for what is missing, which reach it when they are run.

use serde_json::{Value, json};

use crate::support::folder::{Folder, copy_of};

/// What is missing in the coverage of all workflows.
fn missing(folder: &Folder, paths: &[&str]) -> Vec<String> {
    let report = folder.run(&[&["--simulate", "--format", "json"], paths].concat()).expect_code(0).json();
    let mut missing = Vec::new();
    for workflow in report["coverage"].as_array().unwrap() {
        let file = workflow["file"].as_str().unwrap();
        let activities = workflow["unreached"].as_array().unwrap().iter();
        missing.extend(activities.map(|pointer| format!("{file} {}", pointer.as_str().unwrap())));
        for branch in workflow["unreachedBranches"].as_array().unwrap() {
            missing.push(format!(
                "{file} {} {}",
                branch["pointer"].as_str().unwrap(),
                branch["branch"].as_str().unwrap()
            ));
        }
    }
    missing
}

#[test]
fn scenarios_of_examples_reach_all_that_can_be_reached() {
    let folder = copy_of("examples");
    std::fs::remove_dir_all(folder.file("broken")).unwrap();
    for service in ["approval", "mailbox", "sign-upload", "sign-json", "sign-directory", "sign-local-file"] {
        for name in folder.names_in(service).into_iter().filter(|name| name.contains(".scenario.")) {
            if !["signed.scenario.yaml", "approved.scenario.yaml", "created.scenario.yaml"].contains(&name.as_str()) {
                std::fs::remove_file(folder.file(service).join(name)).unwrap();
            }
        }
    }
    let before = missing(&folder, &["."]).len();
    let listed = folder.run(&["--simulate", "--quiet", "--suggest"]).expect_code(0);
    let written = folder.run(&["--simulate", "--quiet", "--suggest", "--write", "new"]).expect_code(0);
    assert_eq!((listed.out(), written.err()), (written.out(), ""));
    let after = missing(&folder, &["."]);
    // The status of a request is never final before somebody can act.
    let expected: Vec<&String> = after.iter().filter(|missing| missing.ends_with(" never")).collect();
    assert_eq!((expected.len(), expected.len()), (after.len(), 5), "{after:?}");
    assert!(before > 50, "{before}");
    let rest = folder.run(&["--simulate", "--quiet", "--suggest"]).expect_code(0);
    assert_eq!(rest.out().matches("no order reaches: `While ").count(), 5, "{}", rest.out());
    assert_eq!(rest.out().matches(".scenario.yaml").count(), 0, "{}", rest.out());
}

/// A loop that looks something up until it is `ready`, by a method that no catalog has.
fn polling() -> Folder {
    let condition = json!({
        "type": "EqualityExpression", "operand": "notEqual", "left": { "isBound": true, "boundTo": "MyState" },
        "right": { "isBound": false, "value": "ready" }
    });
    let workflow = json!({
        "activities": [
            { "name": "While not ready", "type": "While", "expression": condition, "activities": [
                { "name": "Look", "type": "Provider", "method": "Get-State", "stopOnError": true,
                  "providerParameters": [{ "name": "Prefix", "value": { "state": "static", "value": "My" } }] }
            ], "iterationDelaySeconds": { "isBound": false, "value": 60 } }
        ],
        "variables": [{ "name": "MyState", "id": 1, "variableType": "String" }]
    });
    Folder::with(&[("order.workflow.json", &workflow.to_string())])
}

#[test]
fn rounds_of_loops_are_told_apart() {
    let folder = polling();
    folder.write("ready.scenario.yaml", "workflow: order.workflow.json\nvariables: { MyState: ready }\n");
    assert_eq!(missing(&folder, &["."]).len(), 5);
    let listed = folder.run(&["--simulate", "--quiet", "--suggest", "--write", "."]).expect_code(0);
    assert!(!listed.out().contains("no order reaches"), "{}", listed.out());
    assert_eq!(missing(&folder, &["."]), Vec::<String>::new());
    let covered = folder.run(&["--simulate", "--quiet", "--suggest"]).expect_code(0);
    assert_eq!(covered.out(), "Everything is covered.\n");
}

#[test]
fn files_are_kept_and_equal_ones_are_not_written_twice() {
    let folder = copy_of("examples/sign-upload");
    for name in folder.names().into_iter().filter(|name| name.contains(".scenario.") && name != "signed.scenario.yaml")
    {
        std::fs::remove_file(folder.file(name)).unwrap();
    }
    let rejected = "terminated-document-was-rejected.scenario.yaml";
    folder.write(format!("new/{rejected}"), "mine");
    let write = || folder.run(&["--simulate", "--suggest", "--write", "new", "signed.scenario.yaml"]).expect_code(0);
    assert!(write().err().ends_with("Wrote 4 scenarios to new; run them with `wflint --simulate new`.\n"));
    assert_eq!(folder.read(format!("new/{rejected}")), "mine");
    let names = folder.names_in("new");
    assert!(names.contains(&rejected.replace(".scenario", "-2.scenario")) && names.len() == 5, "{names:?}");
    write();
    assert_eq!(folder.names_in("new"), names);
    // A report of the same run is kept, too.
    let both = ["--output", "json:new/failed-request-signature.scenario.yaml"];
    std::fs::remove_file(folder.file("new/failed-request-signature.scenario.yaml")).unwrap();
    let refused =
        folder.run(&[&["--simulate", "--suggest", "--write", "new", "signed.scenario.yaml"], &both[..]].concat());
    assert!(refused.expect_code(0).err().contains("Wrote 4 scenarios"));
}

#[test]
fn first_scenarios_are_suggested() {
    let folder = polling();
    let first = folder.run(&["--simulate", "--suggest", "--write", "."]).expect_code(2);
    assert!(first.err().starts_with("wflint: no scenario found, "), "{}", first.err());
    assert!(first.err().contains("Wrote "), "{}", first.err());
    // No order has a state before it looks.
    assert_eq!(missing(&folder, &["."]), ["order.workflow.json /activities/0 never"]);
    let empty = Folder::with(&[("a.txt", "")]);
    let none = empty.run(&["--simulate", "--suggest"]).expect_code(2);
    assert!(none.out().is_empty() && none.err().starts_with("wflint: no scenario found, "), "{}", none.out());
}

#[test]
fn no_file_that_exploring_reads_is_overwritten() {
    let folder = polling();
    let form = r#"{"fields": [], "variables": []}"#;
    folder.write("order.form.json", form);
    folder.write("ready.scenario.yaml", "workflow: order.workflow.json\nvariables: { MyState: ready }\n");
    let options = ["--simulate", "ready.scenario.yaml", "--output", "json:order.form.json"];
    let refused = folder.run(&[&options[..], &["--suggest"]].concat()).expect_code(2);
    assert!(refused.err().contains("`--output` would overwrite order.form.json"), "{}", refused.err());
    assert_eq!(folder.read("order.form.json"), form);
}

#[test]
fn reports_for_programs_stay_whole() {
    let folder = copy_of("examples/sign-upload");
    let plain = folder.run(&["--simulate", "--format", "json"]).expect_code(0);
    let suggested = folder.run(&["--simulate", "--format", "json", "--suggest"]).expect_code(0);
    assert_eq!(plain.out(), suggested.out());
    assert!(
        suggested.err().starts_with("order.workflow.json: 2 scenarios cover 2 of 3 missing\n"),
        "{}",
        suggested.err()
    );
}

#[test]
fn service_that_cannot_be_explored_is_an_error() {
    let folder = copy_of("examples/sign-upload");
    folder.write("wflint.toml", "[explore]\nmax-states = 2\n");
    let cut = folder.run(&["--simulate", "--quiet", "--suggest"]).expect_code(2);
    assert!(cut.err().contains("order.workflow.json was not explored completely: stopped at "), "{}", cut.err());
    assert!(cut.out().contains("  not found so far: "), "{}", cut.out());
    let form = folder.read("order.form.json");
    folder.write("other.form.json", &form);
    folder.write("third.form.json", form);
    std::fs::remove_file(folder.file("order.form.json")).unwrap();
    folder.write("a.scenario.yaml", "workflow: order.workflow.json\nexpect: { outcome: failed }\n");
    let unexplored = folder.run(&["--simulate", "--quiet", "--suggest", "a.scenario.yaml"]).expect_code(2);
    assert!(
        unexplored.err().contains("cannot explore order.workflow.json: several order forms"),
        "{}",
        unexplored.err()
    );
}

#[test]
fn hostile_names_stay_in_their_lines() {
    let name = "\u{1b}[2J\r\n::error::x\u{202e}";
    let workflow: Value = json!({
        "activities": [{ "name": name, "type": "Provider", "method": "Get-ZPADUser", "providerParameters": [
            { "name": "Identity", "value": { "state": "static", "value": "anna" } }
        ] }],
        "variables": []
    });
    let folder = Folder::with(&[
        ("order.workflow.json", &workflow.to_string()),
        ("a.scenario.yaml", "workflow: order.workflow.json\nexpect: { outcome: failed }\n"),
    ]);
    let shown = folder.run(&["--simulate", "--quiet", "--suggest", "--write", "new"]).expect_code(0);
    assert!(shown.out().contains("(succeeded)"), "{}", shown.out());
    assert!(!shown.out().contains(['\u{1b}', '\r', '\u{202e}']) && !shown.out().contains("\n::"), "{}", shown.out());
}
