//! What a report says of provider calls that fail.

use serde_json::{Value, json};

use super::order::{order, provider, run};

fn calls(report: &Value) -> Vec<(bool, &str)> {
    let calls = report["calls"].as_array().unwrap();
    calls.iter().map(|call| (call["ok"].as_bool().unwrap(), call["error"].as_str().unwrap_or_default())).collect()
}

#[test]
fn call_of_a_method_that_is_not_simulated_is_a_failed_call() {
    let folder = order(&json!([provider("Create", "New-Mailbox", &[])]), &[]);
    let report = run(&folder, "expect: { outcome: failed, calls: { New-Mailbox: 1 } }");
    assert_eq!(report["passed"], true, "{}", report["expectations"]);
    let [(false, error)] = calls(&report)[..] else { panic!("{}", report["calls"]) };
    assert!(error.contains("`New-Mailbox`") && error.contains("not simulated"), "{error}");
}

#[test]
fn call_without_a_result_left_is_a_failed_call() {
    let folder = order(&json!([provider("One", "New-Mailbox", &[]), provider("Two", "New-Mailbox", &[])]), &[]);
    let report = run(&folder, "providers: { New-Mailbox: [{ outputs: {} }] }\nexpect: { outcome: failed }");
    let [(true, ""), (false, error)] = calls(&report)[..] else { panic!("{}", report["calls"]) };
    assert!(error.contains("missing result for call 2"), "{error}");
}

#[test]
fn call_with_a_missing_parameter_is_a_failed_call() {
    let folder = order(&json!([provider("Look up", "Get-ZPADUser", &[])]), &[]);
    let report = run(&folder, "expect: { outcome: failed }");
    let [(false, error)] = calls(&report)[..] else { panic!("{}", report["calls"]) };
    assert!(error.contains("`Identity`"), "{error}");
}
