//! The limit of the taint analysis: a workflow with too many variables and activities is an info of each rule.

use super::analysis::{assign, workflow};
use crate::support::linted::lint_texts;

/// So many Assigns that copy a variable, each from the one before, to a sink, which is `{SINK}` in the activity.
fn chain(code: &str, number: usize, activity: &str) -> Vec<String> {
    let copies = (0..number).map(|at| assign(at, &format!("x{}", at + 1), &format!("{{x{at}}}")));
    let activities: Vec<String> = copies.chain([activity.replace("{SINK}", &format!("x{number}"))]).collect();
    let text = workflow((0..=number).map(|at| format!("x{at}")), &activities);
    let text = text.replacen(r#""id": 1,"#, r#""id": 1, "shouldHide": true, "hideAll": true,"#, 1);
    let form = r#"{ "fields": [{ "name": "x0", "type": "InputText", "isBound": true, "boundTo": "x0" }],
        "variables": [{ "name": "x0", "id": 1, "shouldHide": true, "hideAll": true, "variableType": "String" }] }"#;
    let linted = lint_texts(&[("a.workflow.json", text.as_bytes()), ("a.form.json", form.as_bytes())], 1);
    let report = linted.report(wflint::report::Format::Concise);
    let lines = String::from_utf8(report).unwrap();
    let place = linted
        .findings()
        .iter()
        .filter(|finding| finding.code == code)
        .map(|finding| finding.place.pointer.to_owned())
        .collect();
    let is_info = |line: &&str| line.contains(&format!("{code} info "));
    assert_eq!(lines.lines().filter(is_info).count(), usize::from(place == ["/activities"]), "{code}");
    place
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn workflow_that_is_too_large_for_the_taint_analysis_is_reported() {
    // Each copy is one more fact in all states after it.
    let (followed, too_many) = (1_000, 3_000);
    let provider = |method: &str, parameters: &str| {
        format!(r#"{{ "name": "L", "type": "Provider", "method": "{method}", {parameters} }}"#)
    };
    let fixed = r#"{ "name": "Identity", "value": { "state": "static", "value": "a" } }"#;
    let bound =
        |name: &str| format!(r#"{{ "name": "{name}", "value": {{ "state": "bound", "boundTo": "{{SINK}}" }} }}"#);
    let publish = r#"{ "name": "P", "type": "Status", "status": { "isBound": true, "boundTo": "{SINK}" } }"#;
    let filter = format!(r#""providerParameters": [{fixed}, {}]"#, bound("LDAPFilter"));
    let path = format!(r#""additionalProviderParameters": [{}]"#, bound("Path"));
    let address = format!(r#""providerParameters": [{}]"#, bound("ConnectionURI"));
    for (code, activity, place) in [
        ("WF902", publish.to_owned(), "status/boundTo"),
        ("WF905", provider("Get-ZPADUser", &filter), "providerParameters/1/value/boundTo"),
        ("WF907", provider("Request-ZPESignDocumentSignature", &path), "additionalProviderParameters/0"),
        ("WF908", provider("Request-ZPESignDocumentSignature", &address), "providerParameters/0/value/boundTo"),
    ] {
        assert_eq!(chain(code, followed, &activity), [format!("/activities/{followed}/{place}")], "{code}");
        assert_eq!(chain(code, too_many, &activity), ["/activities"], "{code}");
    }
}
