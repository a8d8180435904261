//! Requests that are refused, and people who act in several cases.

use serde_json::{Value, json};

use super::order::{order, provider, request, run};

#[test]
fn request_refuses_what_the_rules_call_errors() {
    for (parameter, value, failure) in [
        ("PartySSN", "1990", "`PartySSN`"),
        ("PartySSN", "19901341-2385", "`PartySSN`"),
        ("PartyEmail", "Anna <anna@example.com>", "`PartyEmail`"),
        ("ExpireAfterDays", "-1", "`ExpireAfterDays`"),
        ("RemindAfterDays", "1.5", "`RemindAfterDays`"),
    ] {
        let folder = order(&json!([request("Request", &[(parameter, "$Value")])]), &["ESignId", "Value"]);
        let scenario =
            format!("variables: {{ Value: '{value}' }}\nexpect: {{ outcome: failed, failure: '{failure}' }}");
        let report = run(&folder, &scenario);
        assert_eq!(report["passed"], true, "{value}: {}", report["expectations"]);
        assert_eq!(report["calls"][0]["ok"], false);
    }
    // A wrong check digit is a warning.
    let folder = order(&json!([request("Request", &[("PartySSN", "19900101-2380")])]), &["ESignId"]);
    assert_eq!(run(&folder, "")["passed"], true);
}

#[test]
fn request_in_json_refuses_the_same_members() {
    let party = json!({ "Name": "Anna", "EmailAddress": "anna@example.com", "SocialSecurityNumber": "19900101-2385" });
    let case = json!({ "Name": "Lease", "AllowedSignatureTypes": ["ElectronicId"], "Parties": [party] });
    let with = |pointer: &str, key: &str, value: Value| {
        let mut changed = case.clone();
        changed.pointer_mut(pointer).unwrap()[key] = value;
        changed
    };
    let json_request = |case: &Value| {
        let folder = order(
            &json!([provider(
                "Request",
                "Request-ZPESignDocumentSignatureWithJsonInput",
                &[("Json", "$Case"), ("Prefix", "ESign")]
            )]),
            &["ESignId", "Case"],
        );
        run(&folder, &format!("variables: {{ Case: '{case}' }}"))
    };
    assert_eq!(json_request(&case)["passed"], true, "{}", json_request(&case)["failure"]);
    for (pointer, key, value) in [
        ("/Parties/0", "SocialSecurityNumber", json!("19901341-2385")),
        ("/Parties/0", "EmailAddress", json!("anna@@example.com")),
        ("", "ExpireAfterDays", json!(-1)),
        ("", "RemindAfterDays", json!(-2)),
    ] {
        let report = json_request(&with(pointer, key, value));
        let message = report["failure"]["message"].as_str().unwrap();
        assert!(message.contains(&format!("in `{key}` at `{pointer}/{key}`")), "{message}");
    }
    assert_eq!(json_request(&with("/Parties/0", "EmailAddress", json!("")))["passed"], true);
}

#[test]
fn list_under_signing_has_an_entry_for_each_case() {
    let folder = order(&json!([request("One", &[]), request("Two", &[]), request("Three", &[])]), &["ESignId"]);
    let scenario = "signing:\n  anna@example.com: [{}, { after: 0s, action: sign }]\n\
                    expect: { outcome: completed, mails: [{ kind: finished }] }";
    let report = run(&folder, scenario);
    assert_eq!(report["passed"], true, "{}", report["expectations"]);
    let finished = report["mails"].as_array().unwrap().iter().filter(|mail| mail["kind"] == "finished").count();
    assert_eq!((finished, &report["warnings"]), (1, &json!([])));
    let scenario = "signing:\n  anna@example.com: [{}, {}, {}, { after: 0s, action: sign }]";
    let report = run(&folder, scenario);
    assert_eq!(
        report["warnings"],
        json!(["unused entries of `anna@example.com` under `signing`: asked by 3 cases, 4 entries"])
    );
}
