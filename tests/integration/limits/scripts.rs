//! The limits of scripts, of reading and of running them.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::support::linted::lint_texts;

/// The findings of one rule in a Code activity with a parameter `Name`, as `severity pointer`.
fn found(code: &str, script: &str) -> Vec<String> {
    let bound = json!({ "isBound": true, "boundTo": "Name" });
    let activity = json!({
        "name": "Build", "type": "Code", "parameters": [{ "name": "Name", "value": bound }], "script": script
    });
    let variable =
        |name: &str, id: u32| json!({ "name": name, "id": id, "variableType": "String", "isInputParameter": true });
    let text = json!({ "activities": [activity], "variables": [variable("Name", 1), variable("Json", 2)] }).to_string();
    let report = lint_texts(&[("a.workflow.json", text.as_bytes())], 1).report(wflint::report::Format::Json);
    let report: Value = serde_json::from_slice(&report).unwrap();
    let of_code = report["diagnostics"].as_array().unwrap().iter().filter(|finding| finding["code"] == code);
    let line =
        |finding: &Value| format!("{} {}", finding["severity"].as_str().unwrap(), finding["message"].as_str().unwrap());
    of_code.map(line).collect()
}

#[test]
fn script_with_too_many_assignments_is_reported() {
    let assignments = |number: usize| {
        let mut script = String::new();
        for at in 0..number {
            let _ = writeln!(script, "if (Name == '{at}') Json = JSON.stringify({{ Name: {at} }});");
        }
        let found = found("WF806", &script);
        found.into_iter().filter(|line| line.contains("assigns `Json` too often")).collect::<Vec<_>>()
    };
    let most = 100;
    assert_eq!(assignments(most), [""; 0]);
    assert_eq!(
        assignments(most + 1),
        ["info script of `Build` assigns `Json` too often to see which value is the last"]
    );
}
