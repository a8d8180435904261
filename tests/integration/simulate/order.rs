//! Small orders, written in the test that runs them.

use serde_json::{Value, json};

use crate::support::folder::Folder;
use crate::support::run::Output;

/// A folder with a workflow of these activities, and variables without values.
pub fn order(activities: &Value, variables: &[&str]) -> Folder {
    let variables: Vec<Value> = (1..)
        .zip(variables)
        .map(|(id, name): (u32, _)| json!({ "name": name, "id": id, "variableType": "String" }))
        .collect();
    let folder = Folder::with(&[]);
    folder.write("order.workflow.json", json!({ "activities": activities, "variables": variables }).to_string());
    folder
}

/// Runs a scenario of the order.
pub fn simulate(folder: &Folder, scenario: &str, format: &str) -> Output {
    folder.write("a.scenario.yaml", format!("workflow: order.workflow.json\n{scenario}\n"));
    let verbose: &[&str] = if format == "human" { &["--verbose"] } else { &[] };
    folder.run(&[&["--simulate", "--format", format], verbose].concat())
}

/// The report of one scenario.
pub fn run(folder: &Folder, scenario: &str) -> Value {
    let output = simulate(folder, scenario, "json");
    assert!(output.code < 2, "{}", output.err());
    output.json()["scenarios"][0].clone()
}

pub fn bound(name: &str) -> Value {
    json!({ "isBound": true, "boundTo": name })
}

pub fn literal(value: impl Into<Value>) -> Value {
    json!({ "isBound": false, "value": value.into() })
}

pub fn status(name: &str, text: &str) -> Value {
    json!({ "name": name, "type": "Status", "status": literal(text) })
}

/// An activity that compares a variable with a text: an If, or a While that waits `delay` seconds.
pub fn conditional(name: &str, condition: [&str; 3], delay: Option<u32>, activities: &[Value]) -> Value {
    let [variable, operand, text] = condition;
    let mut activity = json!({
        "name": name, "type": if delay.is_some() { "While" } else { "If" },
        "expression": {
            "type": "EqualityExpression", "operand": operand, "left": bound(variable), "right": literal(text)
        },
        "activities": activities
    });
    if let Some(delay) = delay {
        activity["iterationDelaySeconds"] = literal(delay);
    }
    activity
}

pub fn assign(name: &str, variable: &str, text: &str) -> Value {
    json!({ "name": name, "type": "Assign", "result": bound(variable), "body": text })
}

pub fn code(name: &str, script: &str) -> Value {
    json!({ "name": name, "type": "Code", "parameters": [], "script": script })
}

/// A call; a value that starts with `$` is a variable.
pub fn provider(name: &str, method: &str, parameters: &[(&str, &str)]) -> Value {
    let parameters: Vec<Value> = parameters
        .iter()
        .map(|(name, value)| match value.strip_prefix('$') {
            Some(variable) => json!({ "name": name, "value": { "state": "bound", "boundTo": variable } }),
            None => json!({ "name": name, "value": { "state": "static", "value": value } }),
        })
        .collect();
    json!({ "name": name, "type": "Provider", "method": method, "providerParameters": parameters, "stopOnError": true })
}

/// A plain request to sign for one person, whose id goes to `ESignId`.
pub fn request(name: &str, others: &[(&str, &str)]) -> Value {
    let mut parameters = vec![
        ("DocumentName", "Lease"),
        ("PartyName", "Anna"),
        ("PartyEmail", "anna@example.com"),
        ("PartySSN", "19900101-2385"),
        ("Prefix", "ESign"),
    ];
    parameters.retain(|(name, _)| others.iter().all(|(other, _)| other != name));
    parameters.extend(others);
    provider(name, "Request-ZPESignDocumentSignature", &parameters)
}

/// An approval by one person; with a timeout of 0, it has none.
pub fn approval(name: &str, timeout: u32) -> Value {
    json!({
        "name": name, "type": "Approval", "approvalType": "parallel", "required": "one", "onTimeout": "reject",
        "timeout": literal(timeout), "assignees": [{ "type": "Parameter", "parameter": literal("boss@example.com") }],
        "approvalResult": bound("Approved"), "activities": []
    })
}
