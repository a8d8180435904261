//! Which scripts are judged, and how their limits are reported.

use serde_json::{Value, json};

use crate::support::folder::Folder;
use crate::support::run::run_cli;

const NO_PARTIES: &str = "Json = JSON.stringify({ Name: 'Contract', Parties: [], AllowedSignatureTypes: ['sms'] });";
const GOOD: &str = "Json = JSON.stringify({ Name: 'Contract', Parties: [{ Name: 'Anna', EmailAddress: 'a@example.com', \
    MobilePhone: '+46701740605' }], AllowedSignatureTypes: ['sms'] });";

fn code(name: &str, script: &str) -> Value {
    json!({ "name": name, "type": "Code", "parameters": [], "script": script })
}

fn provider(method: &str, variable: &str, stops: bool) -> Value {
    json!({
        "name": method, "type": "Provider", "method": method, "stopOnError": stops,
        "providerParameters": [
            { "name": "ZPMediaGuid", "value": { "state": "bound", "boundTo": "Document" } },
            { "name": "Json", "value": { "state": "bound", "boundTo": variable } },
            { "name": "Prefix", "value": { "state": "static", "value": "ESign" } }
        ]
    })
}

fn request(variable: &str) -> Value {
    provider("Request-ZPESignDocumentSignatureWithJsonInput", variable, true)
}

fn branch(activities: &Value) -> Value {
    json!({
        "name": "If", "type": "If", "activities": activities,
        "expression": {
            "type": "EqualityExpression", "operand": "equal",
            "left": { "isBound": true, "boundTo": "Kind" }, "right": { "isBound": false, "value": "x" }
        }
    })
}

fn copy(from: &str, to: &str) -> Value {
    json!({ "name": "Copy", "type": "Assign", "body": format!("{{{from}}}"), "result": { "isBound": true, "boundTo": to } })
}

fn order(activities: &Value) -> String {
    let names = ["Json", "Document", "ESignId", "Kind", "Case"];
    let variable = |(name, id): (&str, u32)| {
        let kind = if name == "Document" { "File" } else { "Text" };
        json!({ "name": name, "id": id, "variableType": kind, "isInputParameter": true })
    };
    let variables: Vec<Value> = names.into_iter().zip(1..).map(variable).collect();
    json!({ "activities": activities, "variables": variables }).to_string()
}

