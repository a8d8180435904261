//! Activities that change nothing of what the analysis follows are passed, and only these.

use serde_json::{Value, json};

use crate::support::linted::lint_texts;

/// The codes of the findings in a workflow with these activities, whose variables have values when it starts.
fn codes(activities: &[Value]) -> Vec<String> {
    let variable = |(id, name)| json!({ "id": id, "name": name, "variableType": "String", "value": "a" });
    let variables: Vec<Value> = (1..).zip(["Person", "SMail", "ZPActivityStatus"]).map(variable).collect();
    let text = json!({ "activities": activities, "variables": variables }).to_string();
    let linted = lint_texts(&[("a.workflow.json", text.as_bytes())], 1);
    linted.findings().iter().map(|finding| finding.code.to_string()).collect()
}

fn lookup(name: &str) -> Value {
    let parameter = |name: &str, value: Value| json!({ "name": name, "value": value });
    json!({
        "name": name, "type": "Provider", "method": "Get-ZPADUser", "providerParameters": [
            parameter("Identity", json!({ "state": "bound", "boundTo": "Person" })),
            parameter("Property", json!({ "state": "static", "value": "Mail" })),
            parameter("Prefix", json!({ "state": "static", "value": "S" })),
        ]
    })
}

fn status(text: &str) -> Value {
    json!({ "name": text, "type": "Status", "status": { "isBound": false, "value": text } })
}

#[test]
fn an_assign_to_the_input_of_a_repeated_call_is_not_passed() {
    let assign = json!({
        "name": "Change", "type": "Assign", "result": { "isBound": true, "boundTo": "Person" }, "body": "x"
    });
    let publish = json!({
        "name": "Publish", "type": "Status", "status": { "isBound": true, "boundTo": "SMail" }
    });
    let ends = |between: &[Value]| {
        let mut all = vec![lookup("First"), status("Wait")];
        all.extend(between.iter().cloned());
        all.extend([lookup("Second"), publish.clone()]);
        codes(&all)
    };
    assert!(ends(&[assign]).contains(&"WF305".to_owned()));
    assert!(!ends(&[status("Go on")]).contains(&"WF305".to_owned()));
}
