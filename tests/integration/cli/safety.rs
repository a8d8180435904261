//! Names and strings from documents are escaped in every output.

use crate::support::folder::Folder;
use crate::support::run::{format_names, without_pages};
use crate::support::safe_output::{assert_nothing_is_forged, assert_safe};
use crate::support::samples::{BROKEN, ERROR, FINE, UNRELATED};
use serde_json::json;

/// Ends lines, forges commands of build servers, clears a terminal by every escape sequence, changes the
/// text direction, and hides characters.
const HOSTILE: &str = "::x\n::error::forged\r\n##[error]forged##vso[task.y]\u{1b}[2J\u{9b}31m\u{7}\u{7f}\u{0}\u{85}\u{202e}\
                       \u{3164}\u{e0041}\u{fff9}\u{2028}%0A::error::forged";

/// A workflow with the hostile string wherever a message could quote it.
fn hostile_workflow() -> String {
    let bound = |name: &str| json!({ "isBound": true, "boundTo": name, "boundToId": 5 });
    json!({
        "activities": [
            { "name": HOSTILE, "type": HOSTILE },
            { "name": HOSTILE, "type": "Status", "status": bound(HOSTILE), HOSTILE: 1 },
            { "name": HOSTILE, "type": "Status", "status": 5 },
            { "name": "Code", "type": "Code", "script": "", "parameters": 5, HOSTILE: { HOSTILE: 1 } },
            {
                "name": HOSTILE,
                "type": "Assign",
                "result": bound("Result"),
                "body": format!("{{Nobody}} {HOSTILE}"),
                "assignedVariables": [bound(HOSTILE)]
            },
            {
                "name": HOSTILE,
                "type": "Provider",
                "method": HOSTILE,
                "package": HOSTILE,
                "displayWarning": true,
                "warningText": HOSTILE,
                "providerParameters": [{ "name": HOSTILE, "required": true, "value": { "state": "static", "value": "" } }]
            },
            {
                "name": HOSTILE,
                "type": "Provider",
                "method": "Get-ZPADUser",
                "methodId": 614,
                "providerParameters": [
                    { "name": HOSTILE, "value": { "state": "static", "value": HOSTILE } },
                    { "name": HOSTILE, "value": { "state": HOSTILE, "value": HOSTILE } },
                    { "name": "Property", "value": { "state": "static", "value": HOSTILE } },
                    { "name": "Prefix", "value": { "state": "static", "value": HOSTILE } }
                ]
            },
            { "name": HOSTILE, "type": "Approval", "connectedFormName": HOSTILE, "assignees": [], "activities": [
                { "name": HOSTILE, "type": "Event", "event": HOSTILE },
                { "name": HOSTILE, "type": "Event", "event": HOSTILE }
            ] }
        ],
        "variables": [
            { "name": "Result", "id": 4, "variableType": "String" },
            { "name": HOSTILE, "id": 5, "variableType": HOSTILE },
            { "name": HOSTILE, "id": 5, "realId": 6, "variableType": "String" }
        ]
    })
    .to_string()
}

fn hostile_form() -> String {
    let field = json!({ "name": HOSTILE, "type": HOSTILE, "boundTo": HOSTILE, "isBound": false, "onLoad": HOSTILE });
    json!({ "fields": [field, field], "variables": [{ "name": HOSTILE, "id": 9, "variableType": "File" }] }).to_string()
}

#[test]
fn strings_of_documents_are_escaped_in_every_output() {
    let folder = Folder::with(&[("a.json", &hostile_workflow()), ("b.json", &hostile_form())]);
    for format in format_names() {
        let output = folder.run(&["--format", &format]).expect_code(1);
        assert_safe(&output, &format);
        assert_nothing_is_forged(&output, &format);
    }
}

