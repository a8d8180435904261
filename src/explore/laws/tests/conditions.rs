//! `when` and `expect`: each kind of expectation, held and broken.

use serde_json::{Value, json};

use super::{Service, approval, assign, provider, status, terminate};

fn answer(action: &str) -> Value {
    json!({ "approvals": { "Approval": { "boss@example.com": { "after": "1h", "action": action } } } })
}

/// Publishes two statuses and asks for an approval; who rejects ends the order.
fn service() -> Service {
    let rejected = json!([{
        "name": "On rejection", "type": "Event", "event": "OnForeachReject",
        "activities": [status("Tell", "The order was rejected"), terminate()]
    }]);
    Service::new(
        &json!([
            status("Begin", "Waiting"),
            approval("Approval", &rejected),
            assign("Note", "State", "done"),
            status("Finish", "Done: all")
        ]),
        &["State"],
    )
}

#[test]
fn expectations_hold_or_tell_what_they_found() {
    let service = service();
    let (approved, rejected, nothing) = (answer("approve"), answer("reject"), json!({}));
    let missing = Some("missing mail `finished` to `boss@example.com`");
    let not_listed = |list: &str| Some(format!("published statuses are not {list}"));
    for (expect, scenario, wanted) in [
        ("outcome = 'completed'", &approved, None),
        ("outcome = 'completed'", &rejected, Some("expected outcome `completed`, found `terminated`")),
        ("outcome = 'stuck'", &nothing, None),
        ("ends = true", &rejected, None),
        ("ends = true", &nothing, Some("order never ends")),
        ("variables = { State = 'done' }", &approved, None),
        ("variables = { State = 'done' }", &rejected, Some("expected \"done\" in `State`, found \"\"")),
        ("variables = { Other = '' }", &approved, None),
        ("approvals = { Approval = 'approved' }", &approved, None),
        (
            "approvals = { Approval = 'approved' }",
            &rejected,
            Some("expected `approved` of `Approval`, found `rejected`"),
        ),
        (
            "approvals = { Approval = 'approved' }",
            &nothing,
            Some("expected `approved` of `Approval`, found no decision"),
        ),
        ("mails = [{ to = ' BOSS@example.com ', kind = 'approval-request' }]", &approved, None),
        ("mails = [{ to = 'boss@example.com', kind = 'finished' }]", &approved, missing),
        ("mails = [{}]", &approved, None),
        ("failure = 'x'", &approved, Some("expected a failure with \"x\", found no failure")),
        ("statuses = ['Waiting', 'Done*']", &approved, None),
        ("statuses = ['...', '*rejected']", &rejected, None),
        ("statuses = ['...', '*rejected']", &approved, not_listed("[\"...\", \"*rejected\"]").as_deref()),
        ("statuses = ['Done*']", &approved, not_listed("[\"Done*\"]").as_deref()),
        (
            "outcome = 'failed', ends = true, variables = { State = 'x' }",
            &approved,
            Some("expected outcome `failed`, found `completed`; expected \"x\" in `State`, found \"done\""),
        ),
    ] {
        let law = format!("[[law]]\nname = 'a'\nexpect = {{ {expect} }}\n");
        assert_eq!(service.play(&law, scenario).broken().as_deref(), wanted, "{expect} {scenario}");
    }
}

#[test]
fn law_concerns_the_runs_of_its_when_and_the_services_of_its_patterns() {
    let service = service();
    let play = |law: &str, scenario: &Value| {
        service.play(&format!("[[law]]\nname = 'a'\n{law}\nexpect = {{ outcome = 'failed' }}\n"), scenario).verdicts
    };
    let judged = |law: &str, scenario: &Value| {
        play(law, scenario).first().map(|verdict| (verdict.is_met, verdict.breach.is_some()))
    };
    let (approved, nothing) = (answer("approve"), json!({}));
    assert_eq!(judged("", &approved), Some((true, true)));
    assert_eq!(judged("when = { outcome = 'completed' }", &approved), Some((true, true)));
    assert_eq!(judged("when = { outcome = 'terminated' }", &approved), Some((false, false)));
    assert_eq!(judged("when = { people = 'act' }", &approved), Some((true, true)));
    assert_eq!(judged("when = { people = 'act' }", &nothing), Some((false, false)));
    assert_eq!(judged("services = ['order.*']", &approved), Some((true, true)));
    assert_eq!(judged("services = ['sign/**', '*.json']", &approved), Some((true, true)));
    assert_eq!(judged("services = ['sign/**']", &approved), None);
}

