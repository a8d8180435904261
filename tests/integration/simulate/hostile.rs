//! Hostile scripts and documents.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::folder::Folder;
use crate::support::mutation::changes;
use crate::support::report_check::REPORT_SCHEMA;
use crate::support::run::SIMULATION_FORMATS;
use crate::support::tree::{Layout, Tree};

fn code(script: &str) -> Value {
    json!({ "activities": [{ "name": "Run", "type": "Code", "parameters": [], "script": script }],
            "variables": [{ "name": "Json", "id": 1, "variableType": "String" }] })
}

#[test]
fn hostile_scripts_fail_their_activity_and_other_scenarios_run() {
    let bombs = [
        ("endless", "let a = 1;\nwhile (true) { a++; }"),
        ("memory", "let a = [];\nwhile (true) a.push(new Array(100000).fill('x'));"),
        ("recursion", "function f() { return f() + 1; }\nf();"),
        ("native", "new Array(2 ** 32 - 1).reverse();"),
        ("regex", "Json = String(/(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'));"),
    ];
    let folder = Folder::with(&[]);
    for (name, script) in bombs {
        folder.write(format!("{name}.json"), code(script).to_string());
        let scenario =
            format!("workflow: {name}.json\nlimits: {{ script-seconds: 1 }}\nexpect: {{ outcome: failed }}\n");
        folder.write(format!("{name}.scenario.yaml"), scenario);
    }
    folder.write("good.json", code("Json = 'fine';").to_string());
    folder.write("good.scenario.yaml", "workflow: good.json\nexpect: { variables: { Json: fine } }\n");
    let report = folder.run(&["--simulate", "--format", "json"]).expect_code(0).json();
    assert_eq!(report["summary"]["passed"], 6);
    for run in report["scenarios"].as_array().unwrap() {
        if run["outcome"] == "failed" {
            assert_eq!(run["failure"]["pointer"], "/activities/0/script", "{}", run["failure"]);
        }
    }
}

#[test]
fn endlessly_growing_string_is_stuck() {
    let folder = Folder::with(&[]);
    let bound = |name: &str| json!({ "isBound": true, "boundTo": name });
    let workflow = json!({
        "activities": [{
            "name": "Endless", "type": "While",
            "expression": {
                "type": "EqualityExpression", "operand": "notEqual", "left": bound("A"),
                "right": { "isBound": false, "value": "" }
            },
            "activities": [{ "name": "Double", "type": "Assign", "result": bound("A"), "body": "{A}{A}" }]
        }],
        "variables": [{ "name": "A", "id": 1, "variableType": "String", "value": "grow" }]
    });
    folder.write("a.json", workflow.to_string());
    folder.write("a.scenario.yaml", "workflow: a.json\nexpect: { outcome: stuck, failure: Endless }\n");
    folder.run(&["--simulate"]).expect_code(0);
}

#[test]
fn control_characters_of_documents_are_escaped() {
    let folder = Folder::with(&[]);
    let workflow = json!({
        "activities": [{ "name": "\u{1b}[2J\u{202e}", "type": "Status", "status": { "isBound": false, "value": "\u{1b}]0;x\u{7}" } }],
        "variables": []
    });
    folder.write("a.json", workflow.to_string());
    folder.write("a.scenario.yaml", "name: \"\\e[31m\"\nworkflow: a.json\nexpect: { outcome: failed }\n");
    for format in SIMULATION_FORMATS {
        let output = folder.run(&["--simulate", "--format", format]);
        let is_raw = |character: char| character.is_control() && character != '\n' || character == '\u{202e}';
        assert!(!output.out().contains(is_raw), "{format}: {:?}", output.out());
    }
}

const EXAMPLE: (&str, &str) = (
    include_str!("../../../examples/sign-json/order.workflow.json"),
    include_str!("../../../examples/sign-json/order.form.json"),
);

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// However a document is changed, a run ends, and its report is valid.
    #[test]
    fn every_run_ends(in_form in any::<bool>(), changes in changes()) {
        let (mut workflow, mut form) = (Tree::parse(EXAMPLE.0), Tree::parse(EXAMPLE.1));
        for change in &changes {
            change.apply(if in_form { &mut form } else { &mut workflow });
        }
        let layout = Layout::PLAIN;
        let folder = Folder::with(&[]);
        folder.write("order.workflow.json", workflow.write(layout));
        folder.write("order.form.json", form.write(layout));
        let scenario = include_str!("../../../examples/sign-json/signed.scenario.yaml");
        folder.write("a.scenario.yaml", format!("limits: {{ steps: 3000 }}\n{scenario}"));
        let output = folder.run(&["--simulate", "--format", "json"]);
        prop_assert!(output.code <= 2, "{}", output.err());
        if output.code < 2 {
            prop_assert!(REPORT_SCHEMA.is_valid(&output.json()));
        }
    }
}