#[test]
fn raw_control_characters_of_a_document_are_escaped_in_every_output() {
    let broken = format!("{{ \"activities\": [\"{HOSTILE}");
    let outside_of_strings = format!("{{ \"activities\": [], {HOSTILE} }}");
    let c1_in_strings = hostile_workflow().replace("\\u001b", "\u{9b}");
    for text in [broken, outside_of_strings, c1_in_strings] {
        let folder = Folder::with(&[("a.json", &text)]);
        for format in format_names() {
            let output = folder.run(&["--format", &format]).expect_code(1);
            assert_safe(&output, &format);
            assert_nothing_is_forged(&output, &format);
        }
    }
}

#[test]
fn bidirectional_controls_are_escaped_in_human_formats() {
    let folder = Folder::with(&[("a.json", &hostile_workflow())]);
    for format in ["human", "concise", "github"] {
        assert!(!folder.run(&["--format", format]).out().contains('\u{202e}'), "{format}");
    }
}

#[test]
fn json_report_keeps_strings_unchanged() {
    let folder = Folder::with(&[("a.json", &hostile_workflow())]);
    let report = folder.run(&["--format", "json"]).json();
    let findings = report["diagnostics"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["activity"] == HOSTILE));
}

#[test]
fn each_finding_is_one_line_in_line_formats() {
    let folder = Folder::with(&[("a.json", &hostile_workflow()), ("b.json", &hostile_form())]);
    let number = folder.found(&["."]).len();
    assert!(number > 10, "{number}");
    let concise = folder.run(&["--format", "concise"]);
    assert_eq!(concise.out().lines().count(), number);
    assert!(concise.out().lines().all(|line| line.starts_with("a.json:") || line.starts_with("b.json:")));
    let github = folder.run(&["--format", "github"]);
    assert_eq!(github.out().lines().count(), number);
    let is_command =
        |line: &str| ["::error file=", "::warning file=", "::notice file="].iter().any(|start| line.starts_with(start));
    assert!(github.out().lines().all(is_command), "{}", github.out());
}

#[test]
fn github_command_has_exactly_the_documented_properties() {
    let folder = Folder::with(&[("a.json", &hostile_workflow())]);
    folder.write("b,line=9::c.json", ERROR);
    let output = folder.run(&["--format", "github"]);
    for line in output.out().lines() {
        let (properties, _) = line.trim_start_matches("::").split_once("::").unwrap();
        let (_, properties) = properties.split_once(' ').unwrap();
        let keys: Vec<&str> = properties.split(',').map(|property| property.split('=').next().unwrap()).collect();
        assert_eq!(keys, ["file", "line", "endLine", "col", "endColumn", "title"], "{line}");
    }
    assert!(output.out().contains("file=b%2Cline=9%3A%3Ac.json,"), "{}", output.out());
}

#[cfg(unix)]
#[test]
fn file_names_are_escaped_in_every_output() {
    let name = format!("{}.json", HOSTILE.replace(['\0', '/'], ""));
    let folder = Folder::with(&[(&name, ERROR), ("sub\u{1b}[2J/a.json", BROKEN), ("\u{9b}31m.json", UNRELATED)]);
    for format in format_names() {
        for paths in [&["."][..], &[&name], &["\u{9b}31m.json"]] {
            let output = folder.run(&[&["--format", &format], paths].concat()).expect_code(1);
            assert_safe(&output, &format);
            assert_nothing_is_forged(&output, &format);
        }
    }
    let report = folder.run(&["--format", "json", &name]).json();
    assert_eq!(report["diagnostics"][0]["file"], name.as_str(), "and the report names the file as it is called");
}

#[test]
fn names_in_errors_are_escaped() {
    let folder = Folder::with(&[("a.json", FINE)]);
    let hostile = HOSTILE.replace('\0', "");
    for args in [
        &[hostile.as_str()][..],
        &["--select", &hostile],
        &["--output", &format!("{hostile}/report")],
        &["explain", &hostile],
    ] {
        let output = folder.run(args).expect_code(2);
        assert_safe(&output, &format!("{args:?}"));
        assert_nothing_is_forged(&output, &format!("{args:?}"));
    }
}

