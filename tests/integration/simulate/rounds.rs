//! Rounds of a loop that are like the one before are counted in the timeline, and everything else is counted in each.

use serde_json::{Value, json};

use super::order::{assign, conditional, order, provider, request, run, simulate, status};

const STATUS: &str = "Get-ZPESignDocumentSignatureStatus";

/// A request, and a loop that looks its status up each minute until it is finished.
fn polling() -> Value {
    let look_up = provider("Look up", STATUS, &[("Id", "$ESignId"), ("Prefix", "ESign")]);
    let poll = conditional("Poll", ["ESignStatus", "notEqual", "Finished"], Some(60), &[look_up]);
    json!([request("Request", &[]), poll])
}

#[test]
fn a_year_of_polling_is_played() {
    let folder = order(&polling(), &["ESignId", "ESignStatus"]);
    let shown = simulate(&folder, "limits: { virtual-time: 365d, steps: 99999999 }", "human").expect_code(1);
    let rounds = 365 * 24 * 60;
    let counted = format!("loop `Poll` still runs after {} rounds", rounds + 1);
    let words = shown.out().split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    assert!(words.contains(&counted), "{}", shown.out());
    // The request, the loop, and in each round the condition and the call; the wait of the last round has no end.
    assert!(words.contains(&format!("stuck after 365d, in {} steps", 2 + 2 * rounds + 1)), "{}", shown.out());
}

#[test]
fn each_call_is_listed_and_a_fault_and_a_signature_come_at_their_time() {
    let folder = order(&polling(), &["ESignId", "ESignStatus"]);
    let scenario = format!(
        "faults: [{{ method: {STATUS}, call: 500, error: away }}]\n\
         signing: {{ anna@example.com: {{ after: 1000m, action: sign }} }}"
    );
    let report = run(&folder, &scenario);
    assert_eq!((&report["outcome"], &report["elapsedSeconds"]), (&"failed".into(), &json!(500 * 60)));
    let calls = report["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 1 + 500);
    for (round, call) in (0..).zip(calls) {
        assert_eq!((&call["at"], &call["ok"]), (&json!(round * 60), &json!(round < 500)));
    }
    let report = run(&folder, "signing: { anna@example.com: { after: 1000m, action: sign } }");
    assert_eq!((&report["outcome"], &report["elapsedSeconds"]), (&"completed".into(), &json!(1000 * 60)));
    assert_eq!(report["calls"].as_array().unwrap().len(), 1 + 1000);
    // The request, the loop, a condition and a call in each round, and the condition that ends it.
    assert_eq!(report["steps"], 2 + 2 * 1000 + 1);
    let at = |event: &str| {
        let entries = report["trace"].as_array().unwrap().iter().filter(|entry| entry["event"] == event);
        entries.map(|entry| entry["at"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(at("`ESignStatus` = Sent"), (1..1000).map(|round| round * 60).collect::<Vec<_>>());
    assert_eq!(at("`ESignStatus` = Finished"), [1000 * 60]);
}

#[test]
fn of_rounds_that_are_alike_the_first_is_shown() {
    let poll =
        conditional("Loop", ["A", "notEqual", "x"], Some(60), &[assign("One", "A", "1"), assign("Two", "A", "2")]);
    let folder = order(&json!([poll]), &["A"]);
    let shown = simulate(&folder, "limits: { virtual-time: 40m }", "human").expect_code(1).out().to_owned();
    // In the first round, the condition sees another value.
    assert_eq!(shown.matches("`A` = 1").count(), 2, "{shown}");
    assert!(shown.contains("… 38 more rounds of `Loop` like this in 38m …"), "{shown}");
    let poll = conditional("Loop", ["A", "notEqual", "x"], Some(60), &[status("Say", "Waiting")]);
    let folder = order(&json!([poll]), &["A"]);
    let run =
        |format: &str| simulate(&folder, "limits: { virtual-time: 5000m }", format).expect_code(1).out().to_owned();
    let shown = run("human");
    assert_eq!(shown.matches("published \"Waiting\"").count(), 1, "{shown}");
    assert!(shown.contains("… 4999 more rounds of `Loop` like this in 3d 11h 19m …"), "{shown}");
    let report: Value = serde_json::from_str(&run("json")).unwrap();
    let scenario = &report["scenarios"][0];
    assert_eq!(scenario["statuses"].as_array().unwrap().len(), 5000);
    let published =
        scenario["trace"].as_array().unwrap().iter().filter(|entry| entry["event"] == "published \"Waiting\"");
    assert!(published.map(|entry| entry["at"].as_u64().unwrap()).eq((1..=5000).map(|round| round * 60)));
    // Of loops inside of others, the rounds of the innermost are counted.
    let inner = conditional("Inner", ["B", "equal", ""], Some(60), &[status("Say", "Waiting")]);
    let outer = conditional("Loop", ["A", "notEqual", "x"], Some(60), &[assign("One", "A", "1"), inner]);
    let folder = order(&json!([outer]), &["A", "B"]);
    let shown = simulate(&folder, "limits: { virtual-time: 5000m }", "human").expect_code(1).out().to_owned();
    assert_eq!(shown.matches("published \"Waiting\"").count(), 1, "{shown}");
}

#[test]
fn warnings_are_counted_in_each_round() {
    let poll = conditional("Loop", ["A", "notEqual", "x"], Some(60), &[assign("Greet", "A", "Hello {Nmae}")]);
    let folder = order(&json!([poll]), &["A"]);
    let shown = simulate(&folder, "limits: { virtual-time: 50m }", "human").expect_code(1).out().to_owned();
    assert!(shown.contains("(50 times)"), "{shown}");
}

#[test]
fn strings_that_each_round_builds_meet_their_limit() {
    let poll = conditional("Loop", ["A", "notEqual", "x"], Some(60), &[assign("Set", "A", &"a".repeat(1 << 20))]);
    let folder = order(&json!([poll]), &["A"]);
    let report = run(&folder, "");
    let message = report["failure"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("exceeded the limit of 32 MiB of text: loop `Loop` still runs after 33 rounds"),
        "{message}"
    );
    assert_eq!(report["elapsedSeconds"], 33 * 60);
}

#[test]
fn loop_around_a_loop_is_played_to_its_end() {
    let inner = conditional("Inner", ["State", "notEqual", "ready"], Some(60), &[provider("Ask", "Get-State", &[])]);
    let outer = conditional(
        "Outer",
        ["Round", "notEqual", "xxx"],
        Some(60),
        &[assign("Reset", "State", "new"), inner, assign("Count", "Round", "{Round}x")],
    );
    let folder = order(&json!([outer]), &["State", "Round"]);
    let results = format!("{} {{ outputs: {{ State: ready }} }},", "{ outputs: { State: new } },".repeat(9)).repeat(3);
    let report = run(&folder, &format!("providers: {{ Get-State: [{results}] }}"));
    assert_eq!((&report["outcome"], &report["elapsedSeconds"]), (&"completed".into(), &json!(3 * (60 + 10 * 60))));
    assert_eq!(report["calls"].as_array().unwrap().len(), 30);
}
