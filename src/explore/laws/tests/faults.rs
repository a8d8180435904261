//! What `no-fault` observes.

use serde_json::{Value, json};

use super::service::bound;
use super::{Service, approval, assign, provider, status};

#[track_caller]
fn assert_faults(service: &Service, wanted: &[(&str, &str)]) {
    let played = service.play("", &json!({}));
    let found: Vec<(&str, &str)> = played.faults.iter().map(|(at, message)| (at.as_str(), message.as_str())).collect();
    assert_eq!(found, wanted);
}

fn publish(variable: &str) -> Value {
    json!({ "name": "Publish", "type": "Status", "status": bound(variable) })
}

const UNSET: &str = "unset variable `A`: nothing assigns it before this read";

/// Without an order form, what no activity writes counts as filled by the order.
fn with_form(activities: &Value, variables: &[&str]) -> Service {
    Service::new(activities, variables).with_form("order.form.json", &["Filled"])
}

#[test]
fn unset_variables_are_found_where_they_are_first_read() {
    let read = "/activities/0/status/boundTo";
    assert_faults(&with_form(&json!([publish("A"), publish("A")]), &["A", "Filled"]), &[(read, UNSET)]);
    assert_faults(&with_form(&json!([assign("Set", "A", "x"), publish("A")]), &["A", "Filled"]), &[]);
    assert_faults(&with_form(&json!([publish("Filled")]), &["A", "Filled"]), &[]);
    assert_faults(&Service::new(&json!([publish("A")]), &["A"]), &[]);
    assert_faults(&Service::new(&json!([publish("A"), assign("Set", "A", "x")]), &["A"]), &[(read, UNSET)]);
    let preset = json!([{ "id": 1, "name": "A", "isInputParameter": true }]);
    let activities = json!([publish("A")]);
    let service = Service::of(&json!({ "activities": activities, "variables": preset }));
    assert_faults(&service.with_form("order.form.json", &["Filled"]), &[]);
    let undeclared = Service::of(&json!({ "activities": activities }));
    assert_faults(&undeclared.with_form("order.form.json", &["Filled"]), &[]);
    let undefined = with_form(&json!([publish("B")]), &["A"]);
    assert_faults(&undefined, &[(read, "undefined variable `B`")]);
}

#[test]
fn variable_of_an_approval_form_and_of_another_workflow_is_set() {
    let mut asked = approval("Approval", &json!([]));
    asked["connectedFormName"] = json!("Reason");
    let activities = json!([publish("A"), asked]);
    let service = with_form(&activities, &["A", "Filled"]).with_form("Reason.form.json", &["A"]);
    assert_faults(&service, &[]);
    let other = json!({ "activities": [assign("Set", "A", "x")], "variables": [{ "id": 1, "name": "A" }] });
    let service = with_form(&json!([publish("A")]), &["A", "Filled"]).with("other.workflow.json", &other.to_string());
    assert_faults(&service, &[]);
}

fn wait(children: &Value) -> Value {
    json!({
        "name": "Wait",
        "type": "While",
        "expression": {
            "type": "EqualityExpression", "operand": "equal",
            "left": bound("A"), "right": { "isBound": false, "value": "" }
        },
        "iterationDelaySeconds": { "isBound": false, "value": 60 },
        "activities": children
    })
}

#[test]
fn loop_waits_for_what_its_body_writes() {
    let waits = json!([wait(&json!([assign("Set", "A", "x")]))]);
    assert_faults(&with_form(&waits, &["A", "Filled"]), &[]);
    // Whatever the loop does, this read comes too early.
    let too_early = json!([publish("A"), wait(&json!([assign("Set", "A", "x")]))]);
    assert_faults(&with_form(&too_early, &["A", "Filled"]), &[("/activities/0/status/boundTo", UNSET)]);
    let mut skipped = wait(&json!([]));
    skipped["expression"]["operand"] = json!("notEqual");
    let place = "/activities/0/expression/left/boundTo";
    assert_faults(&with_form(&json!([skipped]), &["A", "Filled"]), &[(place, UNSET)]);
    let mut delayed = skipped.clone();
    delayed["expression"]["left"] = json!({ "isBound": false, "value": "x" });
    delayed["iterationDelaySeconds"] = bound("A");
    delayed["activities"] = json!([{ "name": "End", "type": "Terminate" }]);
    let place = "/activities/0/iterationDelaySeconds/boundTo";
    assert_faults(&with_form(&json!([delayed]), &["A", "Filled"]), &[(place, UNSET)]);
}

#[test]
fn placeholders_are_found_at_their_characters() {
    let service = with_form(&json!([assign("Set", "B", "x {A} {C} {A}")]), &["A", "B", "Filled"]);
    let unknown = "unknown placeholder `{C}`: no variable has this name";
    let both = [("/activities/0/body", unknown), ("/activities/0/body", UNSET)];
    assert_faults(&service, &both);
    let repeated = with_form(&json!([assign("Set", "B", "x {A} {C} {A} {C}")]), &["A", "B", "Filled"]);
    assert_faults(&repeated, &both);
}

#[test]
fn approval_without_anybody_to_ask_is_found() {
    let mut asked = approval("Approval", &json!([]));
    asked["assignees"] = json!([{ "type": "Parameter", "parameter": { "isBound": false, "value": "" } }]);
    let message = "missing assignees in `Approval`, no assignee has a value";
    assert_faults(&Service::new(&json!([asked]), &[]), &[("/activities/0/assignees", message)]);
    // The variable is the cause.
    asked["assignees"] = json!([{ "type": "Parameter", "parameter": bound("A") }]);
    let place = "/activities/0/assignees/0/parameter/boundTo";
    assert_faults(&with_form(&json!([asked]), &["A", "Filled"]), &[(place, UNSET)]);
}

#[test]
fn missing_required_parameter_is_found_when_its_call_is_reached() {
    let call = provider("Look up", "Get-ZPESignDocumentSignatureStatus", &[("Prefix", "B")]);
    let message = "missing required parameter `Id` of `Get-ZPESignDocumentSignatureStatus`";
    let place = "/activities/0/providerParameters";
    assert_faults(&Service::new(&json!([call]), &["BStatus"]), &[(place, message)]);
    let ends = json!({ "name": "End", "type": "Terminate" });
    assert_faults(&Service::new(&json!([ends, call]), &["BStatus"]), &[]);
}

#[test]
fn rejection_that_a_timeout_counts_as_may_have_written() {
    let set = assign("Set", "A", "x");
    let events = json!([{ "name": "On rejection", "type": "Event", "event": "OnForeachReject", "activities": [set] }]);
    let mut asked = approval("Approval", &events);
    asked["timeout"] = json!({ "isBound": false, "value": 60 });
    let service = with_form(&json!([asked, publish("A")]), &["A", "Filled"]);
    assert_faults(&service, &[]);
    let approves =
        json!({ "approvals": { "Approval": { "boss@example.com": { "after": "1s", "action": "approve" } } } });
    let found = service.play("", &approves).faults;
    assert_eq!(found, [("/activities/1/status/boundTo".to_owned(), UNSET.to_owned())]);
}

#[test]
fn run_without_faults_has_none() {
    assert_faults(&Service::new(&json!([status("Begin", "x"), assign("Set", "A", "y")]), &["A"]), &[]);
}