#[test]
fn invalid_arguments_are_escaped() {
    let folder = Folder::with(&[("a.json", FINE)]);
    let hostile = HOSTILE.replace('\0', "");
    for args in [
        &["--format", hostile.as_str()][..],
        &["--fail-on", &hostile],
        &["--jobs", &hostile],
        &[&format!("--{hostile}")],
        &["schema", &hostile],
    ] {
        let output = folder.run(args).expect_code(2);
        assert_safe(&output, &format!("{args:?}"));
    }
}

#[test]
fn strings_of_a_configuration_are_escaped() {
    let quoted = serde_json::to_string(&HOSTILE.replace('\u{7f}', "")).unwrap();
    for config in [
        format!("{quoted} = 1"),
        format!("select = [{quoted}]"),
        format!("fail-on = {quoted}"),
        format!("exclude = [{}]", serde_json::to_string(&format!("[{}", HOSTILE.replace('\u{7f}', ""))).unwrap()),
        format!("catalogs = [{quoted}]"),
        format!("[severity]\n{quoted} = 'error'"),
    ] {
        let output = Folder::with(&[("a.json", FINE), ("wflint.toml", &config)]).run(&["."]).expect_code(2);
        assert_safe(&output, &config);
        assert_nothing_is_forged(&output, &config);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn file_whose_name_is_not_utf8_is_linted_and_shown() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::with(&[]);
    let name = std::ffi::OsStr::from_bytes(b"odd\xff.json");
    folder.write(name, ERROR);
    for format in format_names() {
        folder.run(&["--format", &format, "."]).expect_code(1);
        let output =
            folder.run(&[std::ffi::OsStr::new("--format"), std::ffi::OsStr::new(&format), name]).expect_code(1);
        assert!(output.out().contains("WF101"), "{}", output.out());
    }
}

/// A secret and the value of a masked variable, with copies, at places that several rules report.
#[test]
fn secrets_and_masked_values_appear_in_no_report() {
    const SECRETS: [&str; 4] = ["Tr0ub4dor", "19811228-9874", "hunter2", "Vinter\\\"2031"];
    let parameter = |name: &str, value: &str| json!({ "name": name, "value": { "state": "static", "value": value, "boundTo": "Gone" } });
    let parameters = json!([
        parameter("Identity", "https://svc:Tr0ub4dor@example.com"),
        parameter("Depth", "19811228-9874"),
        parameter("Prefix", "Boss")
    ]);
    let workflow = json!({
        "activities": [
            {
                "name": "Ask",
                "type": "Provider",
                "method": "Get-ZPADManager",
                "providerParameters": parameters,
                "allProviderParameters": [parameters[0]]
            },
            {
                "name": "Look up",
                "type": "Provider",
                "method": "Get-ZPADUser",
                "providerParameters": [{ "name": "Identity", "value": { "state": "static", "value": "19811228-9874" } }],
                "allProviderParameters": []
            },
            { "name": "Set", "type": "Assign", "result": { "isBound": true, "boundTo": "Pid" }, "body": "Vinter\"2031" },
            {
                "name": "Build",
                "type": "Code",
                "parameters": [],
                "script": "var password = 'hunter2';\nif (x === 'hunter2') { Json = '19811228-9874'; }"
            },
            { "name": "Tell", "type": "Status", "status": { "isBound": true, "boundTo": "Pidd" } }
        ],
        "variables": [
            { "name": "Pid", "id": 1, "value": "19811228-9874", "variableType": "String", "shouldHide": true },
            { "name": "Json", "id": 1, "variableType": "String" }
        ]
    });
    let folder = Folder::with(&[("a.json", &serde_json::to_string_pretty(&workflow).unwrap())]);
    let codes: Vec<String> = folder.found(&["."]);
    for code in ["WF901", "WF104", "WF205", "WF207", "WF108"] {
        assert!(codes.iter().any(|found| found.contains(code)), "{code} is in {codes:?}");
    }
    for format in format_names() {
        let output = folder.run(&["--format", &format]).expect_code(1);
        // The page of a rule shows a secret of its own.
        let shown = without_pages(output.out());
        let leaked = SECRETS.iter().find(|secret| shown.contains(**secret));
        assert_eq!(leaked, None, "{format}: {shown}");
    }
}
