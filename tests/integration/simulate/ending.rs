//! How a run ends: its last instant, runs without an expected outcome, and runs that are stuck.

use serde_json::{Value, json};

use super::order::{approval, assign, code, conditional, order, provider, request, run, status};

#[test]
fn what_people_do_at_the_last_instant_counts() {
    let folder = order(&json!([request("Request", &[]), status("Publish", "sent")]), &["ESignId"]);
    let scenario = "signing: { anna@example.com: { after: 0s, action: sign } }\n\
                    expect: { outcome: completed, elapsed: 0s, statuses: [sent], \
                    mails: [{ to: anna@example.com, kind: finished }] }";
    let report = run(&folder, scenario);
    assert_eq!(report["passed"], true, "{}", report["expectations"]);
    assert_eq!(report["warnings"], json!([]));
}

#[test]
fn reminders_and_expiries_of_the_last_instant_count() {
    let request = request("Request", &[("RemindAfterDays", "1"), ("ExpireAfterDays", "1")]);
    let day =
        conditional("While open", ["State", "notEqual", "closed"], Some(86_400), &[assign("Close", "State", "closed")]);
    let folder = order(&json!([request, day, { "name": "End", "type": "Terminate" }]), &["ESignId", "State"]);
    let report = run(&folder, "expect: { outcome: terminated, elapsed: 1d }");
    assert_eq!(report["passed"], true, "{}", report["expectations"]);
    let expired = |entry: &Value| entry["event"] == "signing case expired" && entry["at"] == 86_400;
    assert!(report["trace"].as_array().unwrap().iter().any(expired), "{}", report["trace"]);
    // The reminder comes after the expiry, and an expired case reminds nobody.
    assert_eq!(report["mails"].as_array().unwrap().len(), 1, "{}", report["mails"]);
}

#[test]
fn scenario_without_an_outcome_passes_only_when_the_order_ends_well() {
    let folder = order(&json!([provider("Create", "New-Mailbox", &[])]), &[]);
    for scenario in ["", "expect: {}", "expect: { calls: { New-Mailbox: 1 } }"] {
        let report = run(&folder, scenario);
        assert_eq!((&report["passed"], &report["outcome"]), (&false.into(), &"failed".into()), "{scenario}");
        let check = &report["expectations"][0];
        assert_eq!((&check["what"], &check["expected"]), (&"outcome".into(), &"completed or terminated".into()));
    }
    let folder = order(&json!([{ "name": "End", "type": "Terminate" }]), &[]);
    assert_eq!(run(&folder, "")["passed"], true);
}

#[test]
fn exact_values_are_compared_exactly() {
    let wait = conditional(
        "While open",
        ["State", "notEqual", "closed"],
        Some(60),
        &[provider("Look up", "New-Mailbox", &[]), assign("Close", "State", "closed")],
    );
    let folder = order(&json!([wait]), &["State"]);
    for (expectation, passed) in [
        ("elapsed: 1m", true),
        ("elapsed: 61s", false),
        ("calls: { New-Mailbox: 1 }", true),
        ("calls: { New-Mailbox: 2 }", false),
    ] {
        let report =
            run(&folder, &format!("providers: {{ New-Mailbox: [{{ outputs: {{}} }}] }}\nexpect: {{ {expectation} }}"));
        assert_eq!(report["passed"], passed, "{expectation}: {}", report["expectations"]);
    }
}

fn message(report: &Value) -> &str {
    assert_eq!(report["outcome"], "stuck");
    report["failure"]["message"].as_str().unwrap()
}

#[test]
fn stuck_names_the_innermost_loop_and_those_around_it() {
    let inner = conditional("While inner", ["B", "notEqual", "x"], Some(60), &[status("Publish", "again")]);
    let outer = conditional("While outer", ["A", "notEqual", "x"], Some(60), &[inner]);
    let folder = order(&json!([outer]), &["A", "B"]);
    let report = run(&folder, "limits: { steps: 50 }");
    let message = message(&report);
    assert!(message.contains("loop `While inner` still runs") && message.contains("`B` notEqual \"x\""), "{message}");
    assert!(message.ends_with(", inside loop `While outer`"), "{message}");
    assert_eq!(report["failure"]["pointer"], "/activities/0/activities/0");
}

#[test]
fn stuck_names_a_busy_loop_around_only_when_no_inner_one_goes_on() {
    let count = conditional("While counting", ["B", "notEqual", "x"], Some(0), &[assign("Count", "B", "x")]);
    let outer = conditional("While outer", ["A", "notEqual", "x"], Some(60), &[count, assign("Reset", "B", "")]);
    let folder = order(&json!([outer]), &["A", "B"]);
    let report = run(&folder, "limits: { virtual-time: 1h }");
    assert!(message(&report).contains("loop `While outer` still runs"), "{}", report["failure"]);
}

#[test]
fn stuck_names_the_approval_that_waits() {
    let outer =
        |timeout| conditional("While outer", ["A", "notEqual", "x"], Some(60), &[approval("Ask boss", timeout)]);
    for (timeout, limit) in [(0, ""), (864_000, "limits: { virtual-time: 1d }")] {
        let folder = order(&json!([outer(timeout)]), &["A", "Approved"]);
        let report = run(&folder, limit);
        let message = message(&report);
        assert!(message.contains("approval `Ask boss`") && message.contains("wait"), "{message}");
        assert!(message.ends_with(", inside loop `While outer`"), "{message}");
    }
}

#[test]
fn scripts_of_a_run_have_a_limit_in_total() {
    let script = "for (let i = 0; i < 400000; i++) {}\nJson = 'x';";
    let slow = conditional("While open", ["State", "notEqual", "closed"], Some(1), &[code("Work", script)]);
    let folder = order(&json!([slow]), &["State", "Json"]);
    let report = run(&folder, "limits: { script-seconds: 1 }");
    let text = message(&report);
    assert!(text.contains("exceeded the limit of 5s"), "{text}");
    assert!(text.contains("for all scripts") && text.contains("`While open`"), "{text}");
    let again = run(&folder, "limits: { script-seconds: 1 }");
    assert_eq!((&report["steps"], &report["trace"]), (&again["steps"], &again["trace"]));
    // Short scripts do not add up to it.
    let short = conditional("While open", ["State", "notEqual", "closed"], Some(1), &[code("Work", "Json = 'x';")]);
    let folder = order(&json!([short]), &["State", "Json"]);
    let report = run(&folder, "limits: { script-seconds: 1, steps: 500 }");
    assert!(message(&report).contains("500 steps"), "{}", report["failure"]);
}
