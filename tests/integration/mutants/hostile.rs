//! Documents that are made to mislead.

use serde_json::json;

use super::service::{mutants, service, survivors, workflow, write};
use crate::support::folder::Folder;
use crate::support::run::SIMULATION_FORMATS;

#[test]
fn names_cannot_control_the_output() {
    let folder = service();
    std::fs::remove_file(folder.file("fails.scenario.yaml")).unwrap();
    let mut order = workflow();
    order["activities"][0]["name"] = json!("\u{1b}[31m\n::error::x\u{202e}##[error]</testcase>`|");
    write(&folder, &order);
    for format in SIMULATION_FORMATS {
        let output = folder.run(&["--simulate", "--mutants", "--format", format]).expect_code(1);
        let shown = output.out();
        assert!(!shown.contains(['\u{1b}', '\u{202e}']) && !shown.contains("##[error]"), "{format}: {shown}");
        assert!(!shown.lines().any(|line| line.starts_with("::error::")), "{format}: {shown}");
    }
}

#[test]
fn secrets_are_not_shown() {
    let folder = Folder::with(&[("a.scenario.yaml", "workflow: order.workflow.json\n")]);
    let secret = "correct-horse-battery";
    write(
        &folder,
        &json!({
            "activities": [{
                "name": "Assign", "type": "Assign", "body": secret,
                "result": { "state": "bound", "boundToId": 1, "boundTo": "Password" },
            }],
            "variables": [{ "id": 1, "realId": 1, "name": "Password", "type": "string", "hideAll": true, "value": secret }],
        }),
    );
    for format in SIMULATION_FORMATS {
        let output = folder.run(&["--simulate", "--mutants", "--format", format]).expect_code(1);
        assert!(!output.out().contains(secret), "{format}: {}", output.out());
    }
}

#[test]
fn malformed_activities_are_changed_without_a_panic() {
    let folder =
        Folder::with(&[("a.scenario.yaml", "workflow: order.workflow.json\nexpect: { outcome: completed }\n")]);
    let odd = json!([
        { "type": "Sequence", "name": 5, "activities": [] },
        { "type": "Sequence", "activities": [{ "type": "Sequence", "name": "" }, { "type": "Sequence", "name": "" }] },
    ]);
    write(&folder, &json!({ "activities": odd, "variables": [] }));
    let found = mutants(&folder, 1, &[]);
    assert!(survivors(&found).contains(&"drop-activity /activities/1/activities/1".to_owned()), "{found:#}");
    // Equal neighbors: the document with the two swapped is the same.
    assert!(!survivors(&found).contains(&"swap-activities /activities/1/activities/0".to_owned()), "{found:#}");
    let text = r#"{"activities":[{"type":"Sequence","activities":[]}],"activities":[{"type":"Sequence","a":1,"a":2,"activities":[]}],"variables":[]}"#;
    folder.write("order.workflow.json", text);
    let output = folder.run(&["--simulate", "--mutants"]).expect_code(2);
    assert!(output.err().contains("duplicate key `activities` at line 1, column 53"));
}

#[test]
fn endless_loop_with_a_script_ends() {
    let folder =
        Folder::with(&[("a.scenario.yaml", "workflow: order.workflow.json\nexpect: { variables: { Json: b } }\n")]);
    let bound = json!({ "state": "bound", "boundToId": 1, "boundTo": "Json" });
    write(
        &folder,
        &json!({
            "activities": [{
                "name": "Until b", "type": "While",
                "expression": { "left": bound, "operand": "notEqual", "right": { "state": "static", "value": "b" } },
                "activities": [{ "name": "Script", "type": "Code", "script": "Json = 'b';", "parameters": [] }],
            }],
            "variables": [{ "id": 1, "realId": 1, "name": "Json", "type": "string" }],
        }),
    );
    assert_eq!(survivors(&mutants(&folder, 0, &[])), [""; 0]);
}
