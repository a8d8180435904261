//! Peak memory: at most 64 MiB, and 12 times the bytes of the documents that are read at one time. `cargo bench --bench
//! memory` measures many more inputs, and larger ones.

#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};

use crate::support::folder::Folder;

const BASE: usize = 64 << 20;
const FACTOR: usize = 12;
/// What the program itself takes more when it is built without optimization.
const UNOPTIMIZED: usize = if cfg!(debug_assertions) { 8 << 20 } else { 0 };

/// The peak memory of a run on a folder, in bytes: read until the process has ended, as it can only grow.
fn peak(folder: &Folder) -> usize {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wflint"))
        .args(["--format", "json", "--jobs", "4", "--no-scripts", "."])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let path = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(&path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<usize>().ok());
        peak = kibibytes.unwrap_or(0).max(peak);
        std::thread::yield_now();
    }
    assert!(peak > 0, "the process was seen");
    peak * 1024
}

fn check(files: &[(String, String)]) {
    let listed: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    let (peak, bound) = (peak(&Folder::with(&listed)), BASE + UNOPTIMIZED + FACTOR * bytes);
    assert!(peak <= bound, "{} MiB of {}", peak >> 20, bound >> 20);
}

const VARIABLE: &str = r#"{ "name": "Known", "id": 1, "variableType": "String" }"#;

fn workflow(activities: &str) -> Vec<(String, String)> {
    vec![("a.json".to_owned(), format!(r#"{{ "activities": [{activities}], "variables": [{VARIABLE}] }}"#))]
}

#[test]
fn findings_take_little_memory() {
    check(&workflow(&vec!["0"; 1 << 20].join(",")));
    check(&workflow(&vec!["{}"; 1 << 18].join(",")));
}

#[test]
fn forms_share_their_declarations() {
    let variable = |at: usize| format!(r#"{{ "name": "x{at}", "id": {at}, "variableType": "String" }}"#);
    let variables: Vec<String> = (1..9).map(variable).collect();
    let form = format!(r#"{{ "fields": [], "variables": [{}] }}"#, variables.join(","));
    check(&(0..1_250).map(|at| (format!("f{at}.form.json"), form.clone())).collect::<Vec<_>>());
}

#[test]
fn configurations_take_little_memory() {
    let mut many = Vec::new();
    for at in 0..2_000 {
        many.extend(workflow("").into_iter().map(|(name, text)| (format!("d{at}/{name}"), text)));
        many.push((format!("d{at}/wflint.toml"), "[severity]\nWF101 = \"warning\"\n".to_owned()));
    }
    check(&many);
}

#[test]
fn flows_of_many_paths_take_little_memory() {
    let decide = |at: usize| {
        format!(
            r#"{{ "name": "I", "type": "If", "expression": {{ "type": "EqualityExpression", "operand": "equal",
                "left": {{ "isBound": true, "boundTo": "x{at}" }}, "right": {{ "isBound": true, "boundTo": "x{}" }} }},
                "activities": [{{ "name": "S", "type": "Status" }}] }}"#,
            at + 1
        )
    };
    let variables: Vec<String> =
        (0..301).map(|at| format!(r#"{{ "name": "x{at}", "id": {}, "variableType": "String" }}"#, at + 1)).collect();
    let activities: Vec<String> = (0..300).map(decide).collect();
    let looped = format!(r#"{{ "name": "W", "type": "While", "activities": [{}] }}"#, activities.join(","));
    let text = format!(r#"{{ "activities": [{looped}], "variables": [{}] }}"#, variables.join(","));
    check(&(0..8).map(|at| (format!("s{at}/a.json"), text.clone())).collect::<Vec<_>>());
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn what_is_repeated_in_one_value_takes_little_memory() {
    let bound = r#"{ "isBound": true, "boundTo": "Known" }"#;
    let assign = |body: &str| format!(r#"{{ "name": "A", "type": "Assign", "result": {bound}, "body": "{body}" }}"#);
    check(&workflow(&assign(&"{x}".repeat(1 << 20))));
    check(&workflow(&format!(r#"{{ "name": "S", "type": "Status", {} }}"#, vec![r#""x": 1"#; 1 << 18].join(","))));
    let names = (0..1 << 18).map(|at| format!("x{at}")).collect::<Vec<_>>().join(",");
    let parameter = format!(r#"{{ "name": "Property", "value": {{ "state": "static", "value": "{names}" }} }}"#);
    check(&workflow(&format!(
        r#"{{ "name": "L", "type": "Provider", "method": "Get-ZPADUser", "providerParameters": [{parameter}] }}"#
    )));
}

#[test]
fn approvals_share_what_their_form_does() {
    const NUMBER: usize = 2_000;
    let ask = |at: usize| format!(r#"{{ "name": "A{at}", "type": "Approval", "connectedFormName": "f" }}"#);
    let field =
        |at: usize| format!(r#"{{ "name": "F{at}", "type": "InputText", "isBound": true, "boundTo": "x{at}" }}"#);
    let variable = |at: usize| format!(r#"{{ "name": "x{at}", "id": {}, "variableType": "String" }}"#, at + 1);
    let variables = (0..NUMBER).map(variable).collect::<Vec<_>>().join(",");
    let activities = (0..NUMBER).map(ask).collect::<Vec<_>>().join(",");
    let fields = (0..NUMBER).map(field).collect::<Vec<_>>().join(",");
    check(&[
        ("a.json".to_owned(), format!(r#"{{ "activities": [{activities}], "variables": [{variables}] }}"#)),
        ("f.form.json".to_owned(), format!(r#"{{ "fields": [{fields}], "variables": [{variables}] }}"#)),
    ]);
}

#[test]
fn scripts_take_little_memory() {
    let code = |script: &str| format!(r#"{{ "name": "C", "type": "Code", "script": "{script}" }}"#);
    check(&workflow(&code(&"a;".repeat(1 << 20))));
    let scripts: Vec<String> = (0..32).map(|at| code(&format!("x{at};{}", "a;".repeat(16 << 10)))).collect();
    check(&workflow(&scripts.join(",")));
}