#[test]
fn calls_are_counted_up_to_two() {
    let lookup = || provider("Look up", "Get-ZPADUser", &[("Identity", "anna"), ("Property", "Mail"), ("Prefix", "A")]);
    let broken = |calls: usize, bounds: &str| {
        let activities: Vec<Value> = (0..calls)
            .map(|_| {
                let mut call = lookup();
                call["stopOnError"] = json!(false);
                call
            })
            .collect();
        let service = Service::new(&json!(activities), &["AMail"]);
        let law = format!("[[law]]\nname = 'a'\nexpect = {{ calls = {{ Get-ZPADUser = {bounds} }} }}\n");
        service.play(&law, &json!({})).broken()
    };
    let (missing, unexpected, more) = (
        Some("missing call of `Get-ZPADUser`".to_owned()),
        Some("unexpected call of `Get-ZPADUser`".to_owned()),
        Some("more than one call of `Get-ZPADUser`".to_owned()),
    );
    for (bounds, wanted) in [
        ("{ at-least = 1 }", [&missing, &None, &None, &None]),
        ("{ at-most = 0 }", [&None, &unexpected, &unexpected, &unexpected]),
        ("{ at-most = 1 }", [&None, &None, &more, &more]),
        ("{ at-least = 0 }", [&None, &None, &None, &None]),
        ("1", [&missing, &None, &more, &more]),
        ("0", [&None, &unexpected, &unexpected, &unexpected]),
    ] {
        for (calls, wanted) in wanted.into_iter().enumerate() {
            assert_eq!(broken(calls, bounds), *wanted, "{calls} {bounds}");
        }
    }
}

#[test]
fn failure_holds_a_text() {
    let service = Service::new(&json!([provider("Look up", "Get-ZPADUser", &[("Identity", "anna")])]), &[]);
    let broken =
        |text: &str| service.play(&format!("[[law]]\nname = 'a'\nexpect.failure = '{text}'\n"), &json!({})).broken();
    assert_eq!(broken("unknown identity"), None);
    let message = broken("timeout").unwrap();
    assert!(
        message.starts_with("expected \"timeout\" in the failure, found \"`Look up` failed: unknown identity"),
        "{message}"
    );
}

#[test]
fn states_differ_only_in_what_laws_ask_about() {
    let service = service();
    let state = |law: &str, scenario: &Value| service.play(law, scenario).state;
    let (approved, rejected) = (answer("approve"), answer("reject"));
    let asks = "[[law]]\nname = 'a'\nexpect = { approvals = { Approval = 'approved' } }\n";
    assert_ne!(state(asks, &approved), state(asks, &rejected));
    let does_not = "[[law]]\nname = 'a'\nexpect = { mails = [{ kind = 'reminder' }] }\n";
    assert_eq!(state(does_not, &approved), state(does_not, &rejected));
    let bytes = |law: &str, scenario: &Value| {
        let mut key = Vec::new();
        state(law, scenario).write(&mut key);
        key
    };
    assert_ne!(bytes(asks, &approved), bytes(asks, &rejected));
    assert_eq!(bytes(does_not, &approved), bytes(does_not, &rejected));
    assert!(bytes("", &approved).is_empty());
    let law = "[[law]]\nname = 'a'\nwhen = { variables = { State = 'x' } }\nexpect = { variables = { State = 'y' } }\n";
    assert_eq!(service.variables(law), ["State"]);
}
