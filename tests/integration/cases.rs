//! Scripts that build signing cases: `tests/scripts/cases.toml`.

mod failures;
mod judged;

use std::fmt::Write;

use serde::Deserialize;
use serde_json::json;

use crate::support::folder::Folder;
use crate::support::run::run_cli;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    script: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    title: String,
    parameters: Vec<String>,
    code: String,
    from: String,
    to: String,
    /// Code and severity.
    finding: String,
    /// What stands at the finding.
    at: String,
    /// What the change causes as well.
    #[serde(default)]
    also: Vec<String>,
}

/// An order whose request takes the case from a script.
fn order(parameters: &[String], script: &str) -> String {
    let bound = |name: &str| json!({ "isBound": true, "boundTo": name });
    let given: Vec<_> = parameters.iter().map(|name| json!({ "name": name, "value": bound(name) })).collect();
    let names = parameters.iter().map(String::as_str).chain(["Json", "Document", "ESignId"]);
    let types = |name: &str| if name == "Document" { "File" } else { "Text" };
    let variables: Vec<_> = names
        .zip(1..)
        .map(|(name, id)| json!({ "name": name, "id": id, "variableType": types(name), "isInputParameter": true }))
        .collect();
    let order = json!({
        "activities": [
            { "name": "Build case", "type": "Code", "parameters": given, "script": script },
            {
                "name": "Request signature",
                "type": "Provider",
                "method": "Request-ZPESignDocumentSignatureWithJsonInput",
                "providerParameters": [
                    { "name": "ZPMediaGuid", "value": { "state": "bound", "boundTo": "Document" } },
                    { "name": "Json", "value": { "state": "bound", "boundTo": "Json" } },
                    { "name": "Prefix", "value": { "state": "static", "value": "ESign" } }
                ]
            }
        ],
        "variables": variables
    });
    order.to_string()
}

/// The findings about cases and scripts: code, severity, and the text of the script from there on.
fn findings(parameters: &[String], script: &str) -> Vec<(String, String)> {
    let text = order(parameters, script);
    let folder = Folder::with(&[("order.workflow.json", &text)]);
    let output = run_cli(&["--format", "json", "--select", "WF7", "--select", "WF8"], folder.path(), b"");
    let report = output.json();
    let found = report["diagnostics"].as_array().unwrap().iter().map(|finding| {
        let column = usize::try_from(finding["range"]["start"]["column"].as_u64().unwrap()).unwrap();
        // The document has one line, and only ASCII characters.
        let rest = text[column - 1..].replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
        (format!("{} {}", finding["code"].as_str().unwrap(), finding["severity"].as_str().unwrap()), rest)
    });
    found.collect()
}

#[test]
fn scripts_are_silent_and_their_defects_are_found() {
    let table: Table = toml::from_str(include_str!("../scripts/cases.toml")).unwrap();
    assert!(table.script.len() >= 40);
    let mut wrong = String::new();
    for entry in &table.script {
        let good = findings(&entry.parameters, &entry.code);
        if !good.is_empty() {
            let _ = writeln!(wrong, "{}: not silent: {:?}", entry.title, short(&good));
        }
        assert_eq!(entry.code.matches(&entry.from).count(), 1, "{}: {}", entry.title, entry.from);
        let bad = findings(&entry.parameters, &entry.code.replace(&entry.from, &entry.to));
        let (about, others): (Vec<_>, Vec<_>) = bad.iter().cloned().partition(|(code, _)| *code == entry.finding);
        let is_there = matches!(about.as_slice(), [(_, rest)] if rest.starts_with(&entry.at));
        let mut others: Vec<&str> = others.iter().map(|(code, _)| code.as_str()).collect();
        let mut also: Vec<&str> = entry.also.iter().map(String::as_str).collect();
        others.sort_unstable();
        also.sort_unstable();
        if !is_there || others != also {
            let _ = writeln!(
                wrong,
                "{}: {} at {:?} expected, found {:?}",
                entry.title,
                entry.finding,
                entry.at,
                short(&bad)
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn short(found: &[(String, String)]) -> Vec<String> {
    found.iter().map(|(code, rest)| format!("{code} {:?}", rest.chars().take(24).collect::<String>())).collect()
}
