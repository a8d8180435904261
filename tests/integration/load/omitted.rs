//! Of one rule in one service 1,000 findings are listed, and all are counted.

use serde_json::Value;

use crate::support::folder::Folder;
use crate::support::run::format_names;

const LISTED: usize = 1_000;
const FURTHER: usize = 123;
const VARIABLES: &str = r#"[{ "name": "Known", "id": 1, "variableType": "String" }]"#;

/// A workflow with so many schema violations; no other rule can look at it.
fn violations(number: usize) -> String {
    format!(r#"{{ "activities": [{}], "variables": {VARIABLES} }}"#, vec!["0"; number].join(","))
}

/// A workflow with so many undefined variables.
fn undefined(number: usize) -> String {
    let status = |at| {
        let status = format!(r#"{{ "isBound": true, "boundTo": "Nowhere{at}" }}"#);
        format!(r#"{{ "name": "S{at}", "type": "Status", "status": {status} }}"#)
    };
    let activities: Vec<String> = (0..number).map(status).collect();
    format!(r#"{{ "activities": [{}], "variables": {VARIABLES} }}"#, activities.join(","))
}

fn count_of(report: &Value, code: &str) -> (usize, u64) {
    let listed = report["diagnostics"].as_array().unwrap().iter().filter(|finding| finding["code"] == code).count();
    let omitted = report["summary"]["omitted"].as_array().into_iter().flatten();
    (listed, omitted.filter(|omitted| omitted["code"] == code).map(|omitted| omitted["count"].as_u64().unwrap()).sum())
}

#[test]
fn all_findings_are_counted() {
    for (text, code) in [(violations(LISTED + FURTHER), "WF004"), (undefined(LISTED + FURTHER), "WF101")] {
        let folder = Folder::with(&[("a.json", &text)]);
        let output = folder.run(&["--format", "json", "--select", code]).expect_code(1);
        let report = output.json();
        assert_eq!(count_of(&report, code), (LISTED, FURTHER as u64));
        assert_eq!(report["summary"]["errors"], (LISTED + FURTHER) as u64);
        assert_eq!(report["summary"]["omitted"][0]["file"], "a.json");
        let schema: Value = serde_json::from_str(include_str!("../../../schemas/report.schema.json")).unwrap();
        assert!(jsonschema::is_valid(&schema, &report));
    }
}

#[test]
fn findings_of_many_files_of_a_service_are_counted() {
    let each = LISTED / 5 + 25;
    let text = undefined(each);
    let files = ["a.json", "b.json", "c.json", "d.json", "e.json"].map(|name| (name, text.as_str()));
    let folder = Folder::with(&files);
    let report = folder.run(&["--format", "json", "--select", "WF101"]).expect_code(1).json();
    assert_eq!(count_of(&report, "WF101"), (LISTED, 125));
    assert_eq!(report["summary"]["errors"], 5 * each as u64);
}

#[test]
fn up_to_the_limit_nothing_is_omitted() {
    for (text, code) in [(violations(LISTED), "WF004"), (undefined(LISTED), "WF101")] {
        let folder = Folder::with(&[("a.json", &text)]);
        let report = folder.run(&["--format", "json", "--select", code]).expect_code(1).json();
        assert_eq!(count_of(&report, code), (LISTED, 0));
        assert!(report["summary"].get("omitted").is_none());
    }
}

#[test]
fn problems_of_a_configuration_are_counted() {
    let entry =
        |at| format!("[[suppress]]\nrule = \"WF101\"\nfile = \"a.json\"\npointer = \"/x/{at}\"\nreason = \"known\"\n");
    let entries = |number: usize| (0..number).map(entry).collect::<String>();
    let folder = Folder::with(&[("a.json", &undefined(1)), ("wflint.toml", &entries(LISTED + FURTHER))]);
    let report = folder.run(&["--format", "json"]).json();
    assert_eq!(count_of(&report, "WF000"), (LISTED, FURTHER as u64));
    assert_eq!(report["summary"]["omitted"][0]["file"], "wflint.toml");
    folder.write("wflint.toml", entries(LISTED));
    let report = folder.run(&["--format", "json"]).json();
    assert_eq!(count_of(&report, "WF000"), (LISTED, 0));
}

/// A signing case with so many schema violations, one of them of a party who could not sign either.
fn case(number: usize) -> String {
    let zeros = vec!["0"; number].join(",");
    format!(r#"{{ "Name": "C", "Parties": [{{ "Name": "P" }}, {zeros}], "AllowedSignatureTypes": ["sms"] }}"#)
}

/// A workflow with these signing cases in its requests.
fn requests(cases: &[String]) -> String {
    let request = |case: &String| {
        let json = Value::from(case.as_str());
        let parameter = format!(r#"{{ "name": "Json", "value": {{ "state": "static", "value": {json} }} }}"#);
        let method = "Request-ZPESignDocumentSignatureWithJsonInput";
        format!(r#"{{ "name": "R", "type": "Provider", "method": "{method}", "providerParameters": [{parameter}] }}"#)
    };
    let requests: Vec<String> = cases.iter().map(request).collect();
    format!(r#"{{ "activities": [{}], "variables": {VARIABLES} }}"#, requests.join(","))
}

#[test]
fn signing_cases_of_very_many_violations_are_checked_no_further() {
    let number = LISTED + FURTHER;
    for text in [case(number), requests(&[case(number)])] {
        let folder = Folder::with(&[("a.json", &text)]);
        let output = folder.run(&["--format", "json"]).expect_code(1);
        assert_eq!(count_of(&output.json(), "WF702"), (LISTED, FURTHER as u64));
        assert_eq!(count_of(&output.json(), "WF703"), (0, 0));
        assert!(output.err().contains("a.json: 1 signing case checked for schema violations only"), "{}", output.err());
        folder.run(&["--baseline", "b", "--write-baseline"]).expect_code(0);
        let report = folder.run(&["--baseline", "b", "--format", "json", "--select", "WF702"]).expect_code(0).json();
        assert_eq!(report["summary"]["baselined"], LISTED as u64);
    }
}

#[test]
fn signing_cases_of_one_file_share_its_limit() {
    let folder = Folder::with(&[("a.json", &requests(&[case(LISTED - 1), case(LISTED - 1)]))]);
    let output = folder.run(&["--format", "json"]).expect_code(1);
    // Those that are only counted are told apart by a short hash.
    let (listed, counted) = count_of(&output.json(), "WF702");
    assert!(listed == LISTED && counted.abs_diff(LISTED as u64 - 2) < 10, "{counted}");
    assert_eq!(count_of(&output.json(), "WF703"), (2, 0));
    assert!(!output.err().contains("signing case"), "{}", output.err());
}

#[test]
fn values_of_signing_cases_in_one_service_are_limited() {
    // Each of them alone is within the limits of a document.
    let zeros = format!("[{}]", vec!["0"; 500_000].join(","));
    let folder = Folder::with(&[("a.json", &requests(&[zeros.clone(), zeros]))]);
    let report = folder.run(&["--format", "json", "--select", "WF701"]).expect_code(1).json();
    let messages: Vec<&str> =
        report["diagnostics"].as_array().unwrap().iter().filter_map(|finding| finding["message"].as_str()).collect();
    let expected = "invalid signing case in `Json`: expected an object, found an array";
    assert_eq!(messages, [expected, "invalid JSON in `Json`: too many values"]);
}

#[test]
fn every_format_says_how_many_are_omitted() {
    let folder = Folder::with(&[("a.json", &violations(LISTED + FURTHER))]);
    for format in format_names() {
        let output = folder.run(&["--format", &format]).expect_code(1);
        assert!(output.out().contains(&FURTHER.to_string()), "{format}");
        assert!(output.err().contains("a.json: only schema violations were checked"), "{}", output.err());
    }
    let statistics = folder.run(&["--statistics"]).expect_code(1);
    assert!(statistics.out().contains(&(LISTED + FURTHER).to_string()), "{}", statistics.out());
}

#[test]
fn a_baseline_lists_what_is_omitted() {
    for text in [violations(LISTED + FURTHER), undefined(LISTED + FURTHER)] {
        let folder = Folder::with(&[("a.json", &text)]);
        folder.run(&["--baseline", "b", "--write-baseline"]).expect_code(0);
        let output = folder.run(&["--baseline", "b", "--format", "json"]).expect_code(0);
        assert_eq!(output.json()["summary"]["errors"], 0);
    }
}

#[test]
fn suppressions_hide_what_is_omitted() {
    for (text, code, pointer) in
        [(violations(LISTED + FURTHER), "WF004", "/activities"), (undefined(LISTED + FURTHER), "WF101", "")]
    {
        let entry = format!(
            "[[suppress]]\nrule = \"{code}\"\nfile = \"a.json\"\npointer = \"{pointer}\"\nreason = \"known\"\n"
        );
        let folder = Folder::with(&[("a.json", &text), ("wflint.toml", &entry)]);
        let report = folder.run(&["--format", "json", "--select", code]).json();
        assert_eq!(report["summary"]["suppressed"], LISTED as u64, "{code} {pointer}");
        assert_eq!(report["summary"]["errors"], 0, "{code} {pointer}");
    }
}

#[test]
fn rules_that_are_not_selected_count_nothing() {
    let folder = Folder::with(&[("a.json", &violations(LISTED + FURTHER))]);
    let report = folder.run(&["--format", "json", "--ignore", "WF004"]).expect_code(0).json();
    assert_eq!(report["summary"]["errors"], 0);
    let severity = "[severity]\nWF004 = \"info\"\n";
    folder.write("wflint.toml", severity);
    let report = folder.run(&["--format", "json"]).expect_code(0).json();
    assert_eq!(report["summary"]["infos"], (LISTED + FURTHER) as u64);
}