/// The findings about cases and scripts, as `CODE severity pointer`.
fn found(activities: &Value) -> Vec<String> {
    let folder = Folder::with(&[("order.workflow.json", &order(activities))]);
    let output = run_cli(&["--format", "json", "--select", "WF7", "--select", "WF806"], folder.path(), b"");
    let report = output.json();
    let word = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let line = |finding: &Value| ["code", "severity", "pointer"].map(|key| word(finding, key)).join(" ");
    report["diagnostics"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn only_a_case_that_reaches_a_request_is_judged() {
    let other = || provider("Publish-Data", "Json", true);
    let text = "Json = 'not a case';";
    let first = ["WF704 error /activities/0/script"].map(str::to_owned).to_vec();
    for (activities, expected) in [
        (json!([code("A", NO_PARTIES), request("Json")]), first.clone()),
        // Another plug-in gets the first text.
        (json!([code("A", text), other(), code("B", GOOD), request("Json")]), vec![]),
        (json!([code("A", NO_PARTIES), other(), code("B", GOOD), request("Json")]), vec![]),
        (json!([code("A", NO_PARTIES), code("B", GOOD), request("Json")]), vec![]),
        // A later text.
        (json!([code("A", GOOD), request("Json"), code("B", NO_PARTIES), other()]), vec![]),
        // The second text may be missing.
        (json!([code("A", NO_PARTIES), branch(&json!([code("B", GOOD)])), request("Json")]), first.clone()),
        // A copy.
        (json!([code("A", NO_PARTIES), copy("Json", "Case"), code("B", text), request("Case")]), first.clone()),
        (json!([code("A", NO_PARTIES), copy("Json", "Case"), code("B", GOOD), request("Json")]), vec![]),
        (json!([code("A", NO_PARTIES), copy("Kind", "Json"), request("Json")]), vec![]),
        (json!([code("A", NO_PARTIES), { "name": "End", "type": "Terminate" }, request("Json")]), vec![]),
        (json!([code("A", NO_PARTIES), other()]), vec![]),
    ] {
        assert_eq!(found(&activities), expected, "{activities:#}");
    }
}

#[test]
fn each_limit_is_a_finding() {
    let endless = "while (true) {}";
    let warning = |index: usize| format!("WF806 warning /activities/{index}/script");
    let info = |index: usize| format!("WF806 info /activities/{index}/script");
    assert_eq!(found(&json!([code("A", endless)])), [warning(0)]);
    let large = format!("{GOOD} // {}", "x".repeat(2 << 20));
    assert_eq!(found(&json!([code("A", &large)])), [info(0)]);
    // The scripts of a service share a limit: those after it are not run.
    let scripts: Vec<Value> = (0..8).map(|index| code("A", &format!("while (true) {{}} // {index}"))).collect();
    let all: Vec<String> = (0..8).map(|index| if index < 2 { warning(index) } else { info(index) }).collect();
    let found = found(&json!(scripts));
    assert_eq!(found.len(), all.len(), "{found:?}");
    assert_eq!((found.first(), found.last()), (all.first(), all.last()));
}

#[test]
fn scripts_of_one_service_do_not_stop_those_of_another() {
    let slow: Vec<Value> = (0..6).map(|index| code("A", &format!("for (;;) {{}} // {index}"))).collect();
    let (slow, faulty) = (order(&json!(slow)), order(&json!([code("A", NO_PARTIES), request("Json")])));
    let files: Vec<(String, &str)> = (0..4)
        .flat_map(|index| [(format!("a{index}/order.json"), slow.as_str()), (format!("b{index}/order.json"), &faulty)])
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let folder = Folder::with(&files);
    let run = |jobs: &str| {
        run_cli(&["--format", "json", "--select", "WF7", "--select", "WF806", "--jobs", jobs], folder.path(), b"")
    };
    let one = run("1").expect_code(1);
    assert_eq!(one.found().iter().filter(|line| line.contains("WF704")).count(), 4, "{:?}", one.found());
    for jobs in ["2", "4"] {
        assert_eq!(run(jobs).out(), one.out());
    }
}

#[test]
fn service_that_waits_for_its_scripts_is_reported_as_when_it_is_alone() {
    // Distinct scripts, equal ones, some that throw, and services without any, some of which are large.
    let activities = |index: usize| match index % 6 {
        0 => json!([code("A", &format!("{NO_PARTIES} // {index}")), request("Json")]),
        1 => json!([code("A", NO_PARTIES), request("Json")]),
        2 => json!([code("A", &format!("throw new Error('{index}')")), code("B", &format!("{GOOD} // {index}"))]),
        3 => json!([copy("Kidn", "Kind"), code("A", GOOD), request("Json")]),
        4 => json!([copy("Kidn", "Kind")]),
        _ => json!([copy(&"Kind} {".repeat(100_000), "Kind"), code("A", &format!("{GOOD} // {index}"))]),
    };
    let files: Vec<(String, String)> =
        (0..30).map(|index| (format!("{index:02}/order.json"), order(&activities(index)))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = Folder::with(&files);
    let diagnostics = |args: &[&str]| {
        let report = run_cli(&[&["--format", "json"], args].concat(), folder.path(), b"").json();
        report["diagnostics"].as_array().unwrap().clone()
    };
    let alone: Vec<Value> = files.iter().flat_map(|(name, _)| diagnostics(&[name])).collect();
    assert!(alone.len() > 30, "{}", alone.len());
    for jobs in ["1", "3"] {
        assert!(diagnostics(&["--jobs", jobs]) == alone, "with {jobs} threads");
    }
}

#[test]
fn limit_of_steps_is_set_in_the_configuration() {
    let script = "for (var i = 0; i < 1000000; i++) {} Json = '{}'";
    let folder = |config: &str| {
        Folder::with(&[("order.workflow.json", &order(&json!([code("A", script)]))), ("wflint.toml", config)])
    };
    let codes = |config: &str| run_cli(&["--format", "json", "--select", "WF806"], folder(config).path(), b"").found();
    assert_eq!(codes(""), [""; 0]);
    assert_eq!(codes("[limits]\nscript-seconds = 0.1\n"), ["order.workflow.json WF806 warning"]);
    run_cli(&["."], folder("[limits]\nscript-seconds = 0\n").path(), b"").expect_code(2);
}

/// The messages, helps and labels of all findings.
fn words(parameters: &[&str], script: &str) -> String {
    let bound = |name: &&str| json!({ "name": name, "value": { "isBound": true, "boundTo": name } });
    let parameters: Vec<Value> = parameters.iter().map(bound).collect();
    let build = json!({ "name": "Build", "type": "Code", "parameters": parameters, "script": script });
    let folder = Folder::with(&[("order.workflow.json", &order(&json!([build, request("Json")])))]);
    let report = run_cli(&["--format", "json", "--select", "WF7", "--select", "WF806"], folder.path(), b"").json();
    let findings = report["diagnostics"].as_array().unwrap();
    assert!(!findings.is_empty(), "{script}");
    let texts =
        findings.iter().map(|finding| format!("{} {} {}", finding["message"], finding["help"], finding["related"]));
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn made_up_values_are_not_shown_as_if_the_document_had_them() {
    for script in [
        "Json = JSON.stringify({ Name: Case, Parties: [{ Name: Case, EmailAddress: Kind }], AllowedSignatureTypes: ['sms'] })",
        "Json = JSON.stringify({ Name: Case, Parties: [{ Name: 'A', EmailAddress: Kind, AnyoneCanSign: true }, \
         { Name: 'B', EmailAddress: Kind, AnyoneCanSign: true }], Culture: Kind.length })",
        "Json = JSON.stringify({ Name: Case, Parties: [{ Name: 'A', SignatureType: Kind }] })",
        "Json = 'Dear ' + Case",
        "throw new Error('no ' + Case + ' and ' + Kind.toUpperCase())",
        "JSON.parse('[' + Case)",
    ] {
        let words = words(&["Case", "Kind"], script);
        let made_up = ["Case 000001", "Kind 000002", "KIND 000002", "Case 000101", "Kind 000102"];
        assert!(!made_up.iter().any(|value| words.contains(value)), "{script}: {words}");
    }
}
