//! The limits of scripts, of reading and of running them.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::support::folder::Folder;
use crate::support::linted::lint_texts;
use crate::support::run::run_cli;

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

/// A script whose runs show as many findings of WF711 as the case has parties.
fn script_of_parties(parties: usize) -> String {
    format!(
        "var party = {{ Nope: 1 }};\nvar parties = [];\nfor (var i = 0; i < {parties}; i++) {{ parties.push(party); }}\n\
         Json = JSON.stringify({{ Name: 'Contract', Parties: parties }});"
    )
}

#[test]
fn runs_that_show_too_many_findings_are_reported() {
    let limit = 50_000;
    // Each script passes its own case on, so both are checked.
    let found = |first: usize, second: usize| {
        let request = |json: &str| {
            let given = |name: &str, value: Value| json!({ "name": name, "value": value });
            json!({
                "name": "R", "type": "Provider", "method": "Request-ZPESignDocumentSignatureWithJsonInput",
                "providerParameters": [
                    given("Json", json!({ "state": "bound", "boundTo": json })),
                    given("Prefix", json!({ "state": "static", "value": "ESign" })),
                ]
            })
        };
        let code = |parties| json!({ "name": "Build", "type": "Code", "script": script_of_parties(parties) });
        let order = json!({
            "activities": [code(first), request("Json"), code(second), request("Json")],
            "variables": [{ "name": "Json", "id": 1, "variableType": "String" }]
        });
        let folder = Folder::with(&[("order.workflow.json", &order.to_string())]);
        let report =
            run_cli(&["--format", "json", "--select", "WF711", "--select", "WF806"], folder.path(), b"").json();
        let word = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
        let line = |finding: &Value| format!("{} {}", word(finding, "code"), word(finding, "pointer"));
        report["diagnostics"].as_array().unwrap().iter().map(line).collect::<Vec<_>>()
    };
    let both = ["WF711 /activities/0/script", "WF711 /activities/2/script"];
    assert_eq!(found(limit - 1, 1), both);
    assert_eq!(found(limit, 1), ["WF711 /activities/0/script", "WF806 /activities/2/script"]);
}
