//! What happens at one instant: people act, approvals time out and cases expire, then reminders go out.

use serde_json::{Value, json};

use super::order::{literal, order, provider, request, run};

/// A request to sign, and an approval by two people with a reminder and a timeout after an hour, which looks up the case
/// when somebody rejects.
fn activities(request: &Value) -> Value {
    let look_up = provider("Look up", "Get-ZPESignDocumentSignatureStatus", &[("Id", "$ESignId"), ("Prefix", "ESign")]);
    let ask = json!({
        "name": "Ask", "type": "Approval", "approvalType": "parallel", "required": "one", "onTimeout": "reject",
        "timeout": literal(3600), "remindTime": literal(3600), "remindAssignees": literal(true),
        "assignees": [{ "type": "Parameter", "parameter": literal("a@example.com;b@example.com") }],
        "activities": [{ "name": "Rejected", "type": "Event", "event": "OnForeachReject", "activities": [look_up] }]
    });
    json!([request, ask])
}

const REJECTS: &str = "a@example.com: { after: 1h, action: reject }";

fn mails(report: &Value) -> Vec<&str> {
    report["mails"].as_array().unwrap().iter().map(|mail| mail["kind"].as_str().unwrap()).collect()
}

#[test]
fn lookup_in_an_event_sends_no_reminder_of_an_approval_that_is_decided_at_that_instant() {
    let folder = order(&activities(&request("Request", &[])), &["ESignId", "ESignStatus"]);
    for (others, decision) in [("", "timed-out"), (", b@example.com: { after: 1h, action: approve }", "approved")] {
        let scenario =
            format!("approvals: {{ Ask: {{ {REJECTS}{others} }} }}\nexpect: {{ approvals: {{ Ask: {decision} }} }}");
        let report = run(&folder, &scenario);
        assert_eq!(report["passed"], true, "{}", report["expectations"]);
        assert_eq!(mails(&report), ["sign-request"], "{decision}");
    }
}

#[test]
fn lookup_in_an_event_sees_who_signs_at_that_instant_and_reminds_the_others_after_the_answers() {
    let party = |mail| json!({ "Name": mail, "EmailAddress": mail, "SocialSecurityNumber": "19900101-2385" });
    let case = json!({
        "Name": "Lease", "AllowedSignatureTypes": ["ElectronicId"], "RemindAfterDays": 1,
        "Parties": [party("c@example.com"), party("d@example.com")]
    });
    let request = provider(
        "Request",
        "Request-ZPESignDocumentSignatureWithJsonInput",
        &[("Json", &case.to_string()), ("Prefix", "ESign")],
    );
    let mut activities = activities(&request);
    for key in ["timeout", "remindTime"] {
        activities[1][key] = literal(86_400);
    }
    let folder = order(&activities, &["ESignId", "ESignStatus"]);
    let scenario = "approvals: { Ask: { a@example.com: { after: 1d, action: reject }, \
                    b@example.com: { after: 1d, action: approve } } }\n\
                    signing: { c@example.com: { after: 1d, action: sign } }\nexpect: { elapsed: 1d }";
    let report = run(&folder, scenario);
    assert_eq!(report["passed"], true, "{}", report["expectations"]);
    let entries = report["trace"].as_array().unwrap().iter().filter(|entry| entry["at"] == 86_400);
    let events: Vec<&str> = entries.map(|entry| entry["event"].as_str().unwrap()).collect();
    assert_eq!(
        events,
        [
            "a@example.com rejected",
            "called Get-ZPESignDocumentSignatureStatus",
            "c@example.com signed",
            "`ESignStatus` = Sent",
            "`ZPActivityStatus` = Get-ZPESignDocumentSignatureStatus: completed",
            "b@example.com approved",
            "decision: approved",
            "mail to d@example.com: Please remember to sign: Lease (reminder)",
        ]
    );
}
