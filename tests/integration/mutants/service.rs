//! A service whose scenarios notice every change.

use serde_json::{Value, json};

use crate::support::folder::Folder;

/// The call fails.
pub const FAILS: &str = "\
workflow: order.workflow.json
submit: { Login: anna }
faults: [{ method: Get-ZPADUser, error: offline }]
expect: { outcome: failed }
";

/// An order whose user the directory has, and how it ends.
fn found(login: &str, outcome: &str, statuses: &str) -> String {
    format!(
        "workflow: order.workflow.json
submit: {{ Login: {login} }}
directory:
  - {{ dn: \"CN=anna,DC=example\", objectClass: user, sAMAccountName: anna, mail: anna@example.com }}
  - {{ dn: \"CN=bob,DC=example\", objectClass: user, sAMAccountName: bob, mail: bob@example.com }}
expect:
  outcome: {outcome}
  statuses: [{statuses}]
"
    )
}

/// Looks a user up, publishes the mail address, and ends early for one of them.
pub fn workflow() -> Value {
    let bound = |id: u32, name: &str| json!({ "state": "bound", "boundToId": id, "boundTo": name });
    let fixed = |text: &str| json!({ "state": "static", "value": text });
    json!({
        "activities": [
            {
                "name": "Find user", "type": "Provider", "method": "Get-ZPADUser", "stopOnError": true,
                "providerParameters": [
                    { "name": "Identity", "value": bound(1, "Login") },
                    { "name": "Property", "value": fixed("Mail") },
                    { "name": "Prefix", "value": fixed("User") },
                ],
            },
            { "name": "Publish address", "type": "Status", "status": bound(2, "UserMail") },
            {
                "name": "If Anna", "type": "If",
                "expression": { "left": bound(2, "UserMail"), "operand": "equal", "right": fixed("anna@example.com") },
                "activities": [{ "name": "End early", "type": "Terminate" }],
            },
            { "name": "Publish end", "type": "Status", "status": fixed("Done") },
        ],
        "variables": [
            { "id": 1, "realId": 1, "name": "Login", "type": "string" },
            { "id": 2, "realId": 2, "name": "UserMail", "type": "string" },
        ],
    })
}

/// The service with all its scenarios.
pub fn service() -> Folder {
    let folder = Folder::with(&[("fails.scenario.yaml", FAILS)]);
    write(&folder, &workflow());
    folder.write("anna.scenario.yaml", found("anna", "terminated", "anna@example.com"));
    folder.write("bob.scenario.yaml", found("bob", "completed", "bob@example.com, Done"));
    folder
}

pub fn write(folder: &Folder, workflow: &Value) {
    folder.write("order.workflow.json", serde_json::to_string_pretty(workflow).unwrap());
}

/// The object of a JSON report.
#[track_caller]
pub fn mutants(folder: &Folder, code: u8, args: &[&str]) -> Value {
    let args = [&["--simulate", "--mutants", "--format", "json"], args].concat();
    folder.run(&args).expect_code(code).json()["mutants"].clone()
}

/// The survivors, each as `mutation pointer`.
pub fn survivors(mutants: &Value) -> Vec<String> {
    let survivors = mutants["survivors"].as_array().unwrap();
    let word = |survivor: &Value, key: &str| survivor[key].as_str().unwrap().to_owned();
    survivors.iter().map(|it| format!("{} {}", word(it, "mutation"), word(it, "pointer"))).collect()
}
